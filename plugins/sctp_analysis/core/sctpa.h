/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public face of the core: create an analysis, feed it a capture in order, read the results. Feeding alone changes
 * an analysis: whoever looks takes a constant one, so that what was read when makes no difference to what the next
 * packets show. No I/O, no clock, no globals. One thread feeds; several may look, while nobody feeds. */
#ifndef SCTPA_H
#define SCTPA_H

#include "base/hash.h"
#include "base/numbers.h"
#include "data/shared_limits.h"
#include "data/packet_results.h"
#include "model/finding.h"
#include "model/rule.h"
#include "model/fingerprint.h"
#include "measure/measure.h"
#include "measure/endings/abort_reason.h"
#include "measure/ladder/ladder.h"
#include "measure/learned/learned.h"
#include "measure/multipath/concurrent.h"
#include "measure/multipath/handovers.h"
#include "measure/multipath/tap_delay.h"
#include "measure/periods/lost_sizes.h"
#include "measure/periods/pauses.h"
#include "measure/periods/ways_back.h"
#include "measure/periods/window_use.h"
#include "measure/series/series.h"
#include "measure/user_messages.h"
#include "measure/message_delays.h"
#include "model/cwnd/cwnd.h"
#include "model/shared/association_states.h"
#include "model/shared/failure_detection.h"
#include "model/shared/owed_results.h"
#include "tap/assertions.h"
#include "tap/clocks.h"
#include "tap/unseen_rest.h"
#include "track/assoc.h"
#include "track/counts.h"
#include "track/identity/two_taps_result.h"
#include "track/packet.h"
#include "wire/auth.h"
#include "wire/checksum.h"
#include "wire/chunk.h"
#include "wire/types.h"
#include "wire/walk.h"

typedef struct sctpa sctpa_t;

/* The word of the remark with that bit number, or of a SCTPA_QUALITY_ ("duplicate"). */
const char *sctpa_capture_word(unsigned kind);

/* What is known of one packet. */
typedef struct {
    uint32_t index, frame;
    uint32_t assoc;     /* SCTPA_NO_ASSOC: too short, or no association can be named */
    uint8_t from;       /* sending end */
    uint16_t path;      /* of the sending end */
    uint16_t peer_path; /* of the receiving end, back to the packet's source; SCTPA_NO_PATH none */
    uint32_t pair;      /* index in ends[from].pairs */
    uint8_t remarks;    /* SCTPA_CAPTURE_ bits */
    sctpa_checksum_t checksum;
    bool has_auth;
    sctpa_auth_t auth;
    uint32_t setup_frame; /* first INIT of the association at or before this packet, 0 none */
    uint32_t restart_of;  /* known at this packet, or SCTPA_NO_ASSOC */
} sctpa_packet_result_t;

/* How often a remark was made, and first where. */
typedef struct {
    uint32_t count, first_frame;
} sctpa_quality_t;
/* Who sends by a timer of whole seconds, and is answered at once, has all stamps so near to whole seconds by any clock;
 * but each answer in the second of its request. An answer that takes whole seconds to within the width does so by
 * chance once in 250. */
enum { SCTPA_TICK_WIDTH_NS = 1000000, SCTPA_TICKS_LEAST = 3 };
enum { SCTPA_REFUSED_INITS_MAX = 16, SCTPA_REFUSED_REASON_BYTES = 32 };
enum { SCTPA_QUALITY_ZERO_CHECKSUM = SCTPA_CAPTURE_REMARKS, SCTPA_QUALITY_OTHER_MESSAGE, SCTPA_QUALITIES };

/* INITs that ICMP errors quote and the capture lacks, between two addresses and ports: destination unreachable. */
typedef struct {
    sctpa_addr_t source, destination, reporter; /* reporter: of the first error */
    uint16_t source_port, destination_port;
    uint32_t errors, first_frame;
    int64_t first_ns;
    char reason[SCTPA_REFUSED_REASON_BYTES]; /* "port unreachable", of the first */
} sctpa_refused_init_t;

typedef struct {
    uint32_t packets;                     /* SCTP packets fed, copies included */
    uint32_t unlabelled;                  /* of them, in no association */
    uint32_t icmp_errors, icmp_unmatched; /* unmatched: of no association, those of refused included */
    /* Pairs of addresses and ports. SCTPA_REFUSED_INITS_MAX of them are kept, by what came first, and behind them the
     * last of the others, which count as often as they follow one another. */
    uint32_t n_refused, refused_errors; /* refused_errors: about all of them */
    sctpa_refused_init_t refused[SCTPA_REFUSED_INITS_MAX + 1];
    int64_t first_ns, last_ns; /* of the packets fed */
    int64_t stamp_unit_ns;     /* what all stamps are multiples of, a power of ten, 1 us: that or less */
    /* Different whole seconds near which all stamps lie, within SCTPA_TICK_WIDTH_NS after or before: a clock of one
     * second, most likely; 0: there are fewer than SCTPA_TICKS_LEAST, or not all do, or fewer than SCTPA_TICKS_LEAST
     * answers are stamped in another second than what they answer, or none than all that it answers: the SACK before
     * was lost. */
    uint32_t ticks;
    bool has_more;                            /* a packet without DATA is among them */
    sctpa_quality_t quality[SCTPA_QUALITIES]; /* by capture remark bit, then SCTPA_QUALITY_ */
} sctpa_summary_t;

/* A new analysis. keys: sctpa_auth_key_t, copied; may be NULL. Free with sctpa_free. */
sctpa_t *sctpa_new(const sctpa_auth_key_t *keys, size_t n_keys);
void sctpa_free(sctpa_t *sctpa);

/* Which rules are judged: choice by level and name (at first all levels; none costs nothing), profile what endpoints
 * are held to (at first SCTPA_PROFILE_BOTH). Before the first packet. */
void sctpa_judge(sctpa_t *sctpa, const sctpa_rule_choice_t *choice, sctpa_profile_t profile);

/* Counts from now on at how many packets each rule applied (sctpa_occasions). After sctpa_judge, before the first
 * packet.
 */
void sctpa_count_occasions(sctpa_t *sctpa);

/* Keeps from now on what endpoints owed, and what became of it, also where nothing is asserted: 32 bytes for each,
 * twice that once the end was judged. After sctpa_judge, before the first packet. */
void sctpa_keep_owed(sctpa_t *sctpa);
bool sctpa_owed_is_kept(const sctpa_t *sctpa);
/* What the endpoints of an association owed when the end was judged last (sctpa_judge_end), in the order of the packets
 * that settled it, what stood at the end behind them. *n of them, 0: nothing, or it is not kept. O(log of all). */
const sctpa_owed_result_t *sctpa_owed(const sctpa_t *sctpa, uint32_t assoc, uint32_t *n);
/* The endpoint that owed it, as the association has its endpoints now. O(1). */
uint8_t sctpa_owed_by(const sctpa_t *sctpa, const sctpa_owed_result_t *owed);
/* What a packet settles, *n of them. O(log of all). */
const sctpa_owed_result_t *sctpa_packet_owed(const sctpa_t *sctpa, uint32_t index, uint32_t *n);

/* What the user asserts of the capture, from sctpa_assertions_new; NULL nothing. Takes it over. Before the first
 * packet.
 */
void sctpa_assert(sctpa_t *sctpa, sctpa_assertions_t *assertions);
/* What was asserted, and which packet refutes it. O(1). */
const sctpa_asserted_t *sctpa_asserted(const sctpa_t *sctpa);

/* A time as the analysis counts it: no farther than SCTPA_TIME_SPAN_NS from its first packet, so that differences of
 * such times, and a few times these, fit in 64 bits. For times of the capture that are compared with those of packets.
 * O(1). */
int64_t sctpa_time_within(const sctpa_t *sctpa, int64_t time_ns);

/* When the first and the last packet were captured, by the clock of the lowest interface, where associations were
 * captured near both endpoints; false: nowhere. O(associations). */
bool sctpa_span_by_one_clock(const sctpa_t *sctpa, int64_t *first_ns, int64_t *last_ns);

/* A time that was taken of a packet (frame) of an association, by that clock; the same where the association was not
 * captured near both endpoints. O(log packets). */
int64_t sctpa_time_by_one_clock(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, uint32_t frame, int64_t time_ns);
/* When an event happened, likewise: what shows it passed the tap near the endpoint whose path it is of, else the one
 * near its sender. O(log packets). */
int64_t sctpa_event_by_one_clock(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_event_t *event);
/* What HEARTBEATs of an endpoint to a path showed, as they and their answers passed the tap near it. O(1). */
const sctpa_probing_t *sctpa_path_probed(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end, unsigned path);

/* Takes the next packet in capture order. Returns its packet index (0, 1, ...). Bytes are not kept. Its time counts as
 * sctpa_time_within has it.
 * O(chunks + bytes for the checksum); memory: 40 bytes per packet, and what a new association, path or pair needs. */
uint32_t sctpa_feed(sctpa_t *sctpa, const sctpa_packet_t *packet);

/* The capture, as far as it was fed, ended at end_ns: judges what was owed by then and did not come, where the user
 * asserts a complete capture and where it was taken; by what is asserted of the time after it, too. The next packet
 * takes back what is found so, and a call again judges it anew. O(associations + what is owed); where what was owed is
 * kept, O(n log n) of all of it. */
void sctpa_judge_end(sctpa_t *sctpa, int64_t end_ns);

/* Takes an ICMP error that quotes an SCTP packet: an event of the association it names. O(1). */
void sctpa_feed_icmp(sctpa_t *sctpa, const sctpa_icmp_t *icmp);

/* Index of the nth (0, 1, ...) packet of a frame, or UINT32_MAX. O(log packets). */
uint32_t sctpa_packet_find(const sctpa_t *sctpa, uint32_t frame, uint32_t nth);
/* What is known of packet index. False when there is no such packet. O(1). */
bool sctpa_packet_result(const sctpa_t *sctpa, uint32_t index, sctpa_packet_result_t *result);

/* What a DATA or I_DATA chunk of the packet was. False: not tracked. O(log TSNs lifted + log transmissions). */
bool sctpa_data_result(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, const sctpa_tlv_t *chunk,
                       sctpa_data_result_t *result);
/* What a SACK of the packet, number order (0, 1, ...) among them, newly acked. False: not tracked. O(log SACKs + gap
 * blocks). */
bool sctpa_sack_result(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, const sctpa_tlv_t *chunk,
                       uint16_t order, sctpa_sack_result_t *result);
/* What was outstanding after the packet, and the round trips that it ended. O(log samples). */
bool sctpa_flow_result(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, sctpa_flow_result_t *result);
/* The TSNs of the data that an end sent in a packet: the lowest, relative, and how many. False: it holds none that is
 * tracked. O(TSNs outstanding then), at most SCTPA_PAST_TSNS (data/past.h), for each O(log transmissions). */
bool sctpa_packet_tsns(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet, int64_t *first,
                       uint32_t *count);
/* What the transmission of a TSN, relative, in a packet was, and what became of the TSN. False: it was not in it.
 * O(log transmissions). */
bool sctpa_tsn_result(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t tsn, uint32_t packet,
                      sctpa_tsn_result_t *result);
/* The user message that a TSN is a fragment of. False, and cost: as sctpa_user_message_with; false where acks may be
 * missing, too. */
bool sctpa_user_message_of(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t tsn,
                           sctpa_user_message_t *message);
/* What the SACKs of a packet say of the data that an end sent. False: it holds none that is tracked. O(log SACKs). */
bool sctpa_packet_sack(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet, sctpa_packet_sack_t *sack);
/* What the sender had before it at a moment. False: no packet of the association is near before that, acks may be
 * missing, or too many TSNs were outstanding (data/past.h). O(log packets + packets of others in between + TSNs
 * outstanding), bounded. */
bool sctpa_sender_state(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t time_ns,
                        sctpa_sender_state_t *state);
/* The same of one of its paths, after packet, the last of the association by then; RTO and timer only with_rto, whose
 * first answer costs as sctpa_rto_before_ns. O(log records + TSNs and transmissions since the last ack of the path),
 * bounded. */
void sctpa_sender_path(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet,
                       int64_t time_ns, bool with_rto, sctpa_sender_path_t *state);
/* The packet since which what an end sent waits for an ack of something new: the last such ack, or the first
 * transmission of the oldest TSN outstanding where that is later. SCTPA_NO_PACKET_INDEX: nothing is outstanding, or
 * acks may be missing. O(1). */
uint32_t sctpa_waits_since(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* Whose data a packet is about: its sender's where it has DATA or I_DATA or no SACK, else its receiver's. O(1). */
uint8_t sctpa_packet_data_end(const sctpa_t *sctpa, uint32_t index);
/* Frame (0: SCTPA_NO_PACKET_INDEX) and time of a packet by its index. */
uint32_t sctpa_packet_frame(const sctpa_t *sctpa, uint32_t index);
int64_t sctpa_packet_time_ns(const sctpa_t *sctpa, uint32_t index);
/* The packet as stored: time, length, flight. */
const sctpa_stamp_t *sctpa_packet_stamp(const sctpa_t *sctpa, uint32_t index);
/* Where the packets of an association were captured. */
typedef enum {
    SCTPA_TAPS_ONE,
    SCTPA_TAPS_TWO,    /* in a file of two captures: each end's data is that which the tap near it shows */
    SCTPA_TAPS_UNCLEAR /* at several places, and it is not known which is near which end: by first sightings */
} sctpa_taps_t;
/* As of the packets fed so far. O(1). */
sctpa_taps_t sctpa_taps(const sctpa_t *sctpa, uint32_t assoc);
/* The data that an end sent and how it was acked; NULL: none of either was seen. Where two taps saw it, as the one near
 * the end shows it. O(1). */
const sctpa_direction_t *sctpa_direction(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* The same as the tap near its receiver shows it. O(1). */
const sctpa_direction_t *sctpa_direction_at_receiver(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* Does the packet show what its data, or the data that it acknowledges, is: of end's? One that the capture holds twice
 * does so where it passed near end; the other times it is a duplicate, or a packet that had not arrived. O(1). */
bool sctpa_packet_shows(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint8_t end);
/* Is it one of the packets among which the end's data stands in sctpa_direction: not a stray, and of two taps as the
 * one near the end showed it, of one no duplicate? O(1). */
bool sctpa_packet_is_near(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint8_t end);
/* What the series of the data that an end sent are made from (measure/series/series.h); valid as long as the analysis.
 * start_ns: of the capture. O(1). */
sctpa_series_source_t sctpa_series_source(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, int64_t start_ns);

/* The ladder of an association. Valid as long as the analysis stays as it is; free with sctpa_ladder_free.
 *
 * A packet with data counts as lost where some of its data was retransmitted and a retransmission was needed
 * (sctpa_rtx_shows_loss), and nothing in it was acknowledged before: at most, since a capture near the sender does not
 * show whether the packet was lost or its acknowledgement; what was given up instead (RFC 3758) counts as unknown.
 * Where two taps show the packets, one of any kind but ABORT and SHUTDOWN COMPLETE is lost that passed the tap near its
 * sender and not the other one, while that showed packets of the same endpoint before and after. What else may have
 * been lost is not known.
 *
 * O(packets of the capture while the association lasts + n log n for its n packets and TSNs). Memory: 56 bytes a
 * packet, 0.6 for counts, and 4 more where times are out of packet order. */
sctpa_ladder_t *sctpa_ladder(const sctpa_t *sctpa, uint32_t assoc);

/* The numbers of what an end sent, of the selected packets (NULL: all); free with sctpa_measure_free. Drawn anew each
 * time: O(n log n) for n TSNs, transmissions and SACKs of the direction, whatever else the capture holds. */
sctpa_measure_t *sctpa_measure(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const sctpa_packets_t *selected);
/* Its streams of which something is selected: sctpa_stream_t in order of id; g_array_unref frees all. Cost as
 * sctpa_measure. */
GArray *sctpa_streams(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, const sctpa_packets_t *selected);
/* Calls each with the user messages that an end sent, as sctpa_user_messages_each; never where none was seen, or where
 * acks may be missing (sctpa_assoc_is_data_only). */
void sctpa_each_user_message(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_user_message_fn each, void *user);
/* How long the messages that an end sent took, of the selected packets (NULL: all), by stream and PPID; budget_ns: what
 * takes longer is late. streams: where sctpa_streams of the same walk is put, NULL nowhere. sctpa_message_delays_free;
 * NULL as above. Cost as sctpa_message_delays_measure. */
sctpa_message_delays_t *sctpa_message_delays(const sctpa_t *sctpa, uint32_t assoc, uint8_t end,
                                             const sctpa_packets_t *selected, int64_t budget_ns, GArray **streams);
/* The handovers of the data that an end sent, of the whole association: sctpa_handover_t in order; g_array_unref. Good
 * until the next packet is fed. Cost as sctpa_handovers_measure. */
GArray *sctpa_handovers(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* How long the packets of a path of an end took from tap to tap, of the whole association. False: one tap, or no packet
 * at both. Cost as sctpa_tap_delay_measure. */
bool sctpa_tap_delay(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, sctpa_tap_delay_t *delay);
/* The parameters that an end shows, of the whole association. Cost as sctpa_measure, for both directions. */
void sctpa_learned(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_learned_t *learned);
/* Why the association was aborted; UNEXPLAINED where it was not. Cost as sctpa_abort_reason_of. */
sctpa_abort_t sctpa_abort_reason(const sctpa_t *sctpa, uint32_t assoc);
/* What passed after the ABORT that ended the association, as far as it shows whether it was taken; all 0: nothing did.
 * O(1). */
const sctpa_after_abort_t *sctpa_after_abort(const sctpa_assoc_t *assoc);
/* Streams that one endpoint asked to reset and its peer did not, up to now: *n of them. O(1). */
const sctpa_half_closed_t *sctpa_half_closed(const sctpa_assoc_t *assoc, uint32_t *n);
/* The request of RE_CONFIG of endpoint asker that its peer answers by "In progress", up to now; answers 0: none. O(1).
 */
const sctpa_in_progress_t *sctpa_in_progress(const sctpa_assoc_t *assoc, uint8_t asker);
/* SHUTDOWNs and SHUTDOWN ACKs of an endpoint since its peer sent anything else, up to now. O(1). */
const sctpa_closing_t *sctpa_closing(const sctpa_assoc_t *assoc, uint8_t end);
/* The reference sender that fits what an end sent; false: nothing decides which does. O(1). */
bool sctpa_sender_fit(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_sender_fit_t *fit);
/* The RTO of a path of the end's data, by RFC 9260 6.3.1 with RTO.Initial, RTO.Min and RTO.Max as sctpa_learned gives
 * them. Whoever asks first after a packet pays what learning these costs, for one direction; then:
 *
 * after packet; false: no round trip and no timeout of the path by then. first_pass: packet is the one just fed, and of
 * the parameters is known what needs no walk over records: RTO.Initial, and that timeouts came sooner than the RFC's
 * RTO.Min. O(log samples + log packets), in the first pass nothing else. */
bool sctpa_rto_at(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet, bool first_pass,
                  sctpa_rtos_t *rtos);
/* Before packet, RTO.Initial where nothing was measured by then; 0: no data of the end is known. O(log samples). */
int64_t sctpa_rto_before_ns(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet);
/* Calls visit with the RTO of its path after each round trip and each timeout, in order. O(samples). */
void sctpa_rtos(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rto_visit_fn visit, void *user);
/* RTT from the tap to an end, by its answers and those of its host in other associations; the same as far as it was
 * measured, -1 unknown. O(1). */
sctpa_tap_rtt_t sctpa_tap_rtt(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
int64_t sctpa_tap_rtt_ns(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* Are addresses of an end translated on their way past the tap? Unknown: they seem to be, but the capture lacks what
 * the end listed. O(addresses). */
sctpa_known_t sctpa_translated(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* What the capture lacks of an end to its end, as its peer shows. O(pairs), bounded. */
sctpa_unseen_rest_t sctpa_unseen_rest(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* Do the clocks of an association's two directions differ, as answers show that are stamped before what they answer?
 * *difference is set where they do. O(1). */
bool sctpa_clock_difference(const sctpa_t *sctpa, uint32_t assoc, sctpa_clock_difference_t *difference);

/* What the model found in an association, in order of first occurrence, first and next; NULL: no more. What needs a
 * complete capture is withheld when this one turned out not to be. O(findings). */
const sctpa_finding_t *sctpa_finding_first(const sctpa_t *sctpa, uint32_t assoc);
const sctpa_finding_t *sctpa_finding_next(const sctpa_t *sctpa, uint32_t assoc, const sctpa_finding_t *finding);
/* Finding number nth (0, 1, ...) that the packet completed an occurrence of; NULL: no more. O(log occurrences). */
const sctpa_finding_t *sctpa_packet_finding(const sctpa_t *sctpa, uint32_t index, unsigned nth);
/* The next event of its association that the packet made certain; *at 0 before the first, then as it was left. NULL: no
 * more. O(log events); O(events) in all for a packet that made one certain which stands at an earlier frame
 * (failovers). */
const sctpa_event_t *sctpa_packet_event(const sctpa_t *sctpa, const sctpa_packet_result_t *packet, uint32_t *at);
/* Index of the first event of the association at frame or later. O(log events). */
uint32_t sctpa_assoc_event_from(const sctpa_assoc_t *assoc, uint32_t frame);
/* Every packet that completed an occurrence, ascending by packet; *n of them. Those of findings withheld are among
 * them, and some without finding, whose association was forgotten. O(1). */
const sctpa_mark_t *sctpa_marks(const sctpa_t *sctpa, uint32_t *n);
/* What became of the rules at an end. O(rules). */
sctpa_judgement_t sctpa_judgement(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* The implementation that an end seems to be; name NULL: not known. O(1). */
sctpa_stack_t sctpa_stack(const sctpa_t *sctpa, uint32_t assoc, uint8_t end);
/* The states (bits 1 << sctpa_state_t) that an end may be in after a packet of its association. O(log changes). */
uint16_t sctpa_states(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint32_t packet);
/* Every change of these, of both ends, in order of packet: *n of them; NULL none. Good until the next packet. O(1). */
const sctpa_states_change_t *sctpa_state_changes(const sctpa_t *sctpa, uint32_t assoc, uint32_t *n);
/* The reference sender of a path of an end after a packet. False: no DATA had gone there by then. O(log changes). */
bool sctpa_congestion(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, uint16_t path, uint32_t packet,
                      sctpa_congestion_t *congestion);
/* Was the rule judged at an end, whether broken or not? O(1). */
bool sctpa_has_judged(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule);
/* Did the capture begin before the RFC of a rule was published (sctpa_rfc_of)? No where its times begin before SCTP, as
 * those of clocks that nobody set. O(RFCs). */
bool sctpa_predates_rfc(const sctpa_t *sctpa, sctpa_rule_t rule);
/* Had the rule an occasion at an end, but never what it needs? O(1). */
bool sctpa_has_refused(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_t rule);
/* Violations by an end that stand in no finding, by rule: the first (before NULL), or the one after before; NULL no
 * more. O(entries + findings). */
const sctpa_unlisted_t *sctpa_unlisted(const sctpa_t *sctpa, uint32_t assoc, uint8_t end,
                                       const sctpa_unlisted_t *before);
/* At how many packets each rule applied at an end, in of_rules, which has room for SCTPA_RULES: for rules judged there
 * (sctpa_has_judged) judged, for others (sctpa_has_refused) refused and lacked; of the rest nothing. Returns the
 * packets of the association that are not counted: all without sctpa_count_occasions, else 0 but where a capture is
 * made to have many kinds (occasions.h). O(kinds of its packets * rules of each). */
uint32_t sctpa_occasions(const sctpa_t *sctpa, uint32_t assoc, uint8_t end, sctpa_rule_occasions_t *of_rules);

/* Associations are numbered 0 .. count-1. A half whose other half was found later has merged_into set and no contents.
 */
uint32_t sctpa_assoc_count(const sctpa_t *sctpa);
const sctpa_assoc_t *sctpa_assoc(const sctpa_t *sctpa, uint32_t number);

/* How an association ended, if the capture ends at end_ns (0, or earlier than the last packet fed: with that packet),
 * which alone shows that there was no answer, or that it failed; and its last packet. O(pairs), bounded. */
sctpa_outcome_t sctpa_outcome(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, int64_t end_ns);
/* From its first packet to its last; what was captured near both endpoints, as it passed near end 0. O(1). */
int64_t sctpa_assoc_span_ns(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome);
/* How long it lasted, to what ended it, else to its last packet; what was captured near both endpoints, as it passed
 * near end 0. O(1). */
int64_t sctpa_assoc_life_ns(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, const sctpa_outcome_t *outcome);
/* Everything that an end sent, that was sent from a pair's source to its destination, up to now. O(pairs), bounded. */
void sctpa_end_counts(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end, sctpa_counts_copy_t *counts);
void sctpa_pair_counts(const sctpa_t *sctpa, const sctpa_pair_t *pair, sctpa_counts_copy_t *counts);
/* Packets that an end sent, by the kind of their checksum. O(pairs), bounded. */
void sctpa_end_checksums(const sctpa_t *sctpa, const sctpa_assoc_t *assoc, unsigned end,
                         uint32_t checksums[SCTPA_CHECKSUMS]);

sctpa_setup_seen_t sctpa_assoc_setup_seen(const sctpa_assoc_t *assoc);
/* The set-up as it passed; where two taps saw it, the one near its initiator, unless that lacks a step which it must
 * have had. Steps, times and frames. O(1). */
const sctpa_setup_t *sctpa_assoc_setup(const sctpa_assoc_t *assoc);
/* From the first INIT to the first COOKIE ACK of sctpa_assoc_setup, or -1. */
int64_t sctpa_assoc_setup_ns(const sctpa_assoc_t *assoc);
/* The end that sent the first INIT, SCTPA_NO_END when none was seen. */
static inline uint8_t sctpa_assoc_initiator(const sctpa_assoc_t *assoc)
{
    return assoc->setup.steps[SCTPA_STEP_INIT].count > 0 ? assoc->setup.steps[SCTPA_STEP_INIT].by : SCTPA_NO_END;
}

/* The role of an end in the set-up: "initiator", "responder", "either" where both sent an INIT (RFC 9260 5.2.1), since
 * which came first is chance, or "unknown" when no INIT was seen. */
const char *sctpa_end_role_word(const sctpa_assoc_t *assoc, uint8_t end);
/* The words of reports and JSON: "ip", "shutdown", "complete", "address_added", ... */
const char *sctpa_encapsulation_word(sctpa_encapsulation_t encapsulation);
const char *sctpa_assoc_end_word(sctpa_assoc_end_t end);
const char *sctpa_setup_seen_word(sctpa_setup_seen_t seen);
const char *sctpa_event_word(sctpa_event_kind_t kind);

const sctpa_summary_t *sctpa_summary(const sctpa_t *sctpa);
/* Where its clock most likely stepped forward, or its host slept, as far as known now: nothing passed for longer than
 * T3-rtx of an endpoint can have run, its data was outstanding all the time, and it retransmitted nothing. O(1). */
const sctpa_clock_steps_t *sctpa_clock_steps(const sctpa_t *sctpa);

/* --- Forgetting, for captures that do not end: associations that are over, and parts of those that hold too much.
 * Whoever uses it reports each right before; nothing leads to it later (sctpa_forget of analysis.h). --- */

typedef struct sctpa_forgetting sctpa_forgetting_t;

/* How long an association that ended is kept for packets that come late: twice RTO.Max, in which a peer repeats what it
 * lacks an answer to. It is looked for so often, too, so that it may be twice as long. */
#define SCTPA_LATE_PACKETS_NS (2 * SCTPA_RTO_MAX_NS)

typedef enum {
    SCTPA_FORGOTTEN_ENDED, /* as its outcome says */
    SCTPA_FORGOTTEN_IDLE,  /* silent for so long that nobody waits for it */
    SCTPA_FORGOTTEN_PART   /* it goes on, as an association whose set-up was not captured: all held too much */
} sctpa_forgotten_t;

/* Called right before an association is forgotten. */
typedef void (*sctpa_forgotten_fn)(void *user, uint32_t assoc, sctpa_forgotten_t why);

/* idle_ns: silence after which an association that has not ended is forgotten, at least SCTPA_LATE_PACKETS_NS counts.
 * held_bytes_max: of all associations with their packets. Beyond it those that have hardly begun are forgotten first,
 * then parts of one whose data is all acknowledged, once it holds more than others on average; beyond a quarter more
 * the largest, whatever is outstanding; each time until three quarters are left. Before the first packet; free before
 * the analysis. */
sctpa_forgetting_t *sctpa_forgetting_new(sctpa_t *sctpa, int64_t idle_ns, size_t held_bytes_max, sctpa_forgotten_fn fn,
                                         void *user);
void sctpa_forgetting_free(sctpa_forgetting_t *forgetting);

/* Time goes on to that of a frame; assoc: of the packet just fed, SCTPA_NO_ASSOC none. Silence counts as at most
 * SCTPA_LATE_PACKETS_NS between two frames, and going back in time as none, so that a clock that steps ends nothing.
 * Each association is looked at once in SCTPA_LATE_PACKETS_NS: O(1) a frame, amortised; O(associations * log) when
 * parts are forgotten beyond the quarter, which takes an eighth of held_bytes_max again. Memory: 96 bytes an
 * association, and an eighth of held_bytes_max for what leads from later parts to earlier ones; both count as held. */
void sctpa_forgetting_pass(sctpa_forgetting_t *forgetting, uint32_t assoc, int64_t time_ns);

/* The association of which this one is a later part, SCTPA_NO_ASSOC: none. O(1). */
uint32_t sctpa_forgetting_continues(const sctpa_forgetting_t *forgetting, uint32_t assoc);
/* Did an association get no further than INIT and INIT ACK, or has but one endpoint sent, in no more packets than these
 * two with all their retransmissions? A flood makes such at a packet or two each. O(pairs of addresses), bounded. */
bool sctpa_has_hardly_begun(const sctpa_t *sctpa, const sctpa_assoc_t *assoc);
/* Associations that are watched, some of them for up to SCTPA_LATE_PACKETS_NS after they were joined to others; the
 * time that has passed, as silence counts. O(1). */
uint32_t sctpa_forgetting_living(const sctpa_forgetting_t *forgetting);
int64_t sctpa_forgetting_clock_ns(const sctpa_forgetting_t *forgetting);
/* Bytes that associations and their packets hold. O(1). */
size_t sctpa_forgetting_held_bytes(const sctpa_forgetting_t *forgetting);

#endif
