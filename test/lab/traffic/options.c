/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that both stacks have, as far as they are socket options; stack_options of each stack holds the rest. */
#include "stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void set_option(int option, const void *value, socklen_t length, const char *name)
{
    if (stack_set_option(IPPROTO_SCTP, option, value, length) < 0)
        write_log("setsockopt %s: %s", name, strerror(errno));
}

void set_flag(int option, int value, const char *name)
{
    set_option(option, &value, sizeof value, name);
}

void set_association_value(int option, int value, const char *name)
{
    struct sctp_assoc_value setting = { .assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = value };
    set_option(option, &setting, sizeof setting, name);
}

void add_key(int number, const char *key)
{
    size_t length = strlen(key);
    struct sctp_authkey *setting = calloc(1, sizeof *setting + length);
    setting->sca_assoc_id = process.association;
    setting->sca_keynumber = number;
    setting->sca_keylength = length;
    memcpy(setting->sca_key, key, length);
    set_option(SCTP_AUTH_KEY, setting, sizeof *setting + length, "AUTH_KEY");
    free(setting);
}

static void set_rto(const char *name, const char *value, int initial_ms, int min_ms, int max_ms)
{
    (void)value;
    struct sctp_rtoinfo setting = { .srto_initial = initial_ms, .srto_max = max_ms, .srto_min = min_ms };
    set_option(SCTP_RTOINFO, &setting, sizeof setting, name);
}

static void set_path(const char *name, const char *value, int x, int y, int z)
{
    struct sctp_paddrparams setting;
    (void)value, (void)y, (void)z;
    memset(&setting, 0, sizeof setting);
    ((struct sockaddr_storage *)&setting.spp_address)->ss_family = AF_INET;
    if (!strcmp(name, "pathmax")) {
        setting.spp_pathmaxrxt = x;
    } else {
        setting.spp_flags = x ? SPP_HB_ENABLE : SPP_HB_DISABLE;
        setting.spp_hbinterval = x;
    }
    set_option(SCTP_PEER_ADDR_PARAMS, &setting, sizeof setting, name);
}

static void set_association(const char *name, const char *value, int x, int y, int z)
{
    struct sctp_assocparams setting = { 0 };
    (void)value, (void)y, (void)z;
    if (!strcmp(name, "assocmax"))
        setting.sasoc_asocmaxrxt = x;
    else
        setting.sasoc_cookie_life = x;
    set_option(SCTP_ASSOCINFO, &setting, sizeof setting, name);
}

static void set_setup(const char *name, const char *value, int x, int y, int z)
{
    struct sctp_initmsg setting = { 0 };
    (void)value, (void)z;
    if (!strcmp(name, "initmax")) {
        setting.sinit_max_attempts = x;
    } else {
        setting.sinit_num_ostreams = x;
        setting.sinit_max_instreams = y ? y : x;
    }
    set_option(SCTP_INITMSG, &setting, sizeof setting, name);
}

static void set_no_delay(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)x, (void)y, (void)z;
    set_flag(SCTP_NODELAY, 1, name);
}

static void set_sack(const char *name, const char *value, int delay_ms, int frequency, int z)
{
    struct sctp_sack_info setting = { .sack_delay = delay_ms, .sack_freq = frequency };
    (void)value, (void)z;
    set_option(SCTP_DELAYED_SACK, &setting, sizeof setting, name);
}

static void set_buffer(const char *name, const char *value, int bytes, int y, int z)
{
    (void)value, (void)y, (void)z;
    stack_set_option(SOL_SOCKET, strcmp(name, "rcvbuf") ? SO_SNDBUF : SO_RCVBUF, &bytes, sizeof bytes);
}

static void set_linger(const char *name, const char *value, int x, int y, int z)
{
    struct linger setting = { .l_onoff = 1, .l_linger = 0 };
    (void)name, (void)value, (void)x, (void)y, (void)z;
    stack_set_option(SOL_SOCKET, SO_LINGER, &setting, sizeof setting);
}

static void set_authenticated_chunks(const char *name, const char *value, int x, int y, int z)
{
    char *copy = strdup(value), *rest = copy, *word;
    (void)x, (void)y, (void)z;
    set_association_value(SCTP_AUTH_SUPPORTED, 1, name);
    while ((word = strsep(&rest, ","))) {
        struct sctp_authchunk setting = { atoi(word) };
        set_option(SCTP_AUTH_CHUNK, &setting, sizeof setting, name);
    }
    free(copy);
}

static void set_key(const char *name, const char *value, int x, int y, int z)
{
    struct sctp_authkeyid active = { .scact_keynumber = 1 };
    (void)x, (void)y, (void)z;
    add_key(1, value);
    set_option(SCTP_AUTH_ACTIVE_KEY, &active, sizeof active, name);
}

static void set_reconfiguration(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)x, (void)y, (void)z;
    set_association_value(SCTP_RECONFIG_SUPPORTED, 1, name);
    set_association_value(SCTP_ENABLE_STREAM_RESET, 7, name);
}

static void set_interleaving(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)x, (void)y, (void)z;
    set_flag(SCTP_FRAGMENT_INTERLEAVE, 2, name);
    set_association_value(SCTP_INTERLEAVING_SUPPORTED, 1, name);
}

const option_t socket_options[] = {
    { "rto", true, ON_SOCKET, set_rto },
    { "pathmax", true, ON_SOCKET, set_path },
    { "hb", true, ON_SOCKET, set_path },
    { "assocmax", true, ON_SOCKET, set_association },
    { "cookielife", true, ON_SOCKET, set_association },
    { "initmax", true, ON_SOCKET, set_setup },
    { "streams", true, ON_SOCKET, set_setup },
    { "nodelay", false, ON_SOCKET, set_no_delay },
    { "sack", true, ON_SOCKET, set_sack },
    { "rcvbuf", true, ON_SOCKET, set_buffer },
    { "sndbuf", true, ON_SOCKET, set_buffer },
    { "linger0", false, ON_SOCKET, set_linger },
    { "auth", true, ON_SOCKET, set_authenticated_chunks },
    { "key", true, ON_SOCKET, set_key },
    { "reconf", false, ON_SOCKET, set_reconfiguration },
    { "idata", false, ON_SOCKET, set_interleaving },
    { NULL, false, ON_SOCKET, NULL },
};
