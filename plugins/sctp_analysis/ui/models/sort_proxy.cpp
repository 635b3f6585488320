/* SPDX-License-Identifier: GPL-2.0-or-later */
// Sorting by the keys of a column, which are fetched once per sort.
#include "sort_proxy.h"

#include <QRegularExpression>

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
#if QT_VERSION >= QT_VERSION_CHECK(6, 10, 0)
    beginFilterChange();
#endif
    filterColumn_ = column;
    filterText_ = text.trimmed();
    comparison_ = match.hasMatch() ? Comparison(signs.indexOf(match.captured(1))) : Contains;
    filterNumber_ = match.captured(2).remove(QLatin1Char(',')).toDouble();
#if QT_VERSION >= QT_VERSION_CHECK(6, 10, 0)
    endFilterChange(Direction::Rows);
#else
    invalidateFilter();
#endif
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

bool SctpaSortProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    if (keysColumn_ != left.column() || keys_.size() != table_->rowCount()) {
        keysColumn_ = left.column();
        keys_ = table_->keys(keysColumn_);
    }
    const SctpaKey &a = keys_.at(left.row()), &b = keys_.at(right.row());
    return a < b;
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

bool SctpaSortProxy::filterAcceptsRow(int row, const QModelIndex &) const
{
    if (filterText_.isEmpty())
        return true;
    if (filterColumn_ != AnyColumn)
        return accepts(row, filterColumn_);
    for (int column = 0; column < table_->columnCount(); column++)
        if (!(table_->sheet()->details >> column & 1) && accepts(row, column))
            return true;
    return false;
}
