/* The case that a packet makes: the packet, its association and what is known of it, as every group of the model is
 * shown it; and the words in which a group accuses. Internal to rules/. */
#ifndef SCTPA_RULES_CONTEXT_H
#define SCTPA_RULES_CONTEXT_H

#include "base/bytes.h"
#include "base/pool.h"
#include "base/serial.h"
#include "reference/negotiated.h"
#include "tap/association_tap.h"
#include "model.h"
#include "rule_sets.h"

typedef enum {
#define SCTPA_GROUP(id, word, rows) SCTPA_GROUP_##id,
#include "groups.def"
    SCTPA_GROUPS
} sctpa_group_t;

/* Packets with DATA since the receiver's last SACK. */
typedef struct {
    int64_t least_gap_ns; /* between one and the next */
    uint32_t packets;
    uint32_t first_packet, last_packet;
    uint32_t first_tsn, last_tsn; /* the first new TSN of the packet, or its first */
    uint16_t first_bytes;         /* of user data, in first_tsn */
    uint16_t first_path; /* of the receiver to the source of the first, SCTPA_NO_PATH: it has only one, or none there */
    uint8_t first_is, last_is; /* SCTPA_ARRIVED_ bits (check_receiver.h) */
} sctpa_wait_t;

/* What the model keeps of an association. */
typedef struct {
    const sctpa_rule_set_t *judged[2];  /* by end: rules that had an occasion, and what they need; never NULL */
    const sctpa_rule_set_t *refused[2]; /* that had an occasion, but lacked a need; never NULL */
    uint8_t missing[2];                 /* SCTPA_NEED_ bits that were missing */
    uint8_t reshaped;                   /* of the association, when it was last looked at */
    sctpa_tap_t tap;
    sctpa_finding_t *findings, *last_finding;
    uint32_t states[SCTPA_GROUPS]; /* 1 + number in the model's states of a group, 0 before sctpa_context_state */
} sctpa_judged_t;

/* What is asked of a rule at each occasion. */
typedef struct {
    bool is_off;
    uint8_t needs; /* SCTPA_NEED_ bits */
} sctpa_asked_t;

/* A violation that a packet completed, and what its finding held before: what is needed to take it back. */
typedef struct {
    sctpa_finding_t *finding;
    uint32_t packets_before;
    bool is_marked; /* by this violation */
} sctpa_counted_t;

struct sctpa_model {
    sctpa_arena_t arena;
    sctpa_pool_t states[SCTPA_GROUPS];
    sctpa_rule_sets_t rule_sets;
    unsigned levels;
    sctpa_profile_t profile;
    sctpa_asked_t asked[SCTPA_RULES];
    GPtrArray *judged;                   /* sctpa_judged_t * by association number, NULL not yet */
    GArray *marks;                       /* sctpa_mark_t, by packet */
    GArray *violations;                  /* sctpa_counted_t: of the packet being taken */
    GArray *asconf_serials;              /* uint32_t, ascending: of the ASCONFs of packet asconf_packet */
    uint32_t asconf_packet;              /* SCTPA_NO_PACKET_INDEX nobody has asked yet */
    struct sctpa_addings *addings;       /* what the ASCONFs of one packet add, NULL nobody has asked yet */
    struct sctpa_announcers *announcers; /* what addresses announced over associations, NULL nothing yet */
};

typedef struct {
    sctpa_model_t *model;
    sctpa_tracker_t *tracker;
    sctpa_tracked_t *tracked; /* as after the packet; read only */
    const sctpa_assoc_t *assoc;
    sctpa_judged_t *judged;
    const sctpa_packet_t *packet;
    const sctpa_record_t *record;
    uint32_t index;                        /* packet index */
    uint8_t from;                          /* sending end */
    uint16_t path;                         /* of the sending end */
    const sctpa_direction_t *sent, *acked; /* data of the sending end, of its peer; NULL none seen */
    /* all of the packet: up to 16,380 in 64 KiB, so that what looks at each must not look at the others */
    const sctpa_observed_t *chunks;
    unsigned n_chunks;
    const sctpa_observed_t *chunk; /* that a rule is asked about (SCTPA_WHEN_CHUNK) */
    unsigned auth_at;              /* the first AUTH among them, n_chunks none */
    uint64_t rows;                 /* SCTPA_CHUNK_ROW_ bits of them */
    uint8_t met[2];                /* SCTPA_NEED_ bits met for an accused end, when known */
    bool met_known[2];
    sctpa_wait_t ended; /* that the packet's SACK ended, once the receiver group took it */
} sctpa_context_t;

/* Fills asked for the levels and the profile of the model. */
void sctpa_model_ask(sctpa_model_t *model);
/* Gives the findings of one association to another, whose ends are swapped or not. O(findings of both). */
void sctpa_findings_take(sctpa_judged_t *into, sctpa_judged_t *from, bool swapped);
/* The association of the case was joined from halves, or a half left it, since it was last judged (join_findings.c).
 * O(findings). */
void sctpa_judged_reshape(const sctpa_context_t *c);

/* Frees what the model's addings hold; NULL is none. */
void sctpa_addings_free(struct sctpa_addings *addings);

/* What is kept of an association, NULL: nothing of it was judged. The state of a group for it, NULL none. O(1). */
sctpa_judged_t *sctpa_judged_find(const sctpa_model_t *model, const sctpa_tracked_t *tracked);
const void *sctpa_judged_state(const sctpa_model_t *model, const sctpa_tracked_t *tracked, sctpa_group_t group);

/* The state of a group for the association, zeroed at first: bytes, always the same for a group; the same, NULL when
 * there is none. O(1). */
void *sctpa_context_state(const sctpa_context_t *c, sctpa_group_t group, uint32_t bytes);
static inline void *sctpa_judged_find_state(const sctpa_model_t *model, const sctpa_judged_t *judged,
                                            sctpa_group_t group)
{
    uint32_t number = judged->states[group];
    return number ? sctpa_pool_at(&model->states[group], number - 1) : NULL;
}
static inline void *sctpa_context_find_state(const sctpa_context_t *c, sctpa_group_t group)
{
    return sctpa_judged_find_state(c->model, c->judged, group);
}

/* Fills met[accused]. */
void sctpa_context_meet(sctpa_context_t *c, uint8_t accused);

/* Counts an occasion to judge rule, the first one at which those needs were missing, or none was. O(1). */
void sctpa_note_occasion(sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused, uint8_t missing);

/* May rule be judged here, with end as the accused? Call when there is an occasion to judge it, before looking whether
 * it was broken: the occasion is counted. O(1). */
static inline bool sctpa_may_judge(sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused)
{
    sctpa_asked_t asked = c->model->asked[rule];
    if (asked.is_off)
        return false;
    if (!c->met_known[accused])
        sctpa_context_meet(c, accused);
    uint8_t missing = (uint8_t)(asked.needs & ~c->met[accused]);
    c->judged->missing[accused] |= missing;
    if (!sctpa_rule_set_has(missing ? c->judged->refused[accused] : c->judged->judged[accused], rule))
        sctpa_note_occasion(c, rule, accused, missing);
    return missing == 0;
}

/* The words of a finding: what was expected, what was seen. */
typedef struct {
    char text[120];
} sctpa_words_t;
sctpa_words_t sctpa_words(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* The same as a string, valid to the end of the full expression. */
#define SCTPA_WORDS(...) sctpa_words(__VA_ARGS__).text

/* Accuses end of having broken rule, shown by this packet, after sctpa_may_judge. related: a packet that belongs to the
 * evidence, or SCTPA_NO_PACKET_INDEX. path: of the accused, or SCTPA_NO_PATH. expected and seen are texts, copied.
 * Repeats are counted: a macro, since the texts are evaluated only when the finding is new. O(findings of the
 * association). */
#define sctpa_accuse(c, rule, accused, path, related, expected, seen) \
    do { \
        sctpa_finding_t *sctpa_new_finding = sctpa_count_finding(c, rule, accused, path, related); \
        if (sctpa_new_finding) \
            sctpa_word_finding(c, sctpa_new_finding, expected, seen); \
    } while (0)
/* The parts of sctpa_accuse: counts, and returns the finding when it is new and lacks its words, else NULL; gives it
 * its words. */
sctpa_finding_t *sctpa_count_finding(sctpa_context_t *c, sctpa_rule_t rule, uint8_t accused, uint16_t path,
                                     uint32_t related);
void sctpa_word_finding(sctpa_context_t *c, sctpa_finding_t *finding, const char *expected, const char *seen);

/* Takes back the violations that others of the packet cover (covers of rules.h). After all rules were asked.
 * O(violations of the packet + findings of the association). */
void sctpa_findings_cover(sctpa_context_t *c);

/* Is the packet an INIT alone, the first one of its association? */
bool sctpa_context_is_first_init(const sctpa_context_t *c);
/* The first chunk of a row in the packet (SCTPA_CHUNK_ROW_), NULL none. O(chunks). */
const sctpa_observed_t *sctpa_context_observed(const sctpa_context_t *c, unsigned row);
/* Its framing. */
const sctpa_tlv_t *sctpa_context_chunk(const sctpa_context_t *c, unsigned row);
/* Time of a packet. */
static inline int64_t sctpa_context_time_ns(const sctpa_context_t *c, uint32_t packet)
{
    return g_array_index(c->tracker->store.stamps, sctpa_stamp_t, packet).time_ns;
}
/* RTT from the tap to an endpoint, -1: it answered nothing yet. */
static inline int64_t sctpa_context_tap_rtt_ns(const sctpa_context_t *c, uint8_t endpoint)
{
    return sctpa_tap_rtt_of(c->tracked, endpoint);
}
/* May the sender of the packet give up TSNs: it did, or both endpoints may have offered it (RFC 3758 3.3)? */
static inline bool sctpa_context_may_abandon(const sctpa_context_t *c)
{
    return (c->sent && c->sent->rare->abandoned_to >= 0) ||
           sctpa_negotiated(c->assoc, SCTPA_EXTENSION_PARTIAL_RELIABILITY) != SCTPA_NO;
}
/* Was the checksum of the packet found right? */
static inline bool sctpa_context_is_verified(const sctpa_context_t *c)
{
    return c->record->checksum == SCTPA_CHECKSUM_CRC32C || c->record->checksum == SCTPA_CHECKSUM_ADLER32;
}
/* Frame of a packet. */
uint32_t sctpa_context_frame(const sctpa_context_t *c, uint32_t packet);
/* The first parameter of type in a chunk with parameters; false: none captured. O(parameters). */
bool sctpa_param_find(const sctpa_tlv_t *chunk, uint32_t type, sctpa_tlv_t *param);

#define SCTPA_GROUP(id, word, rows) void sctpa_check_##word(sctpa_context_t *c);
#include "groups.def"

#endif
