/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of words that members have, for the schema and for the document's "words". */
#include "json.h"
#include "section.h"

#include "../text/outcome_text.h"

#define WORDS(name, count, of_number) \
    static const char *word_of_##name(unsigned number) \
    { \
        return of_number; \
    } \
    const sctpa_words_t sctpa_words_##name = { count, word_of_##name };

static const char *const checksums[SCTPA_CHECKSUMS] = {
    [SCTPA_CHECKSUM_CRC32C] = "crc32c", [SCTPA_CHECKSUM_ADLER32] = "adler32",       [SCTPA_CHECKSUM_ZERO] = "zero",
    [SCTPA_CHECKSUM_BAD] = "bad",       [SCTPA_CHECKSUM_UNVERIFIED] = "unverified",
};
static const char *const remarks[] = {
    SCTPA_REMARK_DATA_ONLY,        SCTPA_REMARK_TRANSLATED,       SCTPA_REMARK_TWO_CLOCKS, SCTPA_REMARK_CLOCK_AHEAD,
    SCTPA_REMARK_COMPLETE_REFUTED, SCTPA_REMARK_TAKEN_AT_REFUTED, SCTPA_REMARK_GAP
};
static const char *const roles[] = { "initiator", "responder", "either", "unknown" };
static const char *const other_hosts[] = { "ip_id", "ttl" };
static const char *const steps[] = { "INIT", "COOKIE_ECHO" };
static const char *const closings[] = { "SHUTDOWN", "SHUTDOWN_ACK" };

WORDS(severity, SCTPA_SEVERITIES, sctpa_severity_word(number))
WORDS(failure, SCTPA_SEVERITIES, sctpa_severity_is_failure(number) ? sctpa_severity_word(number) : NULL)
WORDS(end, SCTPA_ASSOC_ENDS, sctpa_assoc_end_word(number))
WORDS(encapsulation, SCTPA_OVER_OTHER + 1, sctpa_encapsulation_word(number))
WORDS(quality, SCTPA_QUALITIES + G_N_ELEMENTS(remarks),
      number < SCTPA_QUALITIES ? sctpa_capture_word(number) : remarks[number - SCTPA_QUALITIES])
/* The worst first, not_judged last. */
WORDS(verdict, SCTPA_VERDICTS, sctpa_verdict_word((number + 1) % SCTPA_VERDICTS))
WORDS(level, SCTPA_LEVELS, sctpa_level_word(number))
WORDS(certainty, SCTPA_CERTAINTIES, sctpa_certainty_word(number))
WORDS(setup, SCTPA_SETUP_MISSING + 1, sctpa_setup_seen_word(number))
WORDS(event, SCTPA_EVENT_ERROR + 1, sctpa_event_word(number))
WORDS(pause_end, SCTPA_PAUSE_ENDS, sctpa_pause_end_word(number))
WORDS(pause, SCTPA_PAUSE_CAUSES, sctpa_pause_word(number))
WORDS(rtx, SCTPA_RTX_KINDS, sctpa_rtx_word(number))
WORDS(role, G_N_ELEMENTS(roles), roles[number])
WORDS(abort_reason, SCTPA_ABORT_REASONS, sctpa_abort_reason_word(number))
WORDS(abort_doubt, SCTPA_ABORT_POSSIBLE + 1, sctpa_abort_doubt_word(number))
WORDS(checksum, SCTPA_CHECKSUMS, checksums[number])
WORDS(parameter, SCTPA_PARAMETERS, sctpa_parameter_row(number)->word)
WORDS(message_kind, SCTPA_MESSAGE_KINDS, sctpa_message_kind_word(number))
WORDS(other_host, G_N_ELEMENTS(other_hosts), other_hosts[number])
WORDS(step, G_N_ELEMENTS(steps), steps[number])
static const char *const schemas[] = { "sctp-analysis/2" };
static const char *const handovers[] = { "failover", "add", "delete", "primary" };
WORDS(handover, G_N_ELEMENTS(handovers), handovers[number])
WORDS(schema, G_N_ELEMENTS(schemas), schemas[number])
WORDS(closing, G_N_ELEMENTS(closings), closings[number])
