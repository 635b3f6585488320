/* SPDX-License-Identifier: GPL-2.0-or-later */
// One row per association, and what can be done with the selected ones.
#include "assocs_window.h"

#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include "table_pane.h"

namespace {

const QSize FirstSize(1100, 500);

}

SctpaAssocsWindow::SctpaAssocsWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("associations"), FirstSize, parent),
      model_(new SctpaAssocsModel(this)), pane_(new SctpaTablePane(model_, choices, SctpaTablePane::AllThereIs, this))
{
    contents()->addWidget(pane_);
    addActionsForRows();
    connect(pane_, &SctpaTablePane::activated, this, [this](int row) { Q_EMIT assocWanted(model_->numberOfRow(row)); });
    connect(pane_, &SctpaTablePane::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(pane_, &SctpaTablePane::settled, this, &SctpaAssocsWindow::updateStatus);
    follow();
    pane_->view()->setFocus();
}

// Before its model.
SctpaAssocsWindow::~SctpaAssocsWindow()
{
    delete pane_;
}

void SctpaAssocsWindow::addActionsForRows()
{
    addRowAction(pane_, tr("&Open"),
                 [this](const QVector<int> &rows) { Q_EMIT assocWanted(model_->numberOfRow(rows.first())); });
    addRowAction(pane_, tr("&Graphs"),
                 [this](const QVector<int> &rows) { Q_EMIT graphsWanted(model_->numberOfRow(rows.first())); });
    addRowAction(pane_, tr("Go to &First Packet"),
                 [this](const QVector<int> &rows) { goToFrame(model_->frameOfRow(rows.first())); });
    addRowAction(pane_, tr("&Apply as Display Filter"), [this](const QVector<int> &rows) {
        QVector<quint32> numbers;
        for (int row : rows)
            numbers.append(model_->numberOfRow(row));
        applyFilter(SctpaAssocsModel::filterFor(numbers));
    });
    addReport();
}

quint32 SctpaAssocsWindow::reportedAssoc() const
{
    const QVector<int> rows = pane_->selectedRows();
    return rows.isEmpty() ? quint32(SCTPA_NO_ASSOC) : model_->numberOfRow(rows.first());
}

void SctpaAssocsWindow::follow()
{
    sctpa_view_t view;
    isOpen_ = capture()->look(&view);
    if (isOpen_)
        model_->refresh(view);
    else
        model_->clear();
    Qt::SortOrder order = Qt::AscendingOrder;
    const int worst = isOpen_ && !isSorted_ ? model_->worstColumn(&order) : -1;
    if (worst >= 0) {
        pane_->sortAtFirst(worst, order);
        isSorted_ = true;
    }
    pane_->settle();
    pane_->selectFirst();
}

void SctpaAssocsWindow::letGo()
{
    isOpen_ = false;
    model_->clear();
    pane_->settle();
}

void SctpaAssocsWindow::updateStatus()
{
    const QString name = capture()->name();
    const QLocale locale = QLocale::c();
    const int all = model_->rowCount(), shown = pane_->proxy()->rowCount();
    setWindowTitle(name.isEmpty() ? tr("SCTP Associations") : tr("SCTP Associations · %1").arg(name));
    if (!isOpen_)
        setStatus(tr("No capture is open."));
    else if (all == 0)
        setStatus(tr("The capture has no SCTP association."));
    else if (shown < all)
        setStatus(tr("%1 of %2 associations").arg(locale.toString(shown), locale.toString(all)));
    else if (all == 1)
        setStatus(tr("1 association"));
    else
        setStatus(tr("%1 associations").arg(locale.toString(all)));
}
