/* Which implementation an endpoint is, by what its INIT or INIT ACK looks like. */
#ifndef SCTPA_RULES_STACK_H
#define SCTPA_RULES_STACK_H

#include <stdint.h>

/* What spoke for it. */
enum {
    SCTPA_MARK_ORDER = 0x01,       /* three or more parameters, in its order */
    SCTPA_MARK_SHORT_ORDER = 0x02, /* one or two */
    SCTPA_MARK_CHUNKS = 0x04,      /* its order of Supported Extensions */
    SCTPA_MARK_COOKIE = 0x08,      /* how its State Cookie begins */
    SCTPA_MARK_COOKIE_BYTES = 0x10,
    SCTPA_MARK_STREAMS = 0x20, /* its default numbers of streams */
    SCTPA_MARK_A_RWND = 0x40   /* its default window */
};
enum { SCTPA_MARKS = 7 };

typedef struct {
    const char *name; /* "Linux"; NULL: nothing, or nothing without doubt */
    uint8_t marks;    /* SCTPA_MARK_ bits */
    uint32_t packet;  /* index of the INIT or INIT ACK */
    /* SCTPA_MEMBER_ (sender_family.h): its congestion control as far as known, SCTPA_MEMBER_UNKNOWN not */
    uint8_t sender;
} sctpa_stack_t;

/* The words of the mark with bit number bit: "order of parameters". */
const char *sctpa_mark_word(unsigned bit);

#endif
