/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the implementation of an endpoint by its INIT or INIT ACK, and keeps which one each endpoint seems to be. */
#include "fingerprint.h"

#include <string.h>

#include "engine.h"
#include "cwnd/sender_family.h"

enum { LIST_MAX = 16, ADDRESSES = 0x0005, CK_ANY = -1, ENOUGH = 3, CK_SHIFT = 16, COOKIE_UNIT = 32 };
#define CK(bytes) ((bytes) << CK_SHIFT)
/* clang-format off */
#define LIST(...) { __VA_ARGS__ }
/* clang-format on */

typedef struct {
    const char *name;
    uint16_t orders[2][LIST_MAX]; /* of INIT, INIT ACK; 0 ends */
    uint16_t needed[LIST_MAX], chunks[LIST_MAX];
    const char *cookie;
    int32_t cookie_is;
    uint16_t outbound, inbound;
    uint32_t a_rwnd_bytes;
    uint8_t sender; /* SCTPA_MEMBER_ */
    bool precedes_t3;
} looks_t;

static const looks_t stacks[] = {
#define SCTPA_STACK(id, name, init, init_ack, needed, chunks, cookie, cookie_is, outbound, inbound, a_rwnd_bytes, \
                    sender, precedes_t3) \
    { name,         { init, init_ack },    needed,     chunks, cookie, cookie_is, outbound, inbound, \
      a_rwnd_bytes, SCTPA_MEMBER_##sender, precedes_t3 },
#include "stacks.def"
};

const char *sctpa_mark_word(unsigned bit)
{
    static const char *const words[SCTPA_MARKS] = {
        "order of parameters", "order of few parameters", "order of Supported Extensions",
        "begin of the cookie", "length of the cookie",    "default streams",
        "default a_rwnd"
    };
    return words[bit];
}

/* Place of a value in a list from at on, LIST_MAX: not there. */
static unsigned place_of(const uint16_t list[LIST_MAX], unsigned at, uint16_t value)
{
    while (at < LIST_MAX && list[at] != value)
        at = list[at] == 0 ? LIST_MAX : at + 1;
    return at;
}

static unsigned length_of(const uint16_t list[LIST_MAX])
{
    unsigned length = 0;
    while (length < LIST_MAX && list[length])
        length++;
    return length;
}

/* Parameters in the order of a stack, and none missing that it always sends: how many; 0: not its order, or cut. */
static unsigned fits_order(const looks_t *stack, const sctpa_tlv_t *chunk, const sctpa_param_list_t *params)
{
    const uint16_t *order = stack->orders[chunk->type == SCTPA_CHUNK_INIT_ACK];
    unsigned at = 0, needed = 0;
    for (uint32_t i = 0; i < params->n; i++) {
        const sctpa_tlv_t *param = &params->params[i];
        at = place_of(order, at, param->type == SCTPA_PARAM_IPV6 ? ADDRESSES : (uint16_t)param->type);
        if (at == LIST_MAX || param->captured_bytes < param->wire_bytes)
            return 0;
        needed += place_of(stack->needed, 0, (uint16_t)param->type) < LIST_MAX;
    }
    return chunk->captured_bytes < chunk->wire_bytes || needed < length_of(stack->needed) ? 0 : params->n;
}

static bool fits_chunks(const looks_t *stack, const sctpa_param_list_t *params)
{
    const sctpa_tlv_t *param = sctpa_param_list_find(params, SCTPA_PARAM_ROW_SUPPORTED_EXTENSIONS);
    unsigned at = 0;
    if (!param || param->captured_bytes < 6)
        return false;
    for (unsigned i = 4; i < param->captured_bytes && at < LIST_MAX; i++)
        at = place_of(stack->chunks, at, param->bytes[i]);
    return at < LIST_MAX;
}

static uint8_t cookie_marks(const looks_t *stack, const sctpa_param_list_t *params)
{
    const sctpa_tlv_t *cookie = sctpa_param_list_find(params, SCTPA_PARAM_ROW_STATE_COOKIE);
    size_t length = strlen(stack->cookie);
    uint8_t marks = 0;
    if (!cookie || cookie->captured_bytes < cookie->wire_bytes)
        return 0;
    int32_t bytes = (int32_t)cookie->wire_bytes - 4;
    if (length > 0 && cookie->captured_bytes >= 4 + length && memcmp(cookie->bytes + 4, stack->cookie, length) == 0)
        marks |= SCTPA_MARK_COOKIE;
    if (stack->cookie_is != CK_ANY && (stack->cookie_is >> CK_SHIFT ? bytes == stack->cookie_is >> CK_SHIFT
                                                                    : bytes % COOKIE_UNIT == stack->cookie_is))
        marks |= SCTPA_MARK_COOKIE_BYTES;
    return marks;
}

static uint8_t marks_of(const looks_t *stack, const sctpa_tlv_t *chunk, const sctpa_param_list_t *params)
{
    unsigned n = fits_order(stack, chunk, params);
    uint32_t streams = sctpa_tlv_u32(chunk, SCTPA_F_INIT_INBOUND_STREAMS);
    if (n == 0)
        return 0;
    uint8_t marks = n > 2 ? SCTPA_MARK_ORDER : SCTPA_MARK_SHORT_ORDER;
    marks |= fits_chunks(stack, params) ? SCTPA_MARK_CHUNKS : 0;
    marks |= chunk->type == SCTPA_CHUNK_INIT_ACK ? cookie_marks(stack, params) : 0;
    if (sctpa_tlv_u32(chunk, SCTPA_F_INIT_OUTBOUND_STREAMS) == stack->outbound && streams == stack->inbound)
        marks |= SCTPA_MARK_STREAMS;
    if (sctpa_tlv_u32(chunk, SCTPA_F_INIT_A_RWND) == stack->a_rwnd_bytes)
        marks |= SCTPA_MARK_A_RWND;
    return marks;
}

static unsigned weight_of(uint8_t marks)
{
    return (marks & SCTPA_MARK_ORDER ? 2u : 0) + (marks & SCTPA_MARK_COOKIE ? 3u : 0) +
           (unsigned)__builtin_popcount(marks & ~(SCTPA_MARK_ORDER | SCTPA_MARK_COOKIE));
}

/* The stack that fits best and better than any other. */
sctpa_likeness_t sctpa_fingerprint(const sctpa_tlv_t *chunk, const sctpa_param_list_t *params, uint32_t packet)
{
    sctpa_likeness_t best = { 0, 0, packet };
    unsigned weight = 0, second = 0;
    for (unsigned i = 0; params->n > 0 && i < SCTPA_STACKS; i++) {
        uint8_t marks = marks_of(&stacks[i], chunk, params);
        unsigned own = weight_of(marks);
        if (own > weight) {
            second = weight;
            weight = own;
            best.stack = (uint8_t)(i + 1);
            best.marks = marks;
        } else {
            second = MAX(second, own);
        }
    }
    if (weight < ENOUGH || weight == second)
        best.stack = best.marks = 0;
    return best;
}

/* Does it say more than another? */
static bool is_better(sctpa_likeness_t likeness, sctpa_likeness_t than)
{
    return weight_of(likeness.marks) > weight_of(than.marks);
}

bool sctpa_likeness_precedes_t3(sctpa_likeness_t likeness)
{
    return likeness.stack == 0 || stacks[likeness.stack - 1].precedes_t3;
}

/* What is kept of an association. */
typedef struct {
    sctpa_likeness_t endpoints[2];
} implementations_t;

void sctpa_implementation_take(const sctpa_context_t *c)
{
    const sctpa_observed_t *init = sctpa_context_observed(c, SCTPA_CHUNK_ROW_INIT),
                           *chunk = init ? init : sctpa_context_observed(c, SCTPA_CHUNK_ROW_INIT_ACK);
    implementations_t *kept = sctpa_context_part(c, SCTPA_PART_STACK, sizeof *kept);
    sctpa_likeness_t likeness = sctpa_fingerprint(&chunk->tlv, sctpa_context_params_of(c, chunk), c->index);
    if (is_better(likeness, kept->endpoints[c->from]))
        kept->endpoints[c->from] = likeness;
}

sctpa_stack_t sctpa_implementation(const sctpa_reference_store_t *store, const sctpa_tracked_t *tracked,
                                   uint8_t endpoint)
{
    const implementations_t *kept = sctpa_reference_find(store, tracked, SCTPA_PART_STACK);
    if (!kept || kept->endpoints[endpoint].stack == 0)
        return (sctpa_stack_t){ NULL, 0, SCTPA_NO_PACKET_INDEX };
    const sctpa_likeness_t *likeness = &kept->endpoints[endpoint];
    return (sctpa_stack_t){ stacks[likeness->stack - 1].name, likeness->marks, likeness->packet };
}

uint8_t sctpa_implementation_sender(const sctpa_context_t *c, uint8_t endpoint)
{
    const implementations_t *kept = sctpa_context_find_part(c, SCTPA_PART_STACK);
    uint8_t stack = kept ? kept->endpoints[endpoint].stack : 0;
    return stack > 0 ? stacks[stack - 1].sender : SCTPA_MEMBER_UNKNOWN;
}
