/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes rows and findings as text.
#include "table_text.h"

#include <QAbstractItemModel>
#include <QCoreApplication>
#include <QStringList>

#include <initializer_list>
#include <numeric>

#include "table_model.h"

extern "C" {
#include "report/tables/window_tables.h"
}

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

// --- findings ---

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("SctpaFindingText", text);
}

QString said(const SctpaTableModel &table, int row, sctpa_finding_column_t column)
{
    return table.index(row, column).data().toString();
}

// "MUST, proven, RFC 9260 6.2; by 10.0.0.1:5000 (0), 3 times; association 7 of demo.pcapng."
QString sentence(const SctpaTableModel &table, int row, const QString &capture)
{
    const QString where = SctpaFindingText::where(table, row);
    return tr("%1, %2, %3; by %4, %5; %6.")
        .arg(said(table, row, SCTPA_FINDING_LEVEL), said(table, row, SCTPA_FINDING_CERTAINTY),
             said(table, row, SCTPA_FINDING_CLAUSE), said(table, row, SCTPA_FINDING_END),
             SctpaFindingText::howOften(table, row), capture.isEmpty() ? where : tr("%1 of %2").arg(where, capture));
}

// "expected: ..." of each column that says something.
QStringList details(const SctpaTableModel &table, int row)
{
    QStringList lines;
    for (sctpa_finding_column_t column :
         { SCTPA_FINDING_EXPECTED, SCTPA_FINDING_SEEN, SCTPA_FINDING_FRAMES, SCTPA_FINDING_WHY, SCTPA_FINDING_EVIDENCE,
           SCTPA_FINDING_DOUBT, SCTPA_FINDING_RESTS_ON }) {
        QString head = table.headerData(column, Qt::Horizontal).toString();
        head.replace(0, 1, head.left(1).toUpper());
        if (!said(table, row, column).isEmpty())
            lines.append(QStringLiteral("%1: %2").arg(head, said(table, row, column)));
    }
    return lines;
}

QString titleOf(const SctpaTableModel &table, int row)
{
    return QStringLiteral("%1: %2").arg(said(table, row, SCTPA_FINDING_RULE), said(table, row, SCTPA_FINDING_WHAT));
}

}

QString SctpaFindingText::where(const SctpaTableModel &table, int row)
{
    const QString number = said(table, row, SCTPA_FINDING_ASSOC);
    return table.groupOf(row).isEmpty() ? tr("association %1").arg(number) : number;
}

QString SctpaFindingText::howOften(const SctpaTableModel &table, int row)
{
    const QString times = said(table, row, SCTPA_FINDING_TIMES);
    return times == QLatin1String("1") ? tr("once") : tr("%1 times").arg(times);
}

QString SctpaFindingText::plain(const SctpaTableModel &table, int row, const QString &capture)
{
    QStringList lines{ titleOf(table, row), sentence(table, row, capture) };
    const QString quote = said(table, row, SCTPA_FINDING_QUOTE);
    if (!quote.isEmpty())
        lines.append(tr("The clause says: “%1”").arg(quote));
    return (lines + details(table, row)).join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString SctpaFindingText::markdown(const SctpaTableModel &table, int row, const QString &capture)
{
    QString name = capture;
    name.remove(QLatin1Char('`'));
    const QString code = name.isEmpty() ? name : QStringLiteral("`%1`").arg(name);
    QStringList parts{ QStringLiteral("### %1").arg(titleOf(table, row)), sentence(table, row, code) };
    const QString quote = said(table, row, SCTPA_FINDING_QUOTE);
    if (!quote.isEmpty())
        parts.append(QStringLiteral("> %1").arg(quote));
    parts.append(QStringLiteral("- ") + details(table, row).join(QStringLiteral("\n- ")));
    return parts.join(QStringLiteral("\n\n")) + QLatin1Char('\n');
}
