/* SPDX-License-Identifier: GPL-2.0-or-later */
// Keeps the rows that were looked at last.
#include "rows_model.h"

namespace {

constexpr int RowsKept = 4096;

}

SctpaRowsModel::SctpaRowsModel(const sctpa_window_table_t *windowTable, QObject *parent)
    : SctpaTableModel(windowTable, parent), rows_(RowsKept)
{
}

sctpa_cell_t SctpaRowsModel::cell(int row, int column) const
{
    Row *made = rows_.object(row);
    if (!made) {
        made = new Row{ makeRow(row) };
        rows_.insert(row, made);
    }
    return sctpa_table_cell(made->table.get(), 0, unsigned(column));
}

void SctpaRowsModel::lookAt(const sctpa_view_t &view)
{
    view_ = view;
    view_.file = nullptr;
    source_.reset(sctpa_window_table_source_new(&view_));
    rows_.clear();
    setFormatsMoments(view_.moment != nullptr);
}

void SctpaRowsModel::letGo()
{
    rows_.clear();
    source_.reset();
    view_ = {};
}

// Not through the cache: a column of many rows would only empty it.
QVector<SctpaKey> SctpaRowsModel::keys(int column) const
{
    QVector<SctpaKey> keys;
    const int rows = rowCount();
    keys.reserve(rows);
    for (int row = 0; row < rows; row++) {
        const SctpaTable table = makeRow(row);
        keys.append(SctpaKey::of(sctpa_table_cell(table.get(), 0, unsigned(column))));
    }
    return keys;
}
