/* SPDX-License-Identifier: GPL-2.0-or-later */
// A table of report/ as a Qt model: its columns, its cells, what they sort by. Holds no widgets and computes no
// results.
#ifndef SCTPA_UI_TABLE_MODEL_H
#define SCTPA_UI_TABLE_MODEL_H

#include <QAbstractTableModel>
#include <QString>
#include <QVector>

#include "results.h"

// What a cell sorts by: numbers before texts, nothing known first of all.
struct SctpaKey {
    enum Kind { Nothing, Number, Text } kind = Nothing;
    double number = 0;
    QString text;

    static SctpaKey of(const sctpa_cell_t &cell);
    bool operator<(const SctpaKey &other) const;
};

class SctpaTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role {
        FrameRole = Qt::UserRole, // quint32: the frame that the cell names, invalid when it names none
        ExactRole, // of a cell: number, else text, for machines; of a column: its head as the report has it
    };

    // table is borrowed for ever: tables are constants.
    explicit SctpaTableModel(const sctpa_window_table_t *windowTable, QObject *parent = nullptr);

    const sctpa_window_table_t *windowTable() const { return windowTable_; }
    QString title() const;

    int columnCount(const QModelIndex &parent = QModelIndex()) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    // The first frame that the row names, 0 none.
    quint32 frameOfRow(int row) const;
    SctpaKey key(int row, int column) const;
    // Rows may be the heads of groups of others, which stand below them and are shown while the group is open.
    virtual bool hasGroups() const { return false; }
    // The head of a row's group, -1: it is in none. Rows of a head's group, none: it is no head.
    virtual int headOf(int row) const;
    virtual QVector<int> groupOf(int row) const;
    virtual bool isOpen(int head) const;
    // Whoever shows the table filters it anew then.
    virtual void setOpen(int head, bool isOpen);

    // Whether a column holds frames. O(columns).
    bool hasFrames() const;

    // Keys of a whole column, by row. O(rows).
    virtual QVector<SctpaKey> keys(int column) const;

  protected:
    // Texts of the cell are borrowed until the next call.
    virtual sctpa_cell_t cell(int row, int column) const = 0;
    // Whether moments are shown by a format of the host's: then their heads name no unit.
    void setFormatsMoments(bool formatsMoments);

  private:
    bool isLink(const sctpa_cell_t &cell, int column) const
    {
        return cell.is_frame || windowTable_->columns[column].holds == SCTPA_HOLDS_FRAMES;
    }
    QVariant hintOf(int section) const;
    QVariant exact(const sctpa_cell_t &cell) const;

    const sctpa_window_table_t *windowTable_;
    bool formatsMoments_ = false;
};

// The rows of one association.
class SctpaWindowTableModel : public SctpaTableModel {
    Q_OBJECT

  public:
    using SctpaTableModel::SctpaTableModel;

    int rowCount(const QModelIndex &parent = QModelIndex()) const override;

    // Takes the rows as they are now. Selections stay where they are.
    void refresh(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc);
    void clear();

  protected:
    sctpa_cell_t cell(int row, int column) const override;

  private:
    SctpaTable table_;
    int rows_ = 0;
};

#endif
