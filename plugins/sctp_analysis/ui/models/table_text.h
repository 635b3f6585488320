/* SPDX-License-Identifier: GPL-2.0-or-later */
// Tables as text, for the clipboard and for files. Works on any model of a SctpaTableModel, sorted and filtered or not.
#ifndef SCTPA_UI_TABLE_TEXT_H
#define SCTPA_UI_TABLE_TEXT_H

#include <QString>
#include <QVector>

class QAbstractItemModel;

namespace SctpaText {

// Heads and cells as they are shown, with a tab between columns.
QString plainText(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns);

// RFC 4180, for machines: heads of the report, numbers without separators, nothing where nothing is known. Text that
// starts with = + - @ gets a leading apostrophe, so that no spreadsheet takes it for a formula.
QString csvText(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns);

// 0, 1, ... n - 1
QVector<int> firstNumbers(int n);

}

#endif
