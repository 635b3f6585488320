/* SPDX-License-Identifier: GPL-2.0-or-later */
// An arrow takes the place of an icon.
#include "cell_delegate.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>

namespace {

constexpr QChar Room = SctpaSortProxy::Room;

int stepOf(const QStyleOptionViewItem &option)
{
    return option.fontMetrics.height();
}

}

SctpaCellDelegate::SctpaCellDelegate(QTableView *view, const SctpaSortProxy *proxy)
    : QStyledItemDelegate(view), view_(view), proxy_(proxy)
{
}

QVector<int> SctpaCellDelegate::shownColumns() const
{
    const QHeaderView *head = view_->horizontalHeader();
    QVector<int> columns;
    for (int at = 0; at < head->count(); at++)
        if (!head->isSectionHidden(head->logicalIndex(at)))
            columns.append(head->logicalIndex(at));
    return columns;
}

bool SctpaCellDelegate::isFirst(int column) const
{
    return shownColumns().value(0, -1) == column;
}

QString SctpaCellDelegate::displayText(const QVariant &value, const QLocale &) const
{
    return Room + value.toString() + Room;
}

int SctpaCellDelegate::indentation(const QModelIndex &index, int step) const
{
    const SctpaTableModel *table = proxy_->table();
    if (!table->hasGroups() || !isFirst(index.column()))
        return 0;
    return table->headOf(proxy_->mapToSource(index).row()) < 0 ? step : 2 * step;
}

void SctpaCellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const int width = indentation(index, stepOf(*option));
    if (width == 0)
        return;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(width, 1);
}

void SctpaCellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const int step = stepOf(option), row = indentation(index, step) > 0 ? proxy_->mapToSource(index).row() : -1;
    if (row < 0 || proxy_->table()->groupOf(row).isEmpty())
        return;
    QStyleOptionViewItem arrow(option);
    const bool isSelected = option.state & QStyle::State_Selected;
    const QPalette::ColorGroup group = option.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
    const QColor ink = option.palette.color(group, isSelected ? QPalette::HighlightedText : QPalette::Text);
    for (QPalette::ColorRole role : { QPalette::Text, QPalette::ButtonText, QPalette::WindowText })
        arrow.palette.setColor(role, ink);
    arrow.rect = QRect(option.rect.left() + step / 4, option.rect.center().y() - step / 2, step, step);
    view_->style()->drawPrimitive(proxy_->table()->isOpen(row) ? QStyle::PE_IndicatorArrowDown
                                                               : QStyle::PE_IndicatorArrowRight,
                                  &arrow, painter, view_);
}

// As for a row of a group, so that opening one cuts nothing off.
QSize SctpaCellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int step = stepOf(option), width = indentation(index, step);
    return QStyledItemDelegate::sizeHint(option, index) + QSize(width > 0 ? 2 * step - width : 0, 0);
}

bool SctpaCellDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                                  const QModelIndex &index)
{
    const QString text = index.data().toString();
    if (event->type() != QEvent::ToolTip ||
        option.fontMetrics.horizontalAdvance(Room + text + Room) + indentation(index, stepOf(option)) <=
            option.rect.width())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(), QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped()), view);
    return true;
}
