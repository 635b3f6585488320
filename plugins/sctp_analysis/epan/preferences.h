/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preferences of the protocol sctp_analysis. */
#ifndef SCTPA_EPAN_PREFERENCES_H
#define SCTPA_EPAN_PREFERENCES_H

#include "sctpa.h"
#include "compat.h"

/* Which chunks are decoded below sctp.analysis. */
typedef enum { SCTPA_DECODE_LACKING, SCTPA_DECODE_ALL, SCTPA_DECODE_OFF } sctpa_decode_t;

typedef struct {
    sctpa_gbool_t enabled;
    int decode;                /* sctpa_decode_t */
    const char *rules;         /* words of sctpa_rule_choice_read */
    int profile;               /* sctpa_profile_t */
    const char *capture_name;  /* "" when not set */
    const char *capture_files; /* path of the table of files that ./run writes, "" when not set */
    guint message_delay_budget_ms;
    sctpa_gbool_t messages; /* of the application are collected */
    sctpa_gbool_t capture_complete;
    guint quiet_until_ms;                       /* 0: not asserted */
    const char *taken_at, *endpoint_parameters; /* as sctpa_assertions_new reads them */
} sctpa_preferences_t;

/* protocol: the one they belong to; applied: called after they were read or changed, before packets are dissected by
 * them. */
void sctpa_preferences_register(int protocol, void (*applied)(void));
const sctpa_preferences_t *sctpa_preferences(void);

/* "sctp_analysis.NAME:VALUE", as -o takes it, of each preference that results depend on and that has its default value,
 * or that has not; up to NULL; g_strfreev. Without keys. */
char **sctpa_preferences_options(bool is_default);

/* The shared keys for AUTH as an array of sctpa_auth_key_t, one element per key and address. Free it; the keys in it
 * are borrowed. */
GArray *sctpa_preferences_keys(void);

/* Which rules are judged; all where a word of the preference names none. */
void sctpa_preferences_rules(sctpa_rule_choice_t *choice);

/* What the user asserts of captures, to be handed over to sctpa_assert; NULL: nothing, or a text is wrong. */
sctpa_assertions_t *sctpa_preferences_assertions(void);

#endif
