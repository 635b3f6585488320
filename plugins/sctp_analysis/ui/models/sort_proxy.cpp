/* SPDX-License-Identifier: GPL-2.0-or-later */
// Sorting by the keys of a column, which are fetched once per sort.
#include "sort_proxy.h"

#include <QRegularExpression>

#include <algorithm>

SctpaSortProxy::SctpaSortProxy(SctpaTableModel *model, QObject *parent) : QSortFilterProxyModel(parent), table_(model)
{
    // Connected before the base class listens: it must not compare by keys of rows that are gone.
    connect(model, &QAbstractItemModel::dataChanged, this, &SctpaSortProxy::forgetKeys);
    connect(model, &QAbstractItemModel::modelReset, this, &SctpaSortProxy::forgetKeys);
    connect(model, &QAbstractItemModel::rowsInserted, this, &SctpaSortProxy::forgetKeys);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &SctpaSortProxy::forgetKeys);
    // A live capture changes every row twice a second; settle sorts once instead.
    setDynamicSortFilter(false);
    setSourceModel(model);
}

void SctpaSortProxy::setFilter(int column, const QString &text)
{
    static const QRegularExpression pattern(
        QStringLiteral("^\\s*(<=|>=|<|>|=)\\s*(-?[0-9][0-9,]*(?:\\.[0-9]+)?)\\s*$"));
    const QRegularExpressionMatch match = pattern.match(text);
    const QStringList signs = { QString(),           QStringLiteral("<"),  QStringLiteral("<="),
                                QStringLiteral("="), QStringLiteral(">="), QStringLiteral(">") };
    filterColumn_ = column;
    filterText_ = text.trimmed();
    comparison_ = match.hasMatch() ? Comparison(signs.indexOf(match.captured(1))) : Contains;
    filterNumber_ = match.captured(2).remove(QLatin1Char(',')).toDouble();
    // Sorted anew as well: rows that come back stand in no order.
    settle();
}

QVariant SctpaSortProxy::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QVariant head = QSortFilterProxyModel::headerData(section, orientation, role);
    return role == Qt::DisplayRole ? QVariant(Room + head.toString() + Room) : head;
}

void SctpaSortProxy::settle()
{
    forgetKeys();
    invalidate();
}

bool SctpaSortProxy::isLess(int left, int right) const
{
    return keys_.at(left) < keys_.at(right);
}

bool SctpaSortProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    if (keysColumn_ != left.column() || keys_.size() != table_->rowCount()) {
        keysColumn_ = left.column();
        keys_ = table_->keys(keysColumn_);
    }
    const int a = left.row(), b = right.row(), headA = table_->headOf(a), headB = table_->headOf(b);
    const int groupA = headA < 0 ? a : headA, groupB = headB < 0 ? b : headB;
    // A head stands above its group, whatever the order.
    if (groupA == groupB && (headA < 0) != (headB < 0))
        return (headA < 0) == (sortOrder() == Qt::AscendingOrder);
    if (groupA == groupB || !table_->hasGroups())
        return isLess(a, b);
    // Groups stay together, those with equal keys too.
    return isLess(groupA, groupB) || (!isLess(groupB, groupA) && groupA < groupB);
}

bool SctpaSortProxy::accepts(int row, int column) const
{
    if (comparison_ == Contains)
        return table_->index(row, column).data().toString().contains(filterText_, Qt::CaseInsensitive);
    const SctpaKey key = table_->key(row, column);
    if (key.kind != SctpaKey::Number)
        return false;
    switch (comparison_) {
    case Less: return key.number < filterNumber_;
    case LessOrEqual: return key.number <= filterNumber_;
    case GreaterOrEqual: return key.number >= filterNumber_;
    case Greater: return key.number > filterNumber_;
    default: return key.number == filterNumber_;
    }
}

bool SctpaSortProxy::fits(int row) const
{
    if (filterText_.isEmpty())
        return true;
    if (filterColumn_ != AnyColumn)
        return accepts(row, filterColumn_);
    for (int column = 0; column < table_->columnCount(); column++)
        if (!table_->windowTable()->columns[column].is_detail && accepts(row, column))
            return true;
    return false;
}

// A head is shown for any row of its group, too, and where it fits itself it shows all of them when opened.
bool SctpaSortProxy::filterAcceptsRow(int row, const QModelIndex &) const
{
    const int head = table_->headOf(row);
    if (head >= 0)
        return table_->isOpen(head) && (fits(row) || fits(head));
    if (fits(row))
        return true;
    const QVector<int> group = table_->groupOf(row);
    return std::any_of(group.cbegin(), group.cend(), [this](int each) { return fits(each); });
}
