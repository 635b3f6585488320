/* SPDX-License-Identifier: GPL-2.0-or-later */
// A table in a window: heading, filter, view, and a menu to copy it, export it, choose its columns and go to its
// packets. Leaves what its rows are to the model, and what else can be done with them to the window, which adds actions
// of its own.
#ifndef SCTPA_UI_TABLE_PANE_H
#define SCTPA_UI_TABLE_PANE_H

#include <QToolButton>
#include <QWidget>

#include <functional>

#include "models/sort_proxy.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
class QTimer;
class SctpaCellDelegate;
class SctpaChoices;
class SctpaTableGroups;

class SctpaTablePane : public QWidget {
    Q_OBJECT

  public:
    enum Height {
        AllThereIs,   // grows with the window
        WhatRowsNeed, // up to a dozen rows, then it scrolls
    };

    // model and choices are borrowed.
    SctpaTablePane(SctpaTableModel *model, SctpaChoices *choices, Height height, QWidget *parent = nullptr);
    ~SctpaTablePane() override;

    QTableView *view() const { return view_; }
    SctpaSortProxy *proxy() const { return proxy_; }
    SctpaTableGroups *groups() const { return groups_; }
    // Rows of the model that are selected, in the order shown.
    QVector<int> selectedRows() const;

    // What can be done with the table. Where several stand together one button has the menu of the one in use, and
    // theirs are hidden.
    QMenu *menu() const { return menu_; }
    void hideMenuButton() { menuButton_->hide(); }
    QString title() const { return model_->title(); }
    // Its heading says that it is of the whole association.
    void setWhole(bool isWhole);
    // Adds an entry at the top of the menu, for what can be done with selected rows of the model; with none there is
    // nothing to do.
    QAction *addRowEntry(const QString &text, const std::function<void(const QVector<int> &rows)> &act);
    // Adds a widget beside the heading, which it takes over.
    void addHeadWidget(QWidget *widget);
    // The order until the user chooses one.
    void sortAtFirst(int column, Qt::SortOrder order);
    // Selects the first row until the user selects some; it is not what the menu copies and exports then.
    void selectFirst();
    // Selects the rows that name a packet instead, and shows the first. False: none is shown that does. O(rows).
    bool selectFrame(quint32 frame);
    // Shows the model as it is now.
    void settle();

    // What the menu does, for the selected rows or, without a selection, all that are shown; and columns that are
    // shown.
    QString text(bool csv) const;
    // Empty: written, else why not.
    QString exportCsv(const QString &file) const;

  Q_SIGNALS:
    // A row was chosen by double click or Enter.
    void activated(int modelRow);
    void frameWanted(quint32 frame);
    void settled();

  private:
    void makeView();
    void makeHead();
    void makeMenu();
    void fillColumnsMenu(QMenu *menu);
    void restore();
    bool isHiddenAtFirst(int column) const;
    void keep();
    void fitWidths();
    int widthOfSample(int column) const;
    void fitHeight();
    void activate(const QModelIndex &index, bool mayToggle);
    void clicked(const QModelIndex &index);
    void entered(const QModelIndex &index);
    void chooseFileAndExport();
    QVector<int> selectedShown() const;
    QVector<int> chosenRows() const;
    bool eventFilter(QObject *watched, QEvent *event) override;
    QString setting() const;

    SctpaTableModel *model_;
    SctpaSortProxy *proxy_;
    SctpaChoices *choices_;
    Height height_;
    QTableView *view_ = nullptr;
    SctpaCellDelegate *delegate_ = nullptr;
    SctpaTableGroups *groups_ = nullptr;
    QHBoxLayout *head_ = nullptr;
    QLabel *title_ = nullptr;
    QLineEdit *filter_ = nullptr;
    QComboBox *filterColumn_ = nullptr;
    QTimer *filterDelay_ = nullptr;
    QMenu *menu_ = nullptr;
    QToolButton *menuButton_ = nullptr;
    QAction *firstFixed_ = nullptr;
    // The user, now or before, chose columns, widths or an order: they are kept, and widths no longer fitted as rows
    // come.
    bool isArranged_ = false;
    bool isHeadPressed_ = false;
    bool isSelecting_ = false, hasUserSelected_ = false;
    int fittedRows_ = 0;
};

#endif
