/* SPDX-License-Identifier: GPL-2.0-or-later */
// A finding, or a group of them, as a text to hand on: plain, or Markdown as issue.md of a report has it.
#ifndef SCTPA_UI_FINDING_TEXT_H
#define SCTPA_UI_FINDING_TEXT_H

#include <QString>

class SctpaTableModel;

namespace SctpaFindingText {

// table: of sctpa_window_table_findings; capture: name of its file, empty: not said.
QString plain(const SctpaTableModel &table, int row, const QString &capture);
QString markdown(const SctpaTableModel &table, int row, const QString &capture);

// "association 3" or "3 associations", "once" or "3 times".
QString where(const SctpaTableModel &table, int row);
QString howOften(const SctpaTableModel &table, int row);

}

#endif
