/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of records: among the records of one array, those of one TSN or one path, each leading to the one before it. A
 * second way leads further back, so that a record of the past is found in O(log chain) (Myers, "An applicative
 * random-access stack", 1983). */
#ifndef SCTPA_BASE_CHAIN_H
#define SCTPA_BASE_CHAIN_H

#include "records.h"

/* In a record, how its chain goes on. All zero: it is in none. */
typedef struct {
    uint32_t before; /* 1 + index of the one before, 0 none */
    uint32_t skip;   /* 1 + index of one further back, 0 none */
    uint32_t number; /* 1, 2, ... in its chain */
} sctpa_link_t;

/* Where the links of an array are. */
typedef struct {
    const sctpa_records_t *records;
    size_t bytes;   /* of a record */
    size_t link_at; /* of its sctpa_link_t */
} sctpa_chain_t;

#define SCTPA_CHAIN(records, type, member) ((sctpa_chain_t){ records, sizeof(type), offsetof(type, member) })

/* The link of a record that is to follow newest (1 + index, 0 none) in its chain. O(1). */
sctpa_link_t sctpa_chain_link(sctpa_chain_t chain, uint32_t newest);
/* 1 + index of the newest record of the chain that ends at newest whose key is at most key, 0 none; keys ascend along
 * the chain. O(log length of the chain). */
uint32_t sctpa_chain_find(sctpa_chain_t chain, uint32_t newest, uint32_t key);

#endif
