/* SPDX-License-Identifier: GPL-2.0-or-later */
// Sorts a table by value and shows the rows that fit a filter; groups stay together, below their heads.
#ifndef SCTPA_UI_SORT_PROXY_H
#define SCTPA_UI_SORT_PROXY_H

#include <QSortFilterProxyModel>

#include "table_model.h"

class SctpaSortProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    static constexpr int AnyColumn = -1;

    explicit SctpaSortProxy(SctpaTableModel *model, QObject *parent = nullptr);

    SctpaTableModel *table() const { return table_; }

    // Shows rows whose cell in column contains text, whatever its case, or, for a text such as ">= 10", whose number is
    // so. An empty text shows all. Columns that explain are looked in only when one is chosen.
    void setFilter(int column, const QString &text);
    // Sorts and filters anew, after the table changed.
    void settle();
    // Whether the filter lets a row of the table pass, by what it says itself.
    bool fits(int row) const;
    // Heads that are shown stand as far from the edges of their columns as cells do.
    static constexpr QChar Room = QChar(0x00A0);
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

  private:
    enum Comparison { Contains, Less, LessOrEqual, Equal, GreaterOrEqual, Greater };

    bool accepts(int row, int column) const;
    bool isLess(int left, int right) const;
    void forgetKeys()
    {
        keysColumn_ = AnyColumn;
        keys_.clear();
    }

    SctpaTableModel *table_;
    int filterColumn_ = AnyColumn;
    QString filterText_;
    Comparison comparison_ = Contains;
    double filterNumber_ = 0;
    mutable int keysColumn_ = AnyColumn;
    mutable QVector<SctpaKey> keys_;
};

#endif
