/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks packets that the tracker has taken against the rules, and keeps findings and verdicts; and what it knows of
 * the congestion control of endpoints. Reads the tracker and writes only its own: what it finds changes no other
 * number. */
#ifndef SCTPA_MODEL_MODEL_H
#define SCTPA_MODEL_MODEL_H

#include <glib.h>

#include "cwnd/cwnd.h"
#include "finding.h"
#include "fingerprint.h"
#include "reference.h"
#include "rule.h"

typedef struct sctpa_model sctpa_model_t;

/* choice: the rules that are asked, copied. Free with sctpa_model_free. */
sctpa_model_t *sctpa_model_new(const sctpa_rule_choice_t *choice, sctpa_profile_t profile);
/* What is asserted of the capture, NULL nothing; it stays with the caller. Before the first packet. */
void sctpa_model_assert(sctpa_model_t *model, const sctpa_assertions_t *assertions);
/* Counts occasions (occasions.h) from now on: 8 to 24 bytes more for each kind of the packets of an association. Before
 * the first packet. */
void sctpa_model_count_occasions(sctpa_model_t *model);
void sctpa_model_free(sctpa_model_t *model);

/* Checks packet index, just taken by the tracker. O(chunks). Memory: 320 bytes and the parts concerned per association,
 * 260 bytes per finding, 16 per occurrence. */
void sctpa_model_take(sctpa_model_t *model, sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t index);
/* The capture ended at end_ns, and nothing passed for as long after that as is asserted: judges what was owed by then
 * and did not come, where that is followed (shared/obligations.h). What is found names the packet that created it,
 * marks none, and stands until the next packet is taken or the end is judged again. O(associations + entries); where
 * what was owed is kept, O(n log n) of all of it. */
void sctpa_model_judge_end(sctpa_model_t *model, sctpa_tracker_t *tracker, int64_t end_ns);
/* What was owed is kept from now on, also where nothing is asserted: 32 bytes for each entry. Before the first packet.
 */
void sctpa_model_keep_owed(sctpa_model_t *model);
/* sctpa_owed_result_t of what packets settled, in their order, keyed by packets; when the end was judged last, of that
 * and what stood then, keyed by associations. NULL: not kept. */
const GArray *sctpa_model_owed(const sctpa_model_t *model);
const GArray *sctpa_model_owed_by_assoc(const sctpa_model_t *model);

/* Forgets what is kept of the association that number stands for, and of the halves that became part of it, before the
 * tracker does: its reference endpoints, findings, rules checked. Whoever asks for them finds none, also by a packet.
 * What stays: 8 bytes for the number, what addresses announced over associations (16 KiB), sets of rules that others
 * may share (5 MiB at most), and dead marks, 16 bytes each, until they are half of all. O(what is kept), amortised. */
void sctpa_model_forget(sctpa_model_t *model, const sctpa_tracker_t *tracker, uint32_t number);
/* Bytes that are kept of associations: 0 once each was forgotten. O(1). */
size_t sctpa_model_held_bytes(const sctpa_model_t *model);

/* Findings of an association, in order of their first occurrence; those whose needs turned out not to be met later are
 * withheld: walk with sctpa_model_next. NULL: no (more) findings. O(findings). */
const sctpa_finding_t *sctpa_model_first(const sctpa_model_t *model, const sctpa_tracked_t *tracked);
const sctpa_finding_t *sctpa_model_next(const sctpa_model_t *model, const sctpa_tracked_t *tracked,
                                        const sctpa_finding_t *finding);
/* Is a finding of the association still upheld? O(1). */
bool sctpa_model_upholds(const sctpa_model_t *model, const sctpa_tracked_t *tracked, const sctpa_finding_t *finding);
/* Marks of a packet: *n of them. O(log marks). */
const sctpa_mark_t *sctpa_model_marks(const sctpa_model_t *model, uint32_t packet, unsigned *n);
/* All marks by packet, sctpa_mark_t. */
const GArray *sctpa_model_all_marks(const sctpa_model_t *model);
/* What became of the rules at an endpoint. O(findings + rules). */
sctpa_judgement_t sctpa_model_judgement(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end);
/* Was a rule checked at an endpoint? O(1). */
bool sctpa_model_has_judged(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end, sctpa_rule_t rule);
/* Had a rule an occasion at an endpoint, but never what it needs? O(1). */
bool sctpa_model_has_refused(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                             sctpa_rule_t rule);

/* Violations by an endpoint that stand in no finding, by rule: the first (before NULL), or the one after before; NULL
 * no more. O(entries + findings). */
const sctpa_unlisted_t *sctpa_model_unlisted(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                                             const sctpa_unlisted_t *before);

/* How often each rule applied at an endpoint, as judged where it was checked (sctpa_model_has_judged), as refused where
 * it was not: in of_rules, which has room for SCTPA_RULES, for those that applied. Returns how many packets of the
 * association are not counted, since there were too many kinds. O(kinds of its packets * rules of each + rules *
 * findings). */
uint32_t sctpa_model_occasions(const sctpa_model_t *model, const sctpa_tracked_t *tracked, uint8_t end,
                               sctpa_rule_occasions_t *of_rules);

/* Its reference endpoints. */
const sctpa_reference_store_t *sctpa_model_reference(const sctpa_model_t *model);

/* Of these endpoints: what is known of the congestion control of a path of endpoint after packet, the band of cwnd and
 * ssthresh. False: no DATA had gone there by then. O(log changes). */
bool sctpa_congestion_at(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         uint16_t path, uint32_t packet, sctpa_congestion_t *out);

/* Calls visit for every change of what sctpa_congestion_at returns for the paths of endpoint: path after path, in
 * order. O(changes). */
void sctpa_congestion_each(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                           void (*visit)(void *user, uint16_t path, uint32_t packet,
                                         const sctpa_congestion_t *congestion),
                           void *user);
/* The sender that fits endpoint best. False, nothing decides: more than half of the family fit, none does, the tap is
 * far from the endpoint, or the capture does not hold how the association began. O(family). */
bool sctpa_sender_fit_of(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked, uint8_t endpoint,
                         sctpa_sender_fit_t *fit);
/* The implementation that an endpoint seems to be. O(1). */
sctpa_stack_t sctpa_implementation(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                   uint8_t endpoint);

#endif
