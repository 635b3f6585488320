/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words that the rows of rules.def are written in. Only for the files that expand rows. */
#ifndef SCTPA_RULES_RULE_FIELDS_H
#define SCTPA_RULES_RULE_FIELDS_H

#include "data/under_way_limits.h"
#include "congestion/congestion_limits.h"
#include "data/answer_limits.h"
#include "data_receiver/receiver_limits.h"
#include "data_sender/sender_limits.h"
#include "format/format_limits.h"
#include "paths/paths_limits.h"
#include "pr_sctp/pr_sctp_limits.h"
#include "reconfig/reconfig_limits.h"
#include "reference/context.h"
#include "reference/life/init_padding_limits.h"
#include "reference/life/initialization_limits.h"
#include "reference/life/teardown_limits.h"
#include "reference/receiver/ce_marks_limits.h"
#include "reference/receiver/receiving_limits.h"
#include "reference/requests/asconf_limits.h"
#include "reference/requests/heartbeats_limits.h"
#include "reference/requests/reconfig_requests_limits.h"
#include "reference/requests/retransmissions_limits.h"
#include "reference/requests/udp_ports_limits.h"
#include "data/channel_limits.h"
#include "reference/sender/first_data_limits.h"
#include "reference/sender/message_order_limits.h"
#include "reference/sender/outstanding_limits.h"
#include "reference/sender/path_choice_limits.h"
#include "reference/sender/t3_expiries_limits.h"
#include "shutdown/shutdown_limits.h"
#include "timers/timers_limits.h"
#include "udp_encapsulation/udp_encapsulation_limits.h"
#include "limits.h"
#include "rules.h"

#define SAY SCTPA_LIMIT_TEXT
#define MUST SCTPA_LEVEL_MUST
#define SHOULD SCTPA_LEVEL_SHOULD
#define HEURISTIC SCTPA_LEVEL_HEURISTIC
#define NOTHING SCTPA_SEEING_NOTHING
#define COULD SCTPA_SEEING_COULD
#define MUST_HAVE SCTPA_SEEING_MUST
#define WHOLE SCTPA_NEED_WHOLE_PACKET
#define CHECKSUM SCTPA_NEED_CHECKSUM_GOOD
#define SETUP SCTPA_NEED_SETUP_SEEN
#define BOTH SCTPA_NEED_BOTH_DIRECTIONS
#define COMPLETE SCTPA_NEED_COMPLETE
#define NEAR SCTPA_NEED_NEAR
#define RTT SCTPA_NEED_RTT
#define KEY SCTPA_NEED_AUTH_KEY
#define UNTRANSLATED SCTPA_NEED_UNTRANSLATED
#define PACKET SCTPA_WHEN_PACKET
#define CHUNK SCTPA_WHEN_CHUNK
#define PARAM SCTPA_WHEN_PARAM
#define OF_SENDER SCTPA_OF_SENDER
#define OF_PEER SCTPA_OF_PEER
#define OF_EACH SCTPA_OF_EACH
#define ROW SCTPA_ROW
#define ANY SCTPA_ANY_CHUNK
#define DATA_ROWS SCTPA_DATA_ROWS
#define SACK_ROWS SCTPA_SACK_ROWS
#define NEW_DATA SCTPA_FACT_NEW_DATA
#define RTX SCTPA_FACT_RTX
#define NEWLY_ACKED SCTPA_FACT_NEWLY_ACKED
#define GAP_BLOCKS SCTPA_FACT_GAP_BLOCKS
#define DUPLICATE_TSNS SCTPA_FACT_DUPLICATE_TSNS
#define CONTROL SCTPA_FACT_CONTROL
#define DUPLICATES_OWED SCTPA_FACT_DUPLICATES_OWED
#define WRONG_DATA SCTPA_FACT_WRONG_DATA
#define FRAGMENTS SCTPA_FACT_FRAGMENTS
#define FIRST_SSN SCTPA_FACT_FIRST_SSN
#define NEXT_SSN SCTPA_FACT_NEXT_SSN
#define FIRST_DATA SCTPA_FACT_FIRST_DATA
#define USABLE_WINDOW SCTPA_FACT_USABLE_WINDOW
#define FORWARDED SCTPA_FACT_FORWARDED
#define I_MESSAGES SCTPA_FACT_I_MESSAGES
#define IF_COMPLETE SCTPA_ASSERTED_COMPLETE
#define IF_TAKEN_AT SCTPA_ASSERTED_TAKEN_AT
#define PARAMETER SCTPA_ASSERTED
#define COVERS(group, number) (SCTPA_RULE_##group##_##number + 1)

#endif
