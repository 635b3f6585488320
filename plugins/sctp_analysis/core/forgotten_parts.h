/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of which association a part was forgotten, by the ways that its later packets go. Old ones are dropped, and those
 * beyond a number of bytes, the oldest first. */
#ifndef SCTPA_CORE_FORGOTTEN_PARTS_H
#define SCTPA_CORE_FORGOTTEN_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sctpa_forgotten_parts sctpa_forgotten_parts_t;

sctpa_forgotten_parts_t *sctpa_forgotten_parts_new(size_t bytes_most);
void sctpa_forgotten_parts_free(sctpa_forgotten_parts_t *parts);

/* Packets that go this way until then, by the caller's clock, which never goes back, nor does until_ns from call to
 * call, are of the association with this number. O(1). */
void sctpa_forgotten_parts_add(sctpa_forgotten_parts_t *parts, uint64_t way, uint32_t number, int64_t until_ns);
/* Takes out the number of the association whose packets go this way. False: there is none. O(1). */
bool sctpa_forgotten_parts_take(sctpa_forgotten_parts_t *parts, uint64_t way, uint32_t *number);
/* Drops those whose time is over. O(1), amortised. */
void sctpa_forgotten_parts_drop_old(sctpa_forgotten_parts_t *parts, int64_t now_ns);
/* Memory that they take. O(1). */
size_t sctpa_forgotten_parts_bytes(const sctpa_forgotten_parts_t *parts);

#endif
