/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rules for senders of data remember of an association and its reference endpoints do not. Internal to
 * check_sender*.c. */
#ifndef SCTPA_RULES_CHECK_SENDER_H
#define SCTPA_RULES_CHECK_SENDER_H

#include "rules/rule_functions.h"
#include "sender_limits.h"

/* By endpoint. */
typedef struct {
    uint32_t beyond_sacks[2]; /* SACKs that had come when its new data last left beyond the window, 0 none did */
} sctpa_data_sender_t;

#endif
