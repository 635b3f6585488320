/* SPDX-License-Identifier: GPL-2.0-or-later */
// Pages of an association; only the one that is looked at is kept up to date.
#include "assoc_window.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "choices.h"
#include "finding_panel.h"
#include "models/assocs_model.h"
#include "table_pane.h"

namespace {

const QSize FirstSize(1200, 700);
constexpr int NarrowColumns = 3;
const char *const PageSetting = "association/page";

}

SctpaAssocWindow::SctpaAssocWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("association"), FirstSize, parent),
      association_(new SctpaAssociation(capture, number, this)), tabs_(new QTabWidget(this))
{
    for (const SctpaAssociation::Page &page : association_->pages())
        addPage(page);
    addTableButton();
    addTimeLine();
    contents()->addWidget(tabs_);
    addButtons();
    tabs_->setCurrentIndex(qBound(0, choices->number(QLatin1String(PageSetting), 0), tabs_->count() - 1));
    connect(tabs_, &QTabWidget::currentChanged, this, [this] { follow(); });
    follow();
    tabs_->tabBar()->setFocus();
}

SctpaAssocWindow::~SctpaAssocWindow()
{
    choices()->keepNumber(QLatin1String(PageSetting), tabs_->currentIndex());
    // Before its models, and without asking for another page.
    tabs_->disconnect(this);
    qApp->disconnect(this);
    delete tabs_;
}

QWidget *SctpaAssocWindow::panelOf(SctpaTablePane *pane)
{
    auto *panel = new SctpaFindingPanel(pane, capture(), pane->parentWidget());
    pane->sortAtFirst(SCTPA_FINDING_LEVEL, Qt::AscendingOrder);
    connect(panel, &SctpaFindingPanel::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    return panel;
}

SctpaTablePane *SctpaAssocWindow::makePane(SctpaWindowTableModel *windowTable, bool fills, QWidget *parent)
{
    auto *pane = new SctpaTablePane(windowTable, choices(),
                                    fills ? SctpaTablePane::AllThereIs : SctpaTablePane::WhatRowsNeed, parent);
    connect(pane, &SctpaTablePane::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(pane, &SctpaTablePane::activated, this, [this, windowTable](int row) {
        const quint32 frame = windowTable->frameOfRow(row);
        if (frame != 0)
            goToFrame(frame);
    });
    if (windowTable->hasFrames())
        pane->addRowEntry(tr("Show in &Graph"), [this, windowTable](const QVector<int> &rows) {
            const bool isFinding = windowTable->windowTable() == &sctpa_window_table_findings;
            const QModelIndex rule = windowTable->index(rows.first(), SCTPA_FINDING_RULE);
            const quint32 frame = windowTable->frameOfRow(rows.first());
            if (frame == 0)
                complain(tr("This row names no packet."));
            else
                Q_EMIT inGraphsWanted(association_->number(), frame, isFinding ? rule.data().toString() : QString());
        });
    pane->hideMenuButton();
    return pane;
}

void SctpaAssocWindow::addPage(const SctpaAssociation::Page &page)
{
    const bool isAside =
        std::all_of(page.windowTables.cbegin(), page.windowTables.cend(), [](const SctpaWindowTableModel *windowTable) {
            return windowTable->columnCount() <= NarrowColumns;
        });
    const bool fills = isAside || page.windowTables.size() == 1;
    auto *body = new QWidget;
    auto *layout = new QBoxLayout(isAside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, body);
    auto *nothing = new QLabel(body);
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setEnabled(false);
    nothing->setWordWrap(true);
    panes_.append(QVector<SctpaTablePane *>());
    isFrameWanted_.append(false);
    namesFrame_.append(false);
    for (SctpaWindowTableModel *windowTable : page.windowTables) {
        SctpaTablePane *pane = makePane(windowTable, fills, body);
        layout->addWidget(pane, fills ? windowTable->columnCount() * windowTable->columnCount() : 0);
        panes_.last().append(pane);
        if (windowTable->windowTable() == &sctpa_window_table_findings)
            layout->addWidget(panelOf(pane), 1);
    }
    layout->addWidget(nothing, fills ? 1 : 0);
    if (!fills)
        layout->addStretch();
    nothings_.append(nothing);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(body);
    tabs_->setTabToolTip(tabs_->addTab(scroll, page.title), page.answers);
}

// One for all tables: those of a page are small, and a button each would outnumber their rows.
void SctpaAssocWindow::addTableButton()
{
    tableButton_ = new QToolButton(tabs_);
    tableButton_->setPopupMode(QToolButton::InstantPopup);
    tableButton_->setToolTip(tr("Copy, export, choose columns of the table last clicked"));
    tabs_->setCornerWidget(tableButton_);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, const QWidget *now) {
        for (SctpaTablePane *pane : std::as_const(panes_[tabs_->currentIndex()]))
            if (now && pane->isAncestorOf(now))
                use(pane);
    });
}

void SctpaAssocWindow::use(SctpaTablePane *pane)
{
    inUse_ = pane;
    tableButton_->setEnabled(pane);
    tableButton_->setMenu(pane ? pane->menu() : nullptr);
    tableButton_->setText(pane ? tr("Table: %1").arg(pane->title().section(QLatin1String(" ("), 0, 0)) : tr("Table"));
}

// Says that not everything is counted, and ends that.
void SctpaAssocWindow::addTimeLine()
{
    timeLine_ = new QFrame(this);
    static_cast<QFrame *>(timeLine_)->setFrameShape(QFrame::StyledPanel);
    timeLine_->setObjectName(QStringLiteral("time"));
    timeText_ = new QLabel(timeLine_);
    timeText_->setWordWrap(true);
    timeText_->setTextFormat(Qt::PlainText);
    auto *all = new QPushButton(tr("Show Who&le Capture"), timeLine_);
    all->setAutoDefault(false);
    auto *layout = new QHBoxLayout(timeLine_);
    layout->addWidget(timeText_, 1);
    layout->addWidget(all);
    connect(all, &QPushButton::clicked, this, &SctpaAssocWindow::clearTime);
    contents()->addWidget(timeLine_);
    timeLine_->hide();
}

void SctpaAssocWindow::showTime(qint64 fromNs, qint64 toNs)
{
    association_->setTime(fromNs, toNs);
    follow();
}

void SctpaAssocWindow::clearTime()
{
    association_->clearTime();
    follow();
}

void SctpaAssocWindow::addButtons()
{
    connect(addButton(tr("&Graphs")), &QPushButton::clicked, this,
            [this] { Q_EMIT graphsWanted(association_->number()); });
    connect(addButton(tr("La&dder")), &QPushButton::clicked, this,
            [this] { Q_EMIT ladderWanted(association_->number()); });
    connect(addButton(tr("Go to &First Packet")), &QPushButton::clicked, this,
            [this] { goToFrame(association_->firstFrame()); });
    connect(addButton(tr("&Apply as Display Filter")), &QPushButton::clicked, this,
            [this] { applyFilter(SctpaAssocsModel::filterFor({ association_->number() })); });
    addReport();
}

void SctpaAssocWindow::follow()
{
    association_->refresh(tabs_->currentIndex());
    settle();
}

void SctpaAssocWindow::letGo()
{
    frame_ = 0;
    isFrameWanted_.fill(false);
    use(nullptr);
    association_->clear();
    for (const QVector<SctpaTablePane *> &page : std::as_const(panes_))
        for (SctpaTablePane *pane : page)
            pane->settle();
    updateStatus();
}

void SctpaAssocWindow::selectFrame(quint32 frame)
{
    frame_ = frame;
    isFrameWanted_.fill(frame != 0);
    follow();
}

// Where no packet is wanted, the first row that leads to one is selected, until the user selects others.
void SctpaAssocWindow::selectRows(int page)
{
    if (isFrameWanted_.at(page)) {
        namesFrame_[page] = false;
        for (SctpaTablePane *pane : std::as_const(panes_[page]))
            namesFrame_[page] |= pane->selectFrame(frame_);
        isFrameWanted_[page] = false;
    }
    for (SctpaTablePane *pane : std::as_const(panes_[page]))
        if (pane->proxy()->rowCount() > 0 && pane->proxy()->table()->hasFrames()) {
            pane->selectFirst();
            return;
        }
}

// Tables without rows take no room.
void SctpaAssocWindow::settle()
{
    const int page = tabs_->currentIndex();
    bool isEmpty = true;
    SctpaTablePane *first = nullptr;
    for (SctpaTablePane *pane : std::as_const(panes_[page])) {
        const bool hasRows = pane->proxy()->table()->rowCount() > 0;
        pane->settle();
        pane->setVisible(hasRows);
        pane->setWhole(association_->hasTime() && pane->proxy()->table()->windowTable()->is_whole);
        isEmpty &= !hasRows;
        first = first || !hasRows ? first : pane;
    }
    const bool isInUse = panes_[page].contains(inUse_) && inUse_->proxy()->table()->rowCount() > 0;
    if (!isInUse)
        use(first);
    selectRows(page);
    nothings_.at(page)->setVisible(isEmpty);
    const SctpaAssociation::Page &shown = association_->pages().at(page);
    nothings_.at(page)->setText(!association_->hasMessages() && !shown.withoutMessages.isEmpty() ? shown.withoutMessages
                                : association_->hasTime() ? tr("Nothing in the selected time range.")
                                                          : shown.whenEmpty);
    updateStatus();
}

void SctpaAssocWindow::updateStatus()
{
    const QString file = association_->file();
    const bool isShown = association_->state() == SctpaAssociation::Shown;
    setWindowTitle(file.isEmpty() ? tr("SCTP Association %1").arg(association_->name())
                                  : tr("SCTP Association %1 · %2").arg(association_->name(), file));
    timeLine_->setVisible(association_->hasTime());
    timeText_->setText(
        tr("Only packets from %1 are counted. Set-up values and tables marked \"whole association\" cover everything.")
            .arg(association_->timeText()));
    for (QAbstractButton *button : buttons()->buttons())
        if (buttons()->buttonRole(button) == QDialogButtonBox::ActionRole)
            button->setEnabled(isShown);
    if (isShown && frame_ != 0)
        setStatus((namesFrame_.at(tabs_->currentIndex()) ? tr("Rows that name packet %1 are selected.")
                                                         : tr("No table of this page names packet %1."))
                      .arg(frame_));
    else if (isShown)
        setStatus(QString());
    else if (association_->state() == SctpaAssociation::Gone)
        setStatus(tr("This association is not in the open capture."));
    else
        setStatus(tr("No capture is open."));
}
