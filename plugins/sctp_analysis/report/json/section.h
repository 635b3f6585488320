/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the JSON report is made of: sections, which are objects of one form, each described once, in a
 * file of report/rows. From that follow what writes them (objects.h) and the schema (schema.c). */
#ifndef SCTPA_REPORT_SECTION_H
#define SCTPA_REPORT_SECTION_H

#include <glib.h>
#include <stdbool.h>

/* What a member holds. Lower-case names in the schema are JSON's. */
typedef enum {
    SCTPA_MEMBER_COUNT,       /* of something, or an index: 0 and more */
    SCTPA_MEMBER_POSITIVE,    /* 1 and more */
    SCTPA_MEMBER_TWICE,       /* 2 and more */
    SCTPA_MEMBER_FRAME,       /* number of a packet, from 1 on */
    SCTPA_MEMBER_KNOWN_FRAME, /* the same, 0 unknown */
    SCTPA_MEMBER_PACKET,      /* index of a packet, SCTPA_NO_PACKET_INDEX unknown; shown as the number of its frame */
    SCTPA_MEMBER_END,         /* endpoint 0 or 1 */
    SCTPA_MEMBER_KNOWN_END,   /* the same, SCTPA_NO_END unknown */
    SCTPA_MEMBER_U16,
    SCTPA_MEMBER_U32,
    SCTPA_MEMBER_CAUSE,        /* error cause, from 1 on */
    SCTPA_MEMBER_SECONDS,      /* given in ns, shown with nine decimals */
    SCTPA_MEMBER_TOLD_SECONDS, /* the same, null where the clock does not tell it from none */
    SCTPA_MEMBER_MOMENT,       /* given as ns since the epoch, shown in seconds from the first frame */
    SCTPA_MEMBER_MS,           /* given in ns, shown with six decimals */
    SCTPA_MEMBER_TOLD_MS,      /* the same, null where the clock does not tell it from none */
    SCTPA_MEMBER_PARAMETER,    /* in the unit of the parameter */
    SCTPA_MEMBER_RATE,         /* bits per second, negative unknown */
    SCTPA_MEMBER_RATIO,        /* negative unknown */
    SCTPA_MEMBER_TEXT,
    SCTPA_MEMBER_KNOWN_TEXT,  /* NULL unknown */
    SCTPA_MEMBER_OWNED_TEXT,  /* g_free */
    SCTPA_MEMBER_FINGERPRINT, /* as OWNED_TEXT */
    SCTPA_MEMBER_EXTENSION,
    SCTPA_MEMBER_VTAG,
    SCTPA_MEMBER_ADDR, /* NULL, or without text: unknown */
    SCTPA_MEMBER_KNOWN_ADDR,
    SCTPA_MEMBER_BOOL,
    SCTPA_MEMBER_KNOWN_BOOL, /* sctpa_known_t */
    SCTPA_MEMBER_WORD,       /* one of a list */
    SCTPA_MEMBER_OBJECT,     /* of a section */
    SCTPA_MEMBER_OTHER,      /* as a fragment of the schema says */
    /* The same in JSON, but not in tables. */
    SCTPA_MEMBER_FROM = SCTPA_MEMBER_END,
    SCTPA_MEMBER_NUMBER = SCTPA_MEMBER_COUNT,
    SCTPA_MEMBER_SHORT_MOMENT = SCTPA_MEMBER_MOMENT,
    SCTPA_MEMBER_UNTIL = SCTPA_MEMBER_PACKET,
    SCTPA_MEMBER_LONG_TEXT = SCTPA_MEMBER_TEXT,
    SCTPA_MEMBER_LONGEST_FRAME = SCTPA_MEMBER_FRAME,
} sctpa_member_type_t;

/* A list of words. word(i) for i < n; NULL: that one is null in JSON. */
typedef struct {
    unsigned n;
    const char *(*word)(unsigned number);
} sctpa_words_t;

typedef struct sctpa_section sctpa_section_t;
typedef struct {
    const char *key;
    sctpa_member_type_t type; /* of the elements where it is a list */
    bool may_be_null, is_list;
    const sctpa_words_t *words;     /* of a WORD */
    const sctpa_section_t *section; /* of an OBJECT */
    const char *schema;             /* of OTHER; else what more the schema says, NULL nothing */
    const char *meaning;            /* NULL: its key says it */
} sctpa_member_t;

struct sctpa_section {
    const char *name;
    const char *about;             /* NULL: nothing to say */
    bool is_inline;                /* stands in the schema where it is used, once; else among the definitions */
    const sctpa_member_t *members; /* the last has no key */
    /* An object with a key for each of these words, suffix behind each: members has the one form of their values. */
    const sctpa_words_t *keys;
    const char *suffix;
    bool has_all_keys;
};

/* The words of members and of the document's "words". */
extern const sctpa_words_t sctpa_words_severity, sctpa_words_failure, sctpa_words_end, sctpa_words_encapsulation,
    sctpa_words_quality, sctpa_words_verdict, sctpa_words_level, sctpa_words_certainty, sctpa_words_setup,
    sctpa_words_event, sctpa_words_pause_end, sctpa_words_pause, sctpa_words_rtx, sctpa_words_role,
    sctpa_words_abort_reason, sctpa_words_abort_doubt, sctpa_words_checksum, sctpa_words_parameter,
    sctpa_words_message_kind, sctpa_words_other_host, sctpa_words_step, sctpa_words_closing, sctpa_words_handover,
    sctpa_words_schema;

/* Sections that others refer to across files. */
extern const sctpa_section_t sctpa_section_document, sctpa_section_association, sctpa_section_endpoint,
    sctpa_section_path, sctpa_section_direction, sctpa_section_stream, sctpa_section_statistics, sctpa_section_rules,
    sctpa_section_finding;

/* Appends the schema of the document, as docs/json_schema.json. O(members). */
void sctpa_json_schema(GString *out);

#endif
