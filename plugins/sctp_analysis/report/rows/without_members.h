/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tables make of rows that JSON alone shows. */
#define SCTPA_FIELD(type, key, value, meaning)
#define SCTPA_MAYBE(type, key, condition, value, meaning)
#define SCTPA_WORD(list, key, value, meaning)
#define SCTPA_MAYBE_WORD(list, key, value, meaning)
#define SCTPA_OBJECT(section, key, write, of, meaning)
#define SCTPA_MAYBE_OBJECT(section, key, write, of, meaning)
#define SCTPA_LIST(section, key, write, of, meaning)
