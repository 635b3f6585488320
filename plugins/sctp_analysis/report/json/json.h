/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing members of the JSON report. All text goes out escaped as in the tables: no control characters, valid UTF-8.
 */
#ifndef SCTPA_REPORT_JSON_H
#define SCTPA_REPORT_JSON_H

#include <wsutil/json_dumper.h>

#include "../messages/application.h"
#include "../triage/how_bad.h"
#include "../triage/path_trouble.h"
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
static inline void sctpa_json_offer(json_dumper *json)
{
    if (json->output_string->len >= SCTPA_PIECE_BYTES)
        sctpa_json_hand_over((sctpa_json_document_t *)json);
}

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
static inline void sctpa_json_packet(json_dumper *json, const sctpa_view_t *view, const char *name, uint32_t packet)
{
    sctpa_json_known(json, name, packet != SCTPA_NO_PACKET_INDEX, sctpa_packet_frame(view->sctpa, packet));
}

/* A spread with samples, else NULL. */
static inline const sctpa_percentiles_t *sctpa_json_sampled(const sctpa_percentiles_t *spread)
{
    return spread->samples > 0 ? spread : NULL;
}

/* Nanoseconds in milliseconds with six decimals; a rate in bits per second, a ratio, null when negative; a text that is
 * freed; true, false, and null where it is unknown. */
void sctpa_json_ms(json_dumper *json, const char *name, int64_t ns);
void sctpa_json_rate(json_dumper *json, const char *name, double bps);
void sctpa_json_ratio(json_dumper *json, const char *name, double ratio);
void sctpa_json_take(json_dumper *json, const char *name, char *text);
void sctpa_json_bool(json_dumper *json, const char *name, bool value);
void sctpa_json_known_bool(json_dumper *json, const char *name, sctpa_known_t value);
/* A time between two stamps, or a difference of two, in milliseconds: null where it is not known, or the clock does not
 * tell it from none (sctpa_view_tells). */
void sctpa_json_told_ms(json_dumper *json, const sctpa_view_t *view, const char *name, bool known, int64_t ns);
/* Remarks on the quality of a capture beside those of the core. */
#define SCTPA_REMARK_DATA_ONLY "data_only"
#define SCTPA_REMARK_TRANSLATED "translated"
#define SCTPA_REMARK_TWO_CLOCKS "two_clocks"
#define SCTPA_REMARK_CLOCK_AHEAD "clock_ahead"
#define SCTPA_REMARK_COMPLETE_REFUTED "complete_refuted"
#define SCTPA_REMARK_TAKEN_AT_REFUTED "taken_at_refuted"
#define SCTPA_REMARK_GAP "gap"

/* The text of an address, null without one. */
void sctpa_json_addr(json_dumper *json, const char *name, const sctpa_addr_t *addr);

/* Sets of rules, which most endpoints have in common: an endpoint names them by number, the document lists each once.
 * O(rules) a set; memory: 2 bytes a rule and 100 a set. */
typedef struct sctpa_json_sets sctpa_json_sets_t;
sctpa_json_sets_t *sctpa_json_sets_new(void);
void sctpa_json_sets_free(sctpa_json_sets_t *sets);

/* An association, with what several members are made from, measured once. */
typedef struct {
    const sctpa_view_t *view;
    const sctpa_selection_t *selection;
    const sctpa_assoc_t *assoc;
    sctpa_json_sets_t *sets;
    const sctpa_application_t *application; /* NULL: no messages were read */
    sctpa_outcome_t outcome;
    sctpa_judgement_t judgements[2];
    uint32_t missing; /* needs that either end lacked */
    sctpa_measure_t *measures[2];
    sctpa_message_delays_t *delays[2]; /* NULL not known */
    GArray *streams[2];                /* sctpa_stream_t */
    sctpa_pauses_t *pauses[2];         /* NULL unknown */
    sctpa_windows_t *windows[2];       /* NULL: never closed, or not known */
    sctpa_path_trouble_t paths[2];
    sctpa_harm_t harm;
    sctpa_rank_t rank;
} sctpa_json_assoc_t;

/* An endpoint of it, or the data that it sent. */
typedef struct {
    const sctpa_json_assoc_t *assoc;
    unsigned end;
} sctpa_json_end_t;

/* Elements of arrays of an association. */
void sctpa_json_endpoints(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of);
void sctpa_json_paths(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of);
void sctpa_json_directions(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of);
void sctpa_json_streams(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of);
void sctpa_json_findings(json_dumper *json, const sctpa_view_t *view, const sctpa_json_assoc_t *of);
/* The words of needs. */
void sctpa_json_needs(json_dumper *json, const sctpa_view_t *view, const uint32_t *needs);

/* Members that are objects, or null: a spread of times; which rules were checked at an endpoint. */
void sctpa_json_statistics(json_dumper *json, const sctpa_view_t *view, const char *name,
                           const sctpa_percentiles_t *spread);
void sctpa_json_rules(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_end_t *of);

/* The members "rule_sets" and "rules_by_need" of the document. */
void sctpa_json_rule_sets(json_dumper *json, const sctpa_view_t *view, const char *name, const sctpa_json_sets_t *sets);
void sctpa_json_rules_by_need(json_dumper *json, const sctpa_view_t *view, const char *name, const void *none);
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
