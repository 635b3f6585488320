// Rows of associations, made one at a time.
#include "assocs_model.h"

#include <algorithm>

namespace {

constexpr int RowsKept = 4096;

}

SctpaAssocsModel::SctpaAssocsModel(QObject *parent) : SctpaTableModel(&sctpa_sheet_assocs, parent), rows_(RowsKept)
{
}

int SctpaAssocsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(numbers_.size());
}

SctpaTable SctpaAssocsModel::makeRow(int row) const
{
    return SctpaTable(sctpa_sheet_make(sheet(), source_.get(), sctpa_assoc(view_.sctpa, numbers_.at(row))));
}

sctpa_cell_t SctpaAssocsModel::cell(int row, int column) const
{
    Row *made = rows_.object(row);
    if (!made) {
        made = new Row{ makeRow(row) };
        rows_.insert(row, made);
    }
    return sctpa_table_cell(made->table.get(), 0, unsigned(column));
}

void SctpaAssocsModel::refresh(const sctpa_view_t &view)
{
    view_ = view;
    view_.file = nullptr;
    source_.reset(sctpa_sheet_source_new(&view_));
    rows_.clear();
    setFormatsMoments(view_.moment != nullptr);

    QVector<quint32> numbers;
    uint32_t number = 0;
    while (const sctpa_assoc_t *assoc = sctpa_selection_next(source_->selection, &number))
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
    rows_.clear();
    source_.reset();
    view_ = {};
    endResetModel();
}

// Not through the cache: a column of many rows would only empty it.
QVector<SctpaKey> SctpaAssocsModel::keys(int column) const
{
    QVector<SctpaKey> keys;
    keys.reserve(numbers_.size());
    for (int row = 0; row < numbers_.size(); row++) {
        const SctpaTable table = makeRow(row);
        keys.append(SctpaKey::of(sctpa_table_cell(table.get(), 0, unsigned(column))));
    }
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
    return ranges.isEmpty() ? QString() : QStringLiteral("sctp.analysis.assoc in {%1}").arg(ranges.join(QLatin1String(", ")));
}
