/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a packet is to the reference endpoints and to the rules: the packet and its chunks, its association as the
 * tracker left it, what the tap knows, and the reference endpoints. Rules only read it. Leaves out who is reported for
 * what. */
#ifndef SCTPA_MODEL_CONTEXT_H
#define SCTPA_MODEL_CONTEXT_H

#include "base/numbers.h"
#include "track/endpoints.h"
#include "track/tracker.h"
#include "negotiated.h"
#include "reference.h"
#include <stdbool.h>
#include <stdint.h>

/* A TSN as part of a message, or as all of it: 24 bytes. */
typedef struct {
    int64_t tsn;        /* relative */
    uint32_t packet;    /* of its first transmission */
    uint32_t ssn, ppid; /* as in sctpa_tsn_t */
    uint16_t stream;
    uint8_t flags; /* SCTPA_TSN_ bits */
    bool is_known;
} sctpa_fragment_t;

/* What RFC 9260 3.3.1 and 6.9 do not allow of DATA after the TSN before it, ... */
typedef enum {
    SCTPA_MISPLACED_PPID,     /* goes on with its message, with another PPID */
    SCTPA_MISPLACED_MESSAGE,  /* begins no message, and is not of the one before it, which has not ended */
    SCTPA_MISPLACED_APART,    /* goes on with a message whose last fragment is not the TSN before it */
    SCTPA_MISPLACED_NO_BEGIN, /* begins no message, though the one before it has ended */
    SCTPA_MISPLACED_NO_END,   /* begins a message, though the one before it has not ended */
    /* ... and RFC 8260 2.1 and 2.2.2 of new I-DATA after the TSN before it on its stream */
    SCTPA_MISPLACED_INTERLEAVED, /* begins no message, and is not of the one before it */
    SCTPA_MISPLACED_BITS,        /* has the same MID, and begins inside the message, or goes on after its end */
    SCTPA_MISPLACED_MID,         /* begins a message whose MID is not the next one, nor 0 */
    SCTPA_MISPLACED_KINDS
} sctpa_misplaced_kind_t;

/* How DATA follows the TSN before it; bits below these: 1 << sctpa_misplaced_kind_t. */
enum {
    SCTPA_FOLLOWS_MESSAGE = 0x100,  /* begins a message, and the one before it has ended */
    SCTPA_FOLLOWS_FRAGMENT = 0x200, /* goes on with the message of the TSN before it */
    SCTPA_FOLLOWS_HOLE = 0x400,     /* a message has not ended, and the TSN after it did not pass, though others did */
    SCTPA_FOLLOWS_NO_SSN = 0x800,   /* the first ordered message of a stream, where all TSNs before it passed */
    SCTPA_FOLLOWS_SSN = 0x1000,     /* an ordered message, where the one before it on its stream is known */
    SCTPA_FOLLOWS_I_DATA = 0x2000   /* new I-DATA, where the TSN before it on its stream is known and I-DATA */
};

typedef struct {
    int64_t tsn;             /* relative */
    sctpa_fragment_t before; /* that it is compared with */
} sctpa_misplaced_t;

/* An ordered message whose SSN is not the one that comes next on its stream. */
typedef struct {
    int64_t tsn;     /* relative, of its first fragment */
    uint32_t packet; /* of that one's first transmission */
    uint16_t stream, expected, seen;
    bool is_first; /* of its stream */
    bool is_waiting;
} sctpa_wrong_ssn_t;

/* The TSNs that a packet made known in their order: its own, and those that passed before and waited for it. */
typedef struct {
    uint32_t follows;                                   /* SCTPA_FOLLOWS_ and SCTPA_MISPLACED_ bits of all of them */
    sctpa_misplaced_t misplaced[SCTPA_MISPLACED_KINDS]; /* the first of each kind; only where the bit is set */
    /* of its peer, and that the packet acknowledges; NULL none, or messages before it may have been given up or streams
     * reset */
    const sctpa_wrong_ssn_t *wrong_ssn;
} sctpa_reached_t;

/* What the first FORWARD-TSN or I-FORWARD-TSN of a packet lists of the messages that it skips: TSNs that were sent and
 * are missing at the receiver. */
typedef struct {
    bool is_compared;        /* all that it lists was captured, and its TSNs are known */
    bool has_listed;         /* a TSN is of a stream that is listed, and no RE-CONFIG may have reset that */
    bool lacks_stream;       /* tsn is of a stream that is not listed */
    bool lacks_sequence;     /* tsn has a higher SSN or MID than is listed for its stream */
    int64_t tsn;             /* the first that is not listed as it must be, relative */
    uint32_t listed;         /* the highest SSN or MID that is listed for its stream */
    bool is_surely_missing;  /* the TSN, whatever SACKs the capture missed */
    bool is_above_sent;      /* a number is listed that no message of its stream up to the New Cumulative TSN has */
    uint32_t above;          /* that number, ... */
    uint32_t above_stream;   /* ... and SID of the stream, with the U bit above it */
    const sctpa_tsn_t *last; /* of the last message of that stream, NULL none was sent */
} sctpa_skipped_t;

/* How the first data of an endpoint looks (chapters/data_sender.c), with the packet. */
typedef struct {
    bool ends_chunks, ends_messages; /* the packet holds the last of its first chunks, of its first messages */
    uint8_t immediate, reversed, foreign, unspecified; /* chunks with the I bit; messages by their PPID */
    uint32_t ppid;                                     /* of the last of these messages in the packet */
} sctpa_beginning_t;

/* The window of the peer that new data leaves into (chapters/data_sender.c). */
typedef struct {
    uint32_t a_rwnd_bytes, packet; /* the largest that the sender may go by, and the packet of its SACK */
    uint32_t new_bytes;            /* user bytes of the packet that leave for the first time */
    bool is_beyond;                /* more is outstanding, by more than an overshoot or a probe of a closed window */
    bool was_beyond;               /* so it was with an earlier packet, and no SACK came since */
    bool is_full; /* as much was outstanding before, not nothing, where all SACKs that passed reached the sender, ... */
    bool is_surely_full; /* ... however late it takes them */
} sctpa_usable_window_t;

/* An INIT or INIT ACK: 48 bytes. */
typedef struct sctpa_announcement {
    struct sctpa_announcement *before; /* the one that passed before it, of either endpoint */
    uint64_t cookie;                   /* hash of the State Cookie */
    uint32_t vtag, tag, initial_tsn, packet;
    uint16_t outbound, inbound;
    uint16_t pair; /* of the sending endpoint */
    uint8_t from;
    bool is_ack : 1, has_cookie : 1, is_whole : 1, has_host_name : 1;
} sctpa_announcement_t;

/* A COOKIE ECHO by the INIT ACKs that its sender can have received. */
typedef struct {
    uint64_t cookie;                  /* hash */
    const sctpa_announcement_t *same; /* the INIT ACK with this cookie, and this tag if there is one; NULL none */
    bool is_whole;                    /* the COOKIE ECHO was captured whole */
    bool is_tag_known;                /* an INIT ACK announced the tag that the packet carries */
    bool is_tag_same;                 /* same announced it */
    bool are_acks_whole;              /* all INIT ACKs were captured whole and have a cookie */
} sctpa_echo_t;

struct sctpa_receiver;

/* A SACK that a receiver of data owes. */
typedef struct {
    int64_t waited_ns;     /* since the first packet with DATA passed that no SACK answered */
    uint32_t packets;      /* such packets, 0: none is owed */
    uint32_t since_packet; /* the first of them */
    uint8_t at_once;       /* why the first asks for one at once (SCTPA_ARRIVED_ bits), 0: it may be delayed */
} sctpa_sack_owed_t;

/* What the SACK of a packet, its first one, is to the receiver that sends it. */
typedef struct {
    sctpa_sack_owed_t owed;            /* before the packet */
    const sctpa_sack_record_t *before; /* the SACK before it, NULL none passed */
    uint8_t is;                        /* SCTPA_SACK_ bits, 0: no SACK of a receiver that is followed */
} sctpa_sack_answer_t;

/* What a packet holds, beyond the types of its chunks: bits by which a rule is passed over before it is called. */
typedef enum {
    SCTPA_FACT_NEW_DATA = 0x01,        /* a DATA chunk in its first transmission */
    SCTPA_FACT_RTX = 0x02,             /* a retransmission */
    SCTPA_FACT_NEWLY_ACKED = 0x04,     /* a SACK that newly acknowledges something */
    SCTPA_FACT_GAP_BLOCKS = 0x08,      /* a SACK with Gap Ack Blocks */
    SCTPA_FACT_DUPLICATE_TSNS = 0x10,  /* a SACK that reports duplicates */
    SCTPA_FACT_CONTROL = 0x20,         /* a chunk other than DATA, I_DATA, SACK and NR_SACK */
    SCTPA_FACT_DUPLICATES_OWED = 0x40, /* an endpoint was sent duplicates that no SACK answered, or listed, so far */
    /* By what is known of the endpoints, once that took the packet. */
    SCTPA_FACT_FRAGMENTS = 0x100,      /* TSNs in their order that are parts of messages (message_order.h) */
    SCTPA_FACT_FIRST_SSN = 0x200,      /* the SSN of the first message of a stream, known to be right or wrong, ... */
    SCTPA_FACT_NEXT_SSN = 0x400,       /* ... and that of a later one (message_order.h) */
    SCTPA_FACT_FIRST_DATA = 0x800,     /* the last of the first data (data_sender.c) */
    SCTPA_FACT_USABLE_WINDOW = 0x1000, /* new data into a window that is known (data_sender.c) */
    SCTPA_FACT_FORWARDED = 0x2000,     /* DATA whose sender sent a FORWARD-TSN before (forward_tsns.h) */
    SCTPA_FACT_I_MESSAGES = 0x4000     /* new I-DATA after other I-DATA of its stream (message_order.h) */
} sctpa_fact_t;

typedef struct {
    sctpa_reference_store_t *store;
    sctpa_reference_t *reference; /* of the association */
    sctpa_tracker_t *tracker;
    sctpa_tracked_t *tracked; /* as after the packet; read only */
    const sctpa_assoc_t *assoc;
    const sctpa_packet_t *packet;
    const sctpa_record_t *record;
    uint32_t index;  /* packet index */
    uint8_t from;    /* sending end */
    bool is_stray;   /* its tag is wrong (identity_parts.h): only rules about that are asked */
    uint8_t accused; /* endpoint that a rule is asked about; from, unless its row says otherwise */
    uint16_t path;   /* of the sending end */
    const sctpa_direction_t *sent, *acked; /* data of the sending endpoint, of its peer; NULL none seen */
    /* all of the packet: up to 16,380 in 64 KiB, so that what looks at each must not look at the others */
    const sctpa_observed_t *chunks;
    unsigned n_chunks;
    const sctpa_observed_t *chunk;      /* that a rule is asked about (SCTPA_WHEN_CHUNK, SCTPA_WHEN_PARAM) */
    const sctpa_tlv_t *param;           /* parameter or cause of it that a rule is asked about (SCTPA_WHEN_PARAM) */
    const sctpa_observed_t *first_data; /* the first DATA or I_DATA with a TSN, NULL none */
    const sctpa_observed_t *first_sack; /* the first SACK or NR_SACK that sctpa_sack_parse reads, NULL none */
    sctpa_sack_t sack;                  /* of first_sack */
    unsigned n_sacks;                   /* SACK and NR_SACK chunks that sctpa_sack_parse reads */
    unsigned auth_at;                   /* the first AUTH among the chunks, n_chunks none */
    uint64_t rows;                      /* SCTPA_CHUNK_ROW_ bits of them */
    uint32_t facts;                     /* SCTPA_FACT_ bits */
    const struct sctpa_asconf_chunk *asconf_chunk; /* what chunk holds of address reconfiguration (chapters/asconf.c) */
    bool has_announced, has_echo, has_values;      /* of the following */
    sctpa_announcement_t announced;                /* the packet's INIT or INIT ACK; before is not set */
    /* with announced: the last INIT that an INIT ACK answers, NULL: none was kept, or more INIT ACKs than INITs passed,
     * or its sender sent an INIT itself (a collision) */
    const sctpa_announcement_t *answered;
    sctpa_echo_t echo; /* its COOKIE ECHO */
    /* by endpoint, at the first COOKIE ACK of an association: tags and Initial TSNs that its address announced, NULL
     * where this association adds none (chapters/setup.c) */
    const struct sctpa_announced_values *tags[2], *initial_tsns[2];
    sctpa_reached_t reached; /* TSNs of its sender, once their order took it */
    sctpa_skipped_t skipped; /* by its FORWARD-TSN, once that was compared */
    /* by endpoint, never NULL (receiver.h): as before the packet, until the rules for receivers were asked */
    const struct sctpa_receiver *receivers[2];
    sctpa_sack_answer_t answer;
    const struct sctpa_due *due;         /* what is owed that a rule is asked about (SCTPA_WHEN_DUE) */
    uint64_t unasked;                    /* rows of answers that nothing asked for (shared/obligations.h) */
    sctpa_beginning_t beginning;         /* of its sender; only with SCTPA_FACT_FIRST_DATA */
    sctpa_usable_window_t usable_window; /* of its sender; only with SCTPA_FACT_USABLE_WINDOW */
} sctpa_context_t;

/* Fills all but store, reference, and what receivers are (sctpa_receiver_observe). O(chunks). */
void sctpa_context_begin(sctpa_context_t *c, sctpa_tracker_t *tracker, const sctpa_packet_t *packet, uint32_t index);

/* A part of the packet's association: NULL not made; made now if need be, one that owns what free_owned gives back
 * (sctpa_reference_make), and one that leads to nothing. O(1). */
static inline void *sctpa_context_find_part(const sctpa_context_t *c, sctpa_part_t part)
{
    return sctpa_reference_part(c->reference, part);
}
/* What a part, which begins with an array of two objects of bytes, keeps of an endpoint; nothing where it is not made.
 * O(1). */
static inline const void *sctpa_context_part_of(const sctpa_context_t *c, sctpa_part_t part, unsigned endpoint,
                                                size_t bytes, const void *nothing)
{
    const uint8_t *made = sctpa_context_find_part(c, part);
    return made ? made + endpoint * bytes : nothing;
}
static inline void *sctpa_context_make_part(const sctpa_context_t *c, sctpa_part_t part, uint32_t bytes,
                                            sctpa_part_free_t free_owned)
{
    void *made = sctpa_context_find_part(c, part);
    return made ? made : sctpa_reference_make(c->store, c->reference, part, bytes, free_owned);
}
/* Macros, so that a part which outgrows its bytes is not compiled. */
#define sctpa_context_owning_part(c, part, bytes, free_owned) \
    ((void)sizeof(struct { \
         _Static_assert((bytes) <= part##_BYTES, #part " needs more bytes in parts.def"); \
         char is_made; \
     }), \
     sctpa_context_make_part(c, part, bytes, free_owned))
#define sctpa_context_part(c, part, bytes) sctpa_context_owning_part(c, part, bytes, NULL)

/* The parameters, or causes, of c->chunk, and of any chunk of the packet. O(1). */
static inline const sctpa_param_list_t *sctpa_context_params_of(const sctpa_context_t *c, const sctpa_observed_t *chunk)
{
    return sctpa_observed_params(&c->tracker->observation, chunk);
}
static inline const sctpa_param_list_t *sctpa_context_params(const sctpa_context_t *c)
{
    return sctpa_context_params_of(c, c->chunk);
}
/* The first of c->chunk with a row (SCTPA_PARAM_ROW_), NULL none. O(1) where there is none, else O(parameters). */
static inline const sctpa_tlv_t *sctpa_context_param(const sctpa_context_t *c, unsigned row)
{
    return sctpa_param_list_find(sctpa_context_params(c), row);
}

/* Is the packet an INIT alone, the first one of its association? */
static inline bool sctpa_context_is_first_init(const sctpa_context_t *c)
{
    return c->rows == SCTPA_ROW(INIT) && c->assoc->setup.steps[SCTPA_STEP_INIT].count == 1;
}

/* The first chunk of a row in the packet (SCTPA_CHUNK_ROW_), NULL none. O(chunks). */
const sctpa_observed_t *sctpa_context_observed(const sctpa_context_t *c, unsigned row);
/* Its framing. */
const sctpa_tlv_t *sctpa_context_chunk(const sctpa_context_t *c, unsigned row);
/* Did the peer answer a HEARTBEAT of the sender that the capture does not hold? O(paths), bounded. */
bool sctpa_context_has_unmatched_ack(const sctpa_context_t *c);
/* Chunks of a row that an endpoint sent, duplicates counted once: with those of the packet. O(1). */
static inline uint32_t sctpa_context_chunks(const sctpa_context_t *c, uint8_t endpoint, unsigned row)
{
    return sctpa_counts_chunks(c->assoc->ends[endpoint].settled, row);
}

/* Packets of an endpoint by their checksum, with this one. O(pairs of addresses), bounded. */
static inline void sctpa_context_checksums(const sctpa_context_t *c, uint8_t endpoint,
                                           uint32_t packets[SCTPA_CHECKSUMS])
{
    sctpa_flows_end_checksums(c->tracker, &c->assoc->ends[endpoint], packets);
}

/* Did an endpoint send a chunk of row from source to destination? NULL: any address. O(pairs of addresses), bounded. */
bool sctpa_context_has_sent(const sctpa_context_t *c, uint8_t endpoint, unsigned row, const sctpa_addr_t *source,
                            const sctpa_addr_t *destination);
/* How an endpoint came by an address: SCTPA_ADDR_ bits, 0 it has not got it. O(addresses), bounded. */
static inline uint32_t sctpa_context_addr_origin(const sctpa_context_t *c, uint8_t endpoint, const sctpa_addr_t *addr)
{
    return sctpa_end_addr_origin(&c->assoc->ends[endpoint], addr);
}
/* RTO of a path of c->sent or c->acked after a packet, as its timeouts show RTO.Min; 0: no round trip. O(log). */
int64_t sctpa_context_rto_ns(const sctpa_direction_t *data, uint16_t path, uint32_t packet);
/* Frame of a packet. */
static inline uint32_t sctpa_context_frame(const sctpa_context_t *c, uint32_t packet)
{
    return packet < c->tracker->records->len ? g_array_index(c->tracker->records, sctpa_record_t, packet).frame : 0;
}

/* Index of the first packet of a frame. O(log packets). */
static inline uint32_t sctpa_context_packet_of(const sctpa_context_t *c, uint32_t frame)
{
    return sctpa_record_from(c->tracker->records, frame);
}

/* The packet's Verification Tag; its header was captured. */
static inline uint32_t sctpa_context_vtag(const sctpa_context_t *c)
{
    return sctpa_be32(c->packet->bytes + 4);
}
/* Time of a packet. */
static inline int64_t sctpa_context_time_ns(const sctpa_context_t *c, uint32_t packet)
{
    return g_array_index(c->tracker->store.stamps, sctpa_stamp_t, packet).time_ns;
}
/* A time between the stamps of two packets, as short and as long as it may have been. Stamps are multiples of a unit,
 * and each packet may have passed later by less than that: whoever compares such a time with what must be longer, or
 * shorter, takes the one that speaks for the endpoint. No limit is as sharp as stamps of 1 us or finer. O(1). */
static inline int64_t sctpa_context_stamp_error_ns(const sctpa_context_t *c)
{
    const int64_t unit_ns = c->reference->tap.stamp_unit_ns;
    return unit_ns > SCTPA_STAMPS_FINE_NS ? unit_ns - 1 : 0;
}
static inline int64_t sctpa_context_least_ns(const sctpa_context_t *c, int64_t stamped_ns)
{
    return stamped_ns - sctpa_context_stamp_error_ns(c);
}
static inline int64_t sctpa_context_most_ns(const sctpa_context_t *c, int64_t stamped_ns)
{
    return stamped_ns + sctpa_context_stamp_error_ns(c);
}
/* Since a packet passed, at the least, and at the most. O(1). */
static inline int64_t sctpa_context_least_since_ns(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_context_least_ns(c, c->packet->time_ns - sctpa_context_time_ns(c, packet));
}
static inline int64_t sctpa_context_most_since_ns(const sctpa_context_t *c, uint32_t packet)
{
    return sctpa_context_most_ns(c, c->packet->time_ns - sctpa_context_time_ns(c, packet));
}
/* What is kept of a packet. */
static inline const sctpa_record_t *sctpa_context_record(const sctpa_context_t *c, uint32_t packet)
{
    return &g_array_index(c->tracker->records, sctpa_record_t, packet);
}
/* What is kept of a TSN of c->sent or c->acked, NULL nothing. O(1). */
static inline const sctpa_tsn_t *sctpa_context_tsn(const sctpa_direction_t *direction, int64_t number)
{
    return sctpa_direction_tsn(direction, number);
}

/* Its number, of 32 bits in the packet, as that of c->sent or c->acked. O(1). */
static inline int64_t sctpa_context_unwrap(const sctpa_direction_t *direction, uint32_t tsn)
{
    return sctpa_direction_unwrap(direction, tsn);
}

/* Was the capture taken at two places, so that each packet may be there twice? */
static inline bool sctpa_context_has_two_taps(const sctpa_context_t *c)
{
    return c->tracker->two_taps;
}
/* Was the packet first seen where another was, so that the time between them is that of one place? O(1). */
static inline bool sctpa_context_is_of_one_tap(const sctpa_context_t *c, uint32_t packet)
{
    const sctpa_stamp_t *stamp = &g_array_index(c->tracker->store.stamps, sctpa_stamp_t, packet);
    return !sctpa_context_has_two_taps(c) || sctpa_stamp_interface(stamp) == c->packet->interface;
}
/* Does the user assert all of these of the endpoint that a rule is asked about (SCTPA_ASSERTED_ bits), and does nothing
 * in the capture refute it? O(1). */
static inline bool sctpa_context_is_asserted(const sctpa_context_t *c, uint32_t bits)
{
    return sctpa_tap_is_asserted(&c->reference->tap, c->accused, bits);
}
/* Does it hold all of that endpoint (sctpa_tap_has_all_of)? O(1). */
static inline bool sctpa_context_has_all_of(const sctpa_context_t *c)
{
    return sctpa_tap_has_all_of(&c->reference->tap, c->tracked, c->accused);
}
/* RTT from the tap to an endpoint, as measured; -1: no answer yet that was due at once. */
static inline int64_t sctpa_context_tap_rtt_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_rtt_measured_ns(sctpa_tap_rtt_of(c->tracked, endpoint));
}
/* No longer than that, -1: it answered nothing yet. */
static inline int64_t sctpa_context_tap_rtt_most_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_rtt_of(c->tracked, endpoint).most_ns;
}
/* What reached an endpoint near the tap so long ago was taken: sctpa_tap_host_takes_ns. */
static inline int64_t sctpa_context_host_takes_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_host_takes_ns(sctpa_tap_rtt_of(c->tracked, endpoint));
}
/* How soon an endpoint answers at the earliest what passes the tap towards it; negative: that is unknown. */
static inline int64_t sctpa_context_least_answer_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_least_answer_ns(sctpa_tap_rtt_of(c->tracked, endpoint));
}

/* Smoothed RTT of the path that the packet took, of its sender's data; 0: none was measured. */
static inline int64_t sctpa_context_srtt_ns(const sctpa_context_t *c)
{
    return c->sent && c->path < c->sent->paths.len ? SCTPA_RECORD(&c->sent->paths, sctpa_data_path_t, c->path).srtt_ns
                                                   : 0;
}
/* The INIT with which the association began before the packet, if nobody damaged it; SCTPA_NO_PACKET_INDEX none such.
 * O(log packets). */
static inline uint32_t sctpa_context_init_before(const sctpa_context_t *c)
{
    const uint32_t frame = c->assoc->setup.steps[SCTPA_STEP_INIT].first_frame,
                   first = frame > 0 ? sctpa_context_packet_of(c, frame) : c->index;
    const sctpa_record_t *record = first < c->index ? sctpa_context_record(c, first) : NULL;
    const bool is_init = record && record->assoc == c->assoc->number && record->rows == SCTPA_ROW(INIT) &&
                         record->checksum != SCTPA_CHECKSUM_BAD;
    return is_init ? first : SCTPA_NO_PACKET_INDEX;
}
/* The path of the peer to where the packet came from; SCTPA_NO_PATH: nothing went there. O(paths), few. */
static inline uint16_t sctpa_context_back_path(const sctpa_context_t *c)
{
    return sctpa_end_find_path(&c->assoc->ends[!c->from], &c->packet->source);
}
/* Is the tap near an endpoint by the address of it that the packet came from or went to? O(paths), few. */
sctpa_known_t sctpa_context_is_near(const sctpa_context_t *c, uint8_t endpoint);
/* Longer than any packet is under way from the sender of the packet to a tap near it, by the path that the packet took.
 * O(1). */
int64_t sctpa_context_under_way_ns(const sctpa_context_t *c);
/* May the sender of the packet have given up TSNs above those of its FORWARD-TSNs? O(1). */
static inline bool sctpa_context_may_abandon(const sctpa_context_t *c)
{
    return sctpa_given_up(c->assoc, c->sent, INT64_MAX) != SCTPA_NO;
}
/* May an endpoint have made the association anew since a packet, with the same tags and the same Initial TSN: was it
 * asked by a COOKIE ECHO, or did it answer one? A cookie is good for all its life, whatever became of the association
 * that it made (RFC 9260 5.1.5). O(1). */
static inline bool sctpa_context_may_be_made_anew(const sctpa_context_t *c, uint8_t endpoint, uint32_t packet)
{
    const sctpa_setup_t *setup = &c->assoc->setup;
    const bool is_asked = setup->steps[SCTPA_STEP_COOKIE_ECHO].count > 0 &&
                          (setup->steps[SCTPA_STEP_COOKIE_ECHO].by != endpoint || c->assoc->collision),
               has_answered = setup->steps[SCTPA_STEP_COOKIE_ACK].count > 0 &&
                              (setup->steps[SCTPA_STEP_COOKIE_ACK].by == endpoint || c->assoc->collision);
    return (is_asked || has_answered) && setup->cookie_packet > packet;
}
/* Does the frame show DTLS below SCTP? */
static inline bool sctpa_context_is_over_dtls(const sctpa_context_t *c)
{
    return c->packet->encapsulation == SCTPA_OVER_DTLS;
}
/* Was the checksum of the packet found right? */
static inline bool sctpa_context_is_verified(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_CRC32C || c->record->checksum == SCTPA_CHECKSUM_ADLER32;
}
/* Must its sender compute it: the peer accepts no zero (RFC 9653), and the sender has sent right ones? */
static inline bool sctpa_context_must_compute_checksum(const sctpa_context_t *c)
{
    const sctpa_init_t *peer = &c->assoc->ends[!c->from].init;
    return sctpa_offers(peer, SCTPA_EXTENSION_ZERO_CHECKSUM) == SCTPA_NO && c->tracked->sides[c->from].good_checksums;
}
/* Is it right, or did its sender leave it out (RFC 9653)? */
static inline bool sctpa_context_is_intact(const sctpa_context_t *c)
{
    return sctpa_context_is_verified(c) || c->record->checksum == SCTPA_CHECKSUM_ZERO;
}

/* Did an INIT or INIT ACK of the endpoint offer ASCONF and no AUTH? What it then sends and accepts without AUTH has
 * that one cause. */
static inline bool sctpa_offers_bare_asconf(const sctpa_init_t *init)
{
    return init->seen && init->supported_chunks & (SCTPA_ROW(ASCONF) | SCTPA_ROW(ASCONF_ACK)) &&
           !(init->supported_chunks & SCTPA_ROW(AUTH));
}

/* Does an AUTH chunk stand before chunk number at of the packet? O(1). */
static inline bool sctpa_context_auth_covers(const sctpa_context_t *c, unsigned at)
{
    return c->auth_at < at;
}

/* --- how many streams endpoints may use, as their INITs and INIT ACKs announced it, and whether a RE-CONFIG may have
 * changed that; which streams it adds or resets, shared/stream_set.h and the chapter say --- */

typedef struct {
    uint16_t outbound[2], inbound[2]; /* the most that an INIT or INIT ACK of the endpoint announced, 0 none was seen */
    bool reconfigured;                /* a RE-CONFIG passed */
} sctpa_stream_counts_t;

/* Takes the INIT, INIT ACK or RE-CONFIG of a packet, before rules are asked about it. O(chunks). */
void sctpa_stream_counts_take(const sctpa_context_t *c);

/* What is known with the packet. O(1). */
static inline sctpa_stream_counts_t sctpa_stream_counts(const sctpa_context_t *c)
{
    const sctpa_stream_counts_t *counts = sctpa_context_find_part(c, SCTPA_PART_STREAM_COUNTS);
    const sctpa_init_t *first = &c->assoc->ends[0].init, *second = &c->assoc->ends[1].init;
    if (counts)
        return *counts;
    return (sctpa_stream_counts_t){ .outbound = { first->outbound_streams, second->outbound_streams },
                                    .inbound = { first->inbound_streams, second->inbound_streams } };
}

/* Streams that the endpoint may send on by set-up alone: min(local OS, remote MIS) (RFC 9260 5.1.1). 0: unknown. */
static inline unsigned sctpa_stream_counts_agreed(const sctpa_stream_counts_t *counts, uint8_t endpoint)
{
    return MIN(counts->outbound[endpoint], counts->inbound[!endpoint]);
}

/* Did a RE-CONFIG pass, in this packet or before? Streams and TSNs may have been reset since, streams may have been
 * added. O(1). */
static inline bool sctpa_has_reconfigured(const sctpa_context_t *c)
{
    const sctpa_stream_counts_t *counts = sctpa_context_find_part(c, SCTPA_PART_STREAM_COUNTS);
    return counts && counts->reconfigured;
}

#endif
