/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header fields and subtrees of sctp.analysis. */
#ifndef SCTPA_EPAN_FIELD_REGISTRATION_H
#define SCTPA_EPAN_FIELD_REGISTRATION_H

#include <epan/packet.h>

#include "sctpa.h"

typedef enum {
#define RESULT(id, ...) SCTPA_RESULT_##id,
#include "analysis_fields.def"
    SCTPA_RESULTS
} sctpa_result_t;

/* sctp: the built-in protocol, parent of all fields. */
void sctpa_fields_register(int sctp);

/* Does anybody look at a field of the analysis in tree? A filter on the built-in's fields alone does not.
 * O(SCTPA_RESULTS). */
bool sctpa_fields_results_are_wanted(proto_tree *tree);

/* Wireshark's id of a field of the analysis, of a decoded field. */
int sctpa_fields_result(sctpa_result_t result);
int sctpa_fields_decoded(sctpa_field_id_t field);
/* How proto_tree_add_item reads a decoded field. */
unsigned sctpa_fields_encoding(sctpa_field_id_t field);
/* Subtree ids: of sctp.analysis, and of everything decoded. */
int sctpa_fields_subtree(void);
int sctpa_fields_decoded_subtree(void);

#endif
