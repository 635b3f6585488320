/* SPDX-License-Identifier: GPL-2.0-or-later */
// The proxy is filtered anew whenever a group opens or closes; selections stay.
#include "table_groups.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>

#include "cell_delegate.h"

SctpaTableGroups::SctpaTableGroups(QTableView *view, SctpaSortProxy *proxy, const SctpaCellDelegate *delegate,
                                   QObject *parent)
    : QObject(parent), view_(view), proxy_(proxy), delegate_(delegate)
{
    view_->installEventFilter(this);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (isArrow(index))
            toggle(rowOf(index));
    });
}

void SctpaTableGroups::addEntries(QMenu *menu)
{
    QAction *before = menu->addSeparator();
    QAction *open = menu->addAction(tr("Open All &Groups"), this, [this] { setAllOpen(true); });
    QAction *close = menu->addAction(tr("C&lose All Groups"), this, [this] { setAllOpen(false); });
    connect(menu, &QMenu::aboutToShow, this, [this, before, open, close] {
        for (QAction *entry : { before, open, close })
            entry->setVisible(proxy_->table()->hasGroups());
    });
}

bool SctpaTableGroups::isArrow(const QModelIndex &index) const
{
    return index.isValid() && delegate_->isFirst(index.column()) && isHead(rowOf(index));
}

bool SctpaTableGroups::toggle(int row)
{
    if (!isHead(row))
        return false;
    proxy_->table()->setOpen(row, !proxy_->table()->isOpen(row));
    proxy_->settle();
    Q_EMIT changed();
    return true;
}

void SctpaTableGroups::setAllOpen(bool isOpen)
{
    for (int row = 0; row < proxy_->table()->rowCount(); row++)
        if (isHead(row))
            proxy_->table()->setOpen(row, isOpen);
    proxy_->settle();
    Q_EMIT changed();
}

bool SctpaTableGroups::open(const QModelIndex &index)
{
    const int row = rowOf(index);
    return isHead(row) && !proxy_->table()->isOpen(row) && toggle(row);
}

// Closes the group of a head, goes from another row of it to the head.
bool SctpaTableGroups::leave(const QModelIndex &index)
{
    const int row = rowOf(index), head = proxy_->table()->headOf(row);
    if (head >= 0)
        view_->setCurrentIndex(proxy_->mapFromSource(proxy_->table()->index(head, index.column())));
    return head >= 0 || (isHead(row) && proxy_->table()->isOpen(row) && toggle(row));
}

bool SctpaTableGroups::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == view_ && event->type() == QEvent::KeyPress && view_->currentIndex().isValid()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = !(key->modifiers() & ~Qt::KeypadModifier);
        if (isPlain && key->key() == Qt::Key_Right && open(view_->currentIndex()))
            return true;
        if (isPlain && key->key() == Qt::Key_Left && leave(view_->currentIndex()))
            return true;
    }
    return QObject::eventFilter(watched, event);
}
