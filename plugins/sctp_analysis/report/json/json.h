/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing members of the JSON report. All text goes out escaped as in the tables: no control characters, valid UTF-8.
 */
#ifndef SCTPA_REPORT_JSON_H
#define SCTPA_REPORT_JSON_H

#include <wsutil/json_dumper.h>

#include "../messages/application.h"
#include "../view.h"

/* A document on its way, or lines that are documents of their own. Free lines with sctpa_json_lines_free, which hands
 * over the rest. */
typedef struct sctpa_json_document sctpa_json_document_t;
sctpa_json_document_t *sctpa_json_lines_new(sctpa_take_fn take, void *user);
void sctpa_json_lines_free(sctpa_json_document_t *lines);
/* Begins a line with the member "record"; ends it, whose other members were written with what begin gave. */
json_dumper *sctpa_json_begin_line(sctpa_json_document_t *lines, const char *record);
void sctpa_json_end_line(sctpa_json_document_t *lines);
/* Hands over what was written so far, however little. */
void sctpa_json_hand_over(sctpa_json_document_t *document);

/* Hands over what was written so far when it is enough for a piece: to be called between the elements of each array
 * that has no bound, so that what waits is one element and a piece. Of a document or of lines, of no other
 * json_dumper. */
void sctpa_json_offer(json_dumper *json);

/* A member name: null, a number, a number or null, text (NULL: null), seconds with
 * nine decimals, the begin of an object or array. Where name may be NULL the value stands in an array. */
void sctpa_json_null(json_dumper *json, const char *name);
void sctpa_json_count(json_dumper *json, const char *name, uint64_t count);
void sctpa_json_known(json_dumper *json, const char *name, bool known, uint64_t count);
void sctpa_json_text(json_dumper *json, const char *name, const char *text);
void sctpa_json_seconds(json_dumper *json, const char *name, int64_t ns);
void sctpa_json_begin_object(json_dumper *json, const char *name);
void sctpa_json_begin_array(json_dumper *json, const char *name);

/* The same where it is known, else null: a time; the frame of a packet, which SCTPA_NO_PACKET_INDEX has not. */
void sctpa_json_known_seconds(json_dumper *json, const char *name, bool known, int64_t ns);
void sctpa_json_known_ms(json_dumper *json, const char *name, bool known, int64_t ns);
void sctpa_json_packet(json_dumper *json, const sctpa_view_t *view, const char *name, uint32_t packet);

/* Nanoseconds in milliseconds with six decimals; a rate in bits per second, null when negative; the spread of times as
 * an object, null without samples. */
void sctpa_json_ms(json_dumper *json, const char *name, int64_t ns);
void sctpa_json_rate(json_dumper *json, const char *name, double bps);
void sctpa_json_spread(json_dumper *json, const sctpa_view_t *view, const char *name,
                       const sctpa_percentiles_t *spread);
/* A time between two stamps, or a difference of two, in milliseconds: null where it is not known, or the clock does not
 * tell it from none (sctpa_view_tells). */
void sctpa_json_told_ms(json_dumper *json, const sctpa_view_t *view, const char *name, bool known, int64_t ns);
/* The text of an address, null without one. */
void sctpa_json_addr(json_dumper *json, const char *name, const sctpa_addr_t *addr);

/* The arrays "paths", "directions" and "streams" of an association. */
void sctpa_json_data(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                     const sctpa_assoc_t *assoc);
/* The member "handovers" of a direction. Cost as sctpa_handovers. */
void sctpa_json_handovers(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end);
/* The member "tap_delay" of a path. Cost as sctpa_tap_delay. */
void sctpa_json_tap_delay(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                          unsigned path);
/* The member "concurrent" of a direction: several paths at once. Cost as sctpa_concurrent_measure. */
void sctpa_json_concurrent(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end);
/* The member "message_delay" of a direction; null without messages, and where acks may be missing. */
void sctpa_json_delays(json_dumper *json, const sctpa_view_t *view, const sctpa_message_delays_t *delays);
/* The member "learned" of an endpoint. */
void sctpa_json_learned(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end);
/* The member "sender_fit" of an endpoint. */
void sctpa_json_sender_fit(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end);
/* The member "stack" of an endpoint. */
void sctpa_json_stack(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end);
/* Sets of rules, which most endpoints have in common: an endpoint names them by number, the document lists each once.
 * O(rules) a set; memory: 2 bytes a rule and 100 a set. */
typedef struct sctpa_json_sets sctpa_json_sets_t;
sctpa_json_sets_t *sctpa_json_sets_new(void);
void sctpa_json_sets_free(sctpa_json_sets_t *sets);

/* The members "verdict", "checked_rules", "undecided_rules" and "rules" of an endpoint; "findings" and "missing_needs"
 * of an association (missing: needs that either end lacked); "rule_sets" and "rules_by_need" of the document. */
void sctpa_json_judgement(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, uint8_t end,
                          const sctpa_judgement_t *judgement, sctpa_json_sets_t *sets);
void sctpa_json_rule_sets(json_dumper *json, const sctpa_json_sets_t *sets);
void sctpa_json_findings(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                         const sctpa_assoc_t *assoc, uint32_t missing);
void sctpa_json_rules(json_dumper *json);
/* The member "application" of an association; application NULL: null. */
void sctpa_json_application(json_dumper *json, const sctpa_view_t *view, const sctpa_application_t *application,
                            uint32_t assoc);
/* The lines "capture" and "rules". */
void sctpa_json_capture_line(sctpa_json_document_t *lines, const sctpa_view_t *view,
                             const sctpa_selection_t *selection);
void sctpa_json_rules_line(sctpa_json_document_t *lines, const sctpa_json_sets_t *sets);
/* The object that a finding is, and a pause of the data that end sent. */
void sctpa_json_finding(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc,
                        const sctpa_finding_t *finding, uint32_t count);
void sctpa_json_pause(json_dumper *json, const sctpa_view_t *view, const sctpa_assoc_t *assoc, unsigned end,
                      const sctpa_pause_t *pause);
/* The members of an element of "associations", which is an object. */
void sctpa_json_assoc_members(json_dumper *json, const sctpa_view_t *view, const sctpa_selection_t *selection,
                              const sctpa_assoc_t *assoc, sctpa_json_sets_t *sets,
                              const sctpa_application_t *application);

#endif
