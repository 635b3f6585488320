/* SPDX-License-Identifier: GPL-2.0-or-later */
// Opens and closes the groups of a table: by a click on an arrow, by the keys → and ←, by double click and Enter, and
// all at once by its menu. Leaves which rows belong together to the model.
#ifndef SCTPA_UI_TABLE_GROUPS_H
#define SCTPA_UI_TABLE_GROUPS_H

#include <QObject>

#include "models/sort_proxy.h"

class QMenu;
class QTableView;
class SctpaCellDelegate;

class SctpaTableGroups : public QObject {
    Q_OBJECT

  public:
    // All are borrowed; delegate is that of the view, which shows proxy.
    SctpaTableGroups(QTableView *view, SctpaSortProxy *proxy, const SctpaCellDelegate *delegate, QObject *parent);

    // Adds the entries for all groups, shown while there are some.
    void addEntries(QMenu *menu);
    // Of a row of the model. False: it is no head.
    bool toggle(int row);
    void setAllOpen(bool isOpen);
    // Is this the arrow of a head?
    bool isArrow(const QModelIndex &index) const;

  Q_SIGNALS:
    // Other rows are shown.
    void changed();

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    int rowOf(const QModelIndex &index) const { return proxy_->mapToSource(index).row(); }
    bool isHead(int row) const { return !proxy_->table()->groupOf(row).isEmpty(); }
    bool open(const QModelIndex &index);
    bool leave(const QModelIndex &index);

    QTableView *view_;
    SctpaSortProxy *proxy_;
    const SctpaCellDelegate *delegate_;
};

#endif
