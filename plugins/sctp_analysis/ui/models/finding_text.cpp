/* SPDX-License-Identifier: GPL-2.0-or-later */
// All that is said stands in the row.
#include "finding_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <initializer_list>

#include "table_model.h"

extern "C" {
#include "report/tables/window_tables.h"
}

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
