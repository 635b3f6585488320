/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window of one association: its pages as tabs.
#ifndef SCTPA_UI_ASSOC_WINDOW_H
#define SCTPA_UI_ASSOC_WINDOW_H

#include <QVector>

#include "models/association.h"
#include "window.h"

class QLabel;
class QTabWidget;
class QToolButton;

class SctpaAssocWindow : public SctpaWindow {
    Q_OBJECT

  public:
    SctpaAssocWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent);
    ~SctpaAssocWindow() override;

    SctpaAssociation *association() const { return association_; }
    QTabWidget *tabs() const { return tabs_; }
    QVector<SctpaTablePane *> panes(int page) const { return panes_.at(page); }
    // Whose menu the button beside the tabs has: the table last used on the page, at first the first one with rows.
    SctpaTablePane *tableInUse() const { return inUse_; }
    const QToolButton *tableButton() const { return tableButton_; }
    // Counts only packets between two moments, until the user or clearTime wants all again. ns since the epoch.
    void showTime(qint64 fromNs, qint64 toNs);
    void clearTime();
    // Selects the rows that name a packet, on each page as it is looked at, and says where there are none.
    void selectFrame(quint32 frame);

  Q_SIGNALS:
    void graphsWanted(quint32 number);
    void ladderWanted(quint32 number);
    // A packet that a row names is to be shown in the graphs; rule: the id of the one that it violates, or empty.
    void inGraphsWanted(quint32 number, quint32 frame, const QString &rule);

  protected:
    void follow() override;
    void letGo() override;
    quint32 reportedAssoc() const override { return association_->number(); }

  private:
    QWidget *panelOf(SctpaTablePane *pane);
    void addPage(const SctpaAssociation::Page &page);
    SctpaTablePane *makePane(SctpaWindowTableModel *windowTable, bool fills, QWidget *parent);
    void addTimeLine();
    void addTableButton();
    void use(SctpaTablePane *pane);
    void addButtons();
    void settle();
    void selectRows(int page);
    void updateStatus();

    SctpaAssociation *association_;
    QTabWidget *tabs_;
    QVector<QVector<SctpaTablePane *>> panes_;
    QToolButton *tableButton_ = nullptr;
    SctpaTablePane *inUse_ = nullptr;
    QVector<QLabel *> nothings_; // by page: what says that there is nothing
    QWidget *timeLine_ = nullptr;
    QLabel *timeText_ = nullptr;
    quint32 frame_ = 0;           // of the packet whose rows are selected, 0 none
    QVector<bool> isFrameWanted_; // by page: it was not looked at since
    QVector<bool> namesFrame_;    // by page
};

#endif
