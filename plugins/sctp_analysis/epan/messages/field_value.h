/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of Wireshark's fields, and the names that Wireshark has for them. */
#ifndef SCTPA_EPAN_FIELD_VALUE_H
#define SCTPA_EPAN_FIELD_VALUE_H

#include <epan/proto.h>

#include <stdint.h>

/* The value of an integer field, a flag, or a text of decimal digits; 0 of others. O(digits). */
uint64_t sctpa_field_value_number(const field_info *field);

/* The name of the value by the strings with which the field is registered; NULL: it has none. Valid as long as
 * Wireshark. O(names). */
const char *sctpa_field_value_name(const field_info *field);

#endif
