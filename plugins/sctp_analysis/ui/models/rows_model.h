/* SPDX-License-Identifier: GPL-2.0-or-later */
// A table of the whole capture, whose rows are made when they are looked at, so that 100,000 of them open at once.
// Leaves what a row is to those that inherit.
#ifndef SCTPA_UI_ROWS_MODEL_H
#define SCTPA_UI_ROWS_MODEL_H

#include <QCache>

#include "table_model.h"

class SctpaRowsModel : public SctpaTableModel {
    Q_OBJECT

  public:
    explicit SctpaRowsModel(const sctpa_window_table_t *windowTable, QObject *parent = nullptr);

    QVector<SctpaKey> keys(int column) const override;

  protected:
    sctpa_cell_t cell(int row, int column) const override;
    // A table of one row.
    virtual SctpaTable makeRow(int row) const = 0;

    // Rows are made from this view from now on; it must be good until letGo.
    void lookAt(const sctpa_view_t &view);
    void letGo();
    const sctpa_view_t &view() const { return view_; }
    // To be called when rows have other numbers.
    void forgetRows() { rows_.clear(); }
    // Null: nothing is looked at.
    sctpa_window_table_source_t *source() const { return source_.get(); }

  private:
    struct Row {
        SctpaTable table;
    };

    sctpa_view_t view_ = {};
    SctpaSource source_;
    mutable QCache<int, Row> rows_;
};

#endif
