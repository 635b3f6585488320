/* SPDX-License-Identifier: GPL-2.0-or-later */
// The C interfaces that the models read, as C++ sees them. Nothing else of the plugin's C is included in ui/.
#ifndef SCTPA_UI_RESULTS_H
#define SCTPA_UI_RESULTS_H

#include <glib.h>

extern "C" {
#include "report/window_table.h"
#include "../host.h"
}

#include <QString>

#include <memory>

struct SctpaTableFree {
    void operator()(sctpa_table_t *table) const { sctpa_table_free(table); }
};
struct SctpaSourceFree {
    void operator()(sctpa_window_table_source_t *source) const { sctpa_window_table_source_free(source); }
};
struct SctpaLabelsFree {
    void operator()(sctpa_labels_t *labels) const { sctpa_labels_free(labels); }
};
struct SctpaTallyFree {
    void operator()(sctpa_tally_t *tally) const { sctpa_tally_free(tally); }
};
using SctpaTable = std::unique_ptr<sctpa_table_t, SctpaTableFree>;
using SctpaLabels = std::unique_ptr<sctpa_labels_t, SctpaLabelsFree>;
using SctpaTally = std::unique_ptr<sctpa_tally_t, SctpaTallyFree>;
using SctpaSource = std::unique_ptr<sctpa_window_table_source_t, SctpaSourceFree>;

// What a function of the core or of report/ appends to a GString.
template <typename Append> QString sctpaAppended(Append append)
{
    GString *text = g_string_new(nullptr);
    append(text);
    const QString result = QString::fromUtf8(text->str, int(text->len));
    g_string_free(text, TRUE);
    return result;
}

// What an endpoint is called: "10.0.0.1:36412 (0)" where the labels spell out.
inline QString sctpaEndpointName(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end)
{
    return sctpaAppended([&](GString *out) { sctpa_labels_endpoint(labels, assoc, end, out); });
}

#endif
