/* SPDX-License-Identifier: GPL-2.0-or-later */
// Rows of associations; in order of their numbers.
#include "assocs_model.h"

#include <algorithm>

extern "C" {
#include "report/findings_filter.h"
#include "report/text/outcome_text.h"
}

SctpaAssocsModel::SctpaAssocsModel(QObject *parent) : SctpaRowsModel(&sctpa_window_table_assocs, parent) {}

int SctpaAssocsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(numbers_.size());
}

SctpaTable SctpaAssocsModel::makeRow(int row) const
{
    return SctpaTable(sctpa_window_table_make(windowTable(), source(), sctpa_assoc(view().sctpa, numbers_.at(row))));
}

void SctpaAssocsModel::refresh(const sctpa_view_t &seen)
{
    lookAt(seen);
    QVector<quint32> numbers;
    uint32_t number = 0;
    while (const sctpa_assoc_t *assoc = sctpa_selection_next(source()->selection, &number))
        numbers.append(assoc->number);
    takeNumbers(numbers);
}

// Associations are only added, but for halves that turn out to belong to another.
void SctpaAssocsModel::takeNumbers(const QVector<quint32> &numbers)
{
    const int known = int(numbers_.size());
    const bool grew = numbers.size() >= known && std::equal(numbers_.cbegin(), numbers_.cend(), numbers.cbegin());
    if (!grew) {
        beginResetModel();
        numbers_ = numbers;
        endResetModel();
        return;
    }
    if (known > 0)
        Q_EMIT dataChanged(index(0, 0), index(known - 1, columnCount() - 1));
    if (numbers.size() > known) {
        beginInsertRows(QModelIndex(), known, int(numbers.size()) - 1);
        numbers_ = numbers;
        endInsertRows();
    }
}

void SctpaAssocsModel::clear()
{
    beginResetModel();
    numbers_.clear();
    letGo();
    endResetModel();
}

double SctpaAssocsModel::weightOf(quint32 number) const
{
    return sctpa_findings_filter_weight(sctpa_selection_findings(source()->selection),
                                        sctpa_assoc(view().sctpa, number));
}

double SctpaAssocsModel::severityOf(quint32 number) const
{
    return sctpa_outcome_severity(&view(), sctpa_assoc(view().sctpa, number));
}

int SctpaAssocsModel::worstColumn(Qt::SortOrder *order) const
{
    const auto isAny = [this](auto isBad) { return std::any_of(numbers_.cbegin(), numbers_.cend(), isBad); };
    if (isAny([this](quint32 number) { return weightOf(number) > 0; })) {
        *order = Qt::DescendingOrder;
        return SCTPA_ASSOCS_FINDINGS;
    }
    *order = Qt::AscendingOrder;
    return isAny(
               [this](quint32 number) { return sctpa_outcome_has_failed(&view(), sctpa_assoc(view().sctpa, number)); })
               ? SCTPA_ASSOCS_OUTCOME
               : -1;
}

// Orders at first: without making rows.
QVector<SctpaKey> SctpaAssocsModel::keys(int column) const
{
    if (column != SCTPA_ASSOCS_FINDINGS && column != SCTPA_ASSOCS_OUTCOME)
        return SctpaRowsModel::keys(column);
    QVector<SctpaKey> keys;
    keys.reserve(numbers_.size());
    for (quint32 number : numbers_)
        keys.append(
            { SctpaKey::Number, column == SCTPA_ASSOCS_FINDINGS ? weightOf(number) : severityOf(number), QString() });
    return keys;
}

QString SctpaAssocsModel::filterFor(QVector<quint32> numbers)
{
    if (numbers.size() == 1)
        return QStringLiteral("sctp.analysis.assoc == %1").arg(numbers.first());
    QStringList ranges;
    std::sort(numbers.begin(), numbers.end());
    for (int i = 0, last = 0; i < numbers.size(); i = last + 1) {
        for (last = i; last + 1 < numbers.size() && numbers[last + 1] <= numbers[last] + 1; last++) {}
        ranges.append(numbers[last] == numbers[i] ? QString::number(numbers[i])
                                                  : QStringLiteral("%1 .. %2").arg(numbers[i]).arg(numbers[last]));
    }
    return ranges.isEmpty() ? QString()
                            : QStringLiteral("sctp.analysis.assoc in {%1}").arg(ranges.join(QLatin1String(", ")));
}
