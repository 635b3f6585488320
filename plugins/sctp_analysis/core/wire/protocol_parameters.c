/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of protocol parameters. */
#include "protocol_parameters.h"

#include <stddef.h>

const sctpa_parameter_row_t *sctpa_parameter_row(sctpa_parameter_t parameter)
{
    static const sctpa_parameter_row_t rows[SCTPA_PARAMETERS] = {
#define SCTPA_PARAMETER_ROW(name, word, rfc_name, unit, value, clause) { word, rfc_name, clause, SCTPA_IN_##unit },
#include "protocol_parameters.def"
#undef SCTPA_PARAMETER_ROW
    };
    return &rows[parameter];
}
