/* SPDX-License-Identifier: GPL-2.0-or-later */
// Cells of a table: with room beside their texts, hints for texts that are cut off, and, where rows are grouped, arrows
// before the heads of groups and room before their rows.
#ifndef SCTPA_UI_CELL_DELEGATE_H
#define SCTPA_UI_CELL_DELEGATE_H

#include <QStyledItemDelegate>

#include "models/sort_proxy.h"

class QTableView;

class SctpaCellDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    // view shows proxy; borrowed, and the owner of this.
    SctpaCellDelegate(QTableView *view, const SctpaSortProxy *proxy);

    // In the order on the screen.
    QVector<int> shownColumns() const;
    // Is this the column that the arrows stand in: the first that is shown?
    bool isFirst(int column) const;

    QString displayText(const QVariant &value, const QLocale &locale) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

  protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

  private:
    // Before the text of a cell in the first column of a grouped table; 0 elsewhere.
    int indentation(const QModelIndex &index, int step) const;

    QTableView *view_;
    const SctpaSortProxy *proxy_;
};

#endif
