/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user asserts of a capture because it cannot show it: that it is complete, where it was taken, which values
 * parameters of endpoints have. Reads the texts that say it, and answers what was asserted of an address. Leaves out
 * whether the capture bears it out (association_tap.h). */
#ifndef SCTPA_TAP_ASSERTIONS_H
#define SCTPA_TAP_ASSERTIONS_H

#include "wire/address.h"
#include "wire/types.h"

/* What may be asserted, as bits: these three, then one for each parameter. */
enum {
    SCTPA_ASSERTED_COMPLETE = 0x1, /* every packet that passed the tap is in the capture, in order */
    SCTPA_ASSERTED_TAKEN_AT = 0x2, /* the capture was taken at the endpoint */
    /* with both, a packet that passed has arrived at the endpoint, and no answer of it is missing */
    SCTPA_ASSERTED_ARRIVED = SCTPA_ASSERTED_COMPLETE | SCTPA_ASSERTED_TAKEN_AT,
    SCTPA_ASSERTED_QUIET = 0x4, /* nothing passed the tap for some time after the capture ended */
    SCTPA_ASSERTED_PARAMETER_BIT = 3,
    SCTPA_ASSERTED_BITS = SCTPA_ASSERTED_PARAMETER_BIT + SCTPA_PARAMETERS
};
#define SCTPA_ASSERTED(parameter) (1u << (SCTPA_ASSERTED_PARAMETER_BIT + SCTPA_PARAMETER_##parameter))

enum { SCTPA_ASSERTED_NETWORKS_MAX = 64 };

/* An address (as many prefix bits as it has), or the network that it stands for. */
typedef struct {
    sctpa_addr_t addr;
    uint8_t prefix_bits;
} sctpa_network_t;

/* Values of parameters, times in nanoseconds; RTO.Alpha and RTO.Beta by their reciprocals. */
typedef struct {
    uint32_t given; /* 1 << sctpa_parameter_t */
    int64_t values[SCTPA_PARAMETERS];
} sctpa_asserted_values_t;

typedef struct {
    bool complete;
    int64_t quiet_ns; /* nothing passed for so long after the last packet of the capture; 0 not asserted */
    uint8_t n_taken_at, n_endpoints;
    sctpa_network_t taken_at[SCTPA_ASSERTED_NETWORKS_MAX];
    sctpa_asserted_values_t values[1 + SCTPA_ASSERTED_NETWORKS_MAX]; /* of every endpoint; of endpoints[i - 1] */
    sctpa_network_t endpoints[SCTPA_ASSERTED_NETWORKS_MAX];
} sctpa_assertions_t;

/* What the user asserted of the capture, and the first packet that refutes it for an association, SCTPA_NO_PACKET_INDEX
 * none: for which, and whether for others, sctpa_tap_asserted says. Only what no endpoint can cause alone does. */
typedef struct {
    const sctpa_assertions_t *assertions; /* never NULL */
    bool is_any;                          /* something is asserted */
    uint32_t complete_refuted, taken_at_refuted;
} sctpa_asserted_t;

/* Reads what is asserted; g_free. quiet_ns: at least 0. taken_at: addresses and networks ("10.0.0.0/8"), separated by
 * commas or blanks. parameters: "ADDRESS NAME=VALUE NAME=VALUE; * NAME=VALUE", where an address takes precedence over a
 * network, this over "*", and of several the last; times in milliseconds, or as "2s". NULL and "": nothing. NULL: a
 * text is wrong; *error says which, at which character, and what is wrong; g_free. O(length). */
sctpa_assertions_t *sctpa_assertions_new(bool complete, int64_t quiet_ns, const char *taken_at, const char *parameters,
                                         char **error);

/* Is anything asserted? O(1). */
static inline bool sctpa_assertions_are_any(const sctpa_assertions_t *assertions)
{
    return assertions->complete || assertions->quiet_ns > 0 || assertions->n_taken_at > 0 ||
           assertions->n_endpoints > 0 || assertions->values[0].given != 0;
}

/* Is SCTPA_ASSERTED_ARRIVED asserted, for some address? O(1). */
static inline bool sctpa_assertions_are_arrived(const sctpa_assertions_t *assertions)
{
    return assertions->complete && assertions->n_taken_at > 0;
}
/* Was the capture taken at an address? O(networks). */
bool sctpa_assertions_taken_at(const sctpa_assertions_t *assertions, const sctpa_addr_t *addr);
/* Which of values is that of an address: the narrowest network that holds it, 0: none does. O(networks). */
unsigned sctpa_assertions_endpoint(const sctpa_assertions_t *assertions, const sctpa_addr_t *addr);

/* The word of a bit that may be asserted: "complete", "taken-at", "quiet-until", "RTO.Max". O(1). */
const char *sctpa_asserted_word(unsigned bit);
/* Writes it so that sctpa_assertions_new reads it: an address or network; of endpoint number i of values "ADDRESS
 * NAME=VALUE ...". g_free. */
char *sctpa_network_text(const sctpa_network_t *network);
char *sctpa_asserted_values_text(const sctpa_assertions_t *assertions, unsigned i);

#endif
