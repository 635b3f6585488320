/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Owns the one analysis: made when a capture is opened, reloaded or dissected anew, freed when it is closed.
 * A packet is fed when its frame is dissected for the first time; later dissections only look it up. */
#include "open_analysis.h"

#include <epan/proto_data.h>

#include "../preferences.h"
#include "../stats/stats.h"
#include "hook.h"

static sctpa_t *analysis;
static uint32_t last_frame; /* the latest that was fed */
static uint32_t number;     /* analyses so far */
static void (*watch_end)(void);
static void (*watch_change)(void *user);
static void *change_user;
static int data_protocol = -1;
static bool counts_occasions;

static void about_to_change(void)
{
    if (watch_change != NULL)
        watch_change(change_user);
}

static void analysis_end(void)
{
    if (analysis != NULL && watch_end != NULL)
        watch_end();
    sctpa_free(analysis);
    analysis = NULL;
    last_frame = 0;
}

/* A main window may be asked for any report after the packets have passed. */
static bool may_show_occasions(void)
{
    sctpa_capture_t capture;
    sctpa_capture_read(&capture);
    return counts_occasions || capture.has_window;
}

static void analysis_begin(void)
{
    analysis_end();
    GArray *keys = sctpa_preferences_keys();
    number++;
    analysis = sctpa_new((const sctpa_auth_key_t *)(const void *)keys->data, keys->len);
    g_array_free(keys, TRUE);
    sctpa_rule_choice_t choice;
    sctpa_preferences_rules(&choice);
    sctpa_judge(analysis, &choice, (sctpa_profile_t)sctpa_preferences()->profile);
    sctpa_assert(analysis, sctpa_preferences_assertions());
    sctpa_hook_renew();
}

void sctpa_analysis_register(int protocol)
{
    data_protocol = protocol;
    register_init_routine(analysis_begin);
    register_cleanup_routine(analysis_end);
}

const sctpa_t *sctpa_analysis_current(void)
{
    return sctpa_preferences()->enabled ? analysis : NULL;
}

sctpa_t *sctpa_analysis_to_watch(void)
{
    return sctpa_preferences()->enabled ? analysis : NULL;
}

void sctpa_analysis_count_occasions(void)
{
    counts_occasions = true;
}

uint32_t sctpa_analysis_number(void)
{
    return number;
}

void sctpa_analysis_watch_end(void (*about_to_end)(void))
{
    watch_end = about_to_end;
}

void sctpa_analysis_watch_change(void (*watch)(void *user), void *user)
{
    watch_change = watch;
    change_user = user;
}

uint32_t sctpa_analysis_assoc_of_frame(uint32_t frame)
{
    const sctpa_t *current = sctpa_analysis_current();
    sctpa_packet_result_t result;
    if (current == NULL)
        return SCTPA_NO_ASSOC;
    for (uint32_t n = 0;; n++) {
        uint32_t index = sctpa_packet_find(current, frame, n);
        if (index == SCTPA_NO_PACKET || !sctpa_packet_result(current, index, &result))
            return SCTPA_NO_ASSOC;
        if (result.assoc != SCTPA_NO_ASSOC)
            return result.assoc;
    }
}

bool sctpa_analysis_is_first_pass(const packet_info *pinfo)
{
    return !PINFO_FD_VISITED(pinfo) && pinfo->num >= last_frame;
}

/* Counts the SCTP packets of a frame during one later dissection: 0, 1, ... The first dissection need not: it feeds
 * them in order. */
static uint32_t number_in_frame(packet_info *pinfo)
{
    uint32_t *next = (uint32_t *)p_get_proto_data(pinfo->pool, pinfo, data_protocol, 0);
    if (next == NULL) {
        next = wmem_new0(pinfo->pool, uint32_t);
        p_add_proto_data(pinfo->pool, pinfo, data_protocol, 0, next);
    }
    return (*next)++;
}

uint32_t sctpa_analysis_packet(packet_info *pinfo, const sctpa_packet_t *packet)
{
    if (!sctpa_analysis_is_first_pass(pinfo))
        return sctpa_packet_find(analysis, pinfo->num, number_in_frame(pinfo));
    if (last_frame == 0 && may_show_occasions())
        sctpa_count_occasions(analysis);
    last_frame = pinfo->num;
    about_to_change();
    return sctpa_feed(analysis, packet);
}

void sctpa_analysis_icmp(const sctpa_icmp_t *icmp)
{
    about_to_change();
    sctpa_feed_icmp(analysis, icmp);
}
