/* SPDX-License-Identifier: GPL-2.0-or-later */
// Tables and findings in them as text, for the clipboard, for files, and to hand on.
#ifndef SCTPA_UI_TABLE_TEXT_H
#define SCTPA_UI_TABLE_TEXT_H

#include <QString>
#include <QVector>

class QAbstractItemModel;
class SctpaTableModel;

// Works on any model of a SctpaTableModel, sorted and filtered or not.
namespace SctpaText {

// Heads and cells as they are shown, with a tab between columns.
QString plainText(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns);

// RFC 4180, for machines: heads of the report, numbers without separators, nothing where nothing is known. Text that
// starts with = + - @ gets a leading apostrophe, so that no spreadsheet takes it for a formula.
QString csvText(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns);

// 0, 1, ... n - 1
QVector<int> firstNumbers(int n);

}

// A finding, or a group of them: plain, or Markdown as issue.md of a report has it. All that is said stands in the row.
namespace SctpaFindingText {

// table: of sctpa_window_table_findings; capture: name of its file, empty: not said.
QString plain(const SctpaTableModel &table, int row, const QString &capture);
QString markdown(const SctpaTableModel &table, int row, const QString &capture);

// "association 3" or "3 associations", "once" or "3 times".
QString where(const SctpaTableModel &table, int row);
QString howOften(const SctpaTableModel &table, int row);

}

#endif
