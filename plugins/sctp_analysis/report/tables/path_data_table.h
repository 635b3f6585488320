/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of -z sctp,paths that are about data: retransmissions, round trips and rates per path, and what theory
 * allows. */
#ifndef SCTPA_REPORT_PATH_DATA_TABLE_H
#define SCTPA_REPORT_PATH_DATA_TABLE_H

#include "../text/address_labels.h"
#include "../view.h"

typedef struct sctpa_path_data sctpa_path_data_t;

/* labels is borrowed. */
sctpa_path_data_t *sctpa_path_data_new(sctpa_labels_t *labels);
void sctpa_path_data_free(sctpa_path_data_t *tables);

/* Adds the paths of an association that carried data or a timed heartbeat, numbers below max_paths. Cost as
 * sctpa_measure. */
void sctpa_path_data_add(sctpa_path_data_t *tables, const sctpa_selection_t *selection, const sctpa_assoc_t *assoc,
                         unsigned max_paths);

/* Appends the tables that have rows, with their headings. */
void sctpa_path_data_write(const sctpa_path_data_t *tables, GString *out);

#endif
