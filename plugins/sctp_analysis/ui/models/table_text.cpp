/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes rows as text.
#include "table_text.h"

#include <QAbstractItemModel>
#include <QStringList>

#include <numeric>

#include "table_model.h"

namespace {

constexpr int ExactDigits = 15;

QString csvCell(const QVariant &value)
{
    if (value.userType() == QMetaType::Double)
        return QString::number(value.toDouble(), 'g', ExactDigits);
    QString text = value.toString();
    if (!text.isEmpty() && QStringLiteral("=+-@").contains(text.at(0)))
        text.prepend(QLatin1Char('\''));
    if (text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('"')) || text.contains(QLatin1Char('\n')))
        text = QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
    return text;
}

template <typename Head, typename Cell>
QString lines(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns, QChar separator,
              Head head, Cell cell)
{
    QString text;
    QStringList cells;
    for (int column : columns)
        cells.append(head(column));
    text += cells.join(separator) + QLatin1Char('\n');
    for (int row : rows) {
        cells.clear();
        for (int column : columns)
            cells.append(cell(model.index(row, column)));
        text += cells.join(separator) + QLatin1Char('\n');
    }
    return text;
}

}

QString SctpaText::plainText(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns)
{
    return lines(
        model, rows, columns, QLatin1Char('\t'),
        [&](int column) { return model.headerData(column, Qt::Horizontal).toString().trimmed(); },
        [](const QModelIndex &index) { return index.data().toString(); });
}

QString SctpaText::csvText(const QAbstractItemModel &model, const QVector<int> &rows, const QVector<int> &columns)
{
    return lines(
        model, rows, columns, QLatin1Char(','),
        [&](int column) { return csvCell(model.headerData(column, Qt::Horizontal, SctpaTableModel::ExactRole)); },
        [](const QModelIndex &index) { return csvCell(index.data(SctpaTableModel::ExactRole)); });
}

QVector<int> SctpaText::firstNumbers(int n)
{
    QVector<int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}
