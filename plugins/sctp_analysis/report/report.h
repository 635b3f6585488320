/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text tables and JSON of an analysis, written at the end of a capture. Reads results through sctpa.h, computes no
 * protocol. Leaves opening files, resolving names and printing to the caller. */
#ifndef SCTPA_REPORT_REPORT_H
#define SCTPA_REPORT_REPORT_H

#include "sctpa.h"

/* What a filter selected: which packets, and their counters per association, endpoint and pair. Memory: one bit per
 * packet of the capture, and O(pairs). */
typedef struct sctpa_tally sctpa_tally_t;
sctpa_tally_t *sctpa_tally_new(void);
/* Forgets everything: a second pass or a redissection begins. */
void sctpa_tally_reset(sctpa_tally_t *tally);
void sctpa_tally_free(sctpa_tally_t *tally);
/* Adds a packet that matched, with its index in the analysis. Duplicates and strays (SCTPA_CAPTURE_UNCOUNTED) are not
 * counted. O(chunks). */
void sctpa_tally_add(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t index, const sctpa_packet_t *packet);

/* Adds the packets of an association between two moments, both in it, as far as the analysis keeps them: packets,
 * bytes, checksums, DATA, I_DATA, and duplicates that SACKs report; chunks of other types are not known. From then on
 * the tally is of that time. O(packets of the capture + TSNs of the association). */
void sctpa_tally_add_time(sctpa_tally_t *tally, const sctpa_t *sctpa, uint32_t assoc, int64_t from_ns, int64_t to_ns);
/* Not of a time, or of one that this moment lies in; NULL: of everything. */
bool sctpa_tally_has_moment(const sctpa_tally_t *tally, int64_t time_ns);
/* Are chunks of every type counted? NULL: they are. */
bool sctpa_tally_knows_chunks(const sctpa_tally_t *tally);

/* A file of a capture that several hold, one after the other. Strings are borrowed, NULL none. ./run finds and reads
 * them. */
typedef struct {
    const char *name;
    uint32_t first_frame, frames; /* its first frame in the capture, and how many; frames 0: it holds none */
    bool is_whole;                /* it was read to its end */
    bool knows_dropped;           /* the capturing program counted what it dropped */
    uint64_t dropped;             /* packets, while it wrote this file */
    const char *gap;              /* why packets are missing in front of it */
    const char *message;          /* why it was not read to its end, or what is odd about it */
} sctpa_capture_file_t;

/* What the reports are made from. Strings are borrowed and may hold any bytes: reports escape them. */
typedef struct {
    const sctpa_t *sctpa;
    const sctpa_tally_t *tally;            /* NULL: no filter, everything is reported */
    const char *filter;                    /* NULL: none */
    const struct sctpa_messages *messages; /* of the application (messages/messages.h), NULL: not collected */
    const char *file;                      /* capture file name, NULL unknown */
    const char *plugin_version, *wireshark_version;
    const sctpa_capture_file_t *files; /* where several hold the capture, else NULL */
    uint32_t n_files;
    uint32_t frames;          /* of the capture, 0 unknown */
    int64_t start_ns, end_ns; /* of the capture's first and last frame, since the epoch; 0 unknown */
    int64_t delay_budget_ns;  /* messages that take longer are late */
    /* Display names, by the name resolution settings of Wireshark; the result is valid until the next call.
     * NULL: numeric. */
    const char *(*addr_name)(void *user, const sctpa_addr_t *addr);
    const char *(*port_name)(void *user, uint16_t port);
    /* Appends how a moment is shown to people. NULL: seconds from the first frame. */
    void (*moment)(void *user, int64_t time_ns, GString *out);
    void *user;
} sctpa_view_t;

/* Takes the next piece of a text, which is borrowed for the call. */
typedef void (*sctpa_take_fn)(void *user, const GString *piece);

/* Pieces have at least so many bytes, all but the last. */
enum { SCTPA_PIECE_BYTES = 1 << 16 };

/* Appends a text of bounded length; hands over one without bounds as it is made. */
typedef void (*sctpa_report_fn)(const sctpa_view_t *view, GString *out);
typedef void (*sctpa_long_report_fn)(const sctpa_view_t *view, sctpa_take_fn take, void *user);

/* What a report makes of the messages of the application: nothing; it shows them where they are read; it is about them.
 */
typedef enum { SCTPA_MESSAGES_UNUSED, SCTPA_MESSAGES_SHOWN, SCTPA_MESSAGES_NEEDED } sctpa_messages_use_t;

/* One row per -z report: name after "sctp," and what it shows. One of the two is not NULL. */
typedef struct {
    const char *name, *title;
    sctpa_report_fn write;
    sctpa_long_report_fn write_long;
    sctpa_messages_use_t messages;
    bool shows_occasions; /* of rules, which are counted where a report shows them */
    bool shows_owed;      /* what endpoints owed, which is followed where a report shows it */
} sctpa_report_t;

/* The report of that name; NULL: none. */
const sctpa_report_t *sctpa_report_named(const char *name);

/* Makes a report and hands it over piece by piece. Memory: that of the report's function, and a piece. */
void sctpa_report_write(const sctpa_report_t *report, const sctpa_view_t *view, sctpa_take_fn take, void *user);
/* Appends a whole report, however long it is: for those who show it. */
void sctpa_report_append(const sctpa_report_t *report, const sctpa_view_t *view, GString *out);

/* The reports: triage, findings, setup, assocs, chunks, paths, owed, windows, rtx, learned, streams, messages, json.
 * NULL-terminated by name. */
const sctpa_report_t *sctpa_reports(void);

#endif
