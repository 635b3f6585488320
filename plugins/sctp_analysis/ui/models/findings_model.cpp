/* SPDX-License-Identifier: GPL-2.0-or-later */
// Rows of findings. Between refresh and clear they point into the analysis, which keeps its findings where they are.
#include "findings_model.h"

#include <QHash>

extern "C" {
#include "report/findings_filter.h"
#include "report/tables/window_tables.h"
}

#include <utility>

SctpaFindingsModel::SctpaFindingsModel(QObject *parent) : SctpaRowsModel(&sctpa_window_table_findings, parent) {}

int SctpaFindingsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(rows_.size());
}

SctpaTable SctpaFindingsModel::makeRow(int row) const
{
    const Row &made = rows_.at(row);
    return SctpaTable(sctpa_window_table_make_finding(source(), sctpa_assoc(view().sctpa, made.assoc), made.finding));
}

QVector<SctpaFindingsModel::Row> SctpaFindingsModel::read()
{
    const sctpa_findings_filter_t *broken = sctpa_selection_broken(source()->selection);
    QVector<Row> rows;
    uint32_t number = 0;
    all_ = 0;
    while (const sctpa_assoc_t *assoc = sctpa_selection_next(source()->selection, &number))
        for (const sctpa_finding_t *f = sctpa_findings_filter_first(broken, assoc); f;
             f = sctpa_findings_filter_next(broken, assoc, f)) {
            all_++;
            if (f->level <= level_)
                rows.append({ assoc->number, f });
        }
    return rows;
}

void SctpaFindingsModel::refresh(const sctpa_view_t &seen)
{
    lookAt(seen);
    takeRows(read());
}

// Findings are only added, but for those that are withdrawn and those that a level leaves out.
void SctpaFindingsModel::takeRows(const QVector<Row> &now)
{
    QHash<const sctpa_finding_t *, quint32> added;
    QVector<Row> kept;
    for (const Row &row : now)
        added.insert(row.finding, row.assoc);
    for (const Row &row : std::as_const(rows_))
        if (added.contains(row.finding))
            kept.append({ added.take(row.finding), row.finding });
    if (kept.size() < rows_.size()) {
        beginResetModel();
        rows_ = now;
        endResetModel();
        return;
    }
    rows_ = kept;
    if (!kept.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(kept.size()) - 1, columnCount() - 1));
    if (added.isEmpty())
        return;
    beginInsertRows(QModelIndex(), int(kept.size()), int(now.size()) - 1);
    for (const Row &row : now)
        if (added.contains(row.finding))
            rows_.append(row);
    endInsertRows();
}

void SctpaFindingsModel::clear()
{
    beginResetModel();
    rows_.clear();
    all_ = 0;
    letGo();
    endResetModel();
}

SctpaFindingsModel::Judged SctpaFindingsModel::judged() const
{
    if (!source())
        return {};
    const sctpa_findings_filter_judged_t judged = sctpa_findings_filter_judged(&view(), source()->selection);
    return { judged.ends, judged.ends_judged, judged.most,
             sctpaAppended([&](GString *out) { sctpa_findings_filter_needs(judged.missing, out); }) };
}

QString SctpaFindingsModel::filterFor(const QVector<int> &rows) const
{
    QStringList parts;
    for (int row : rows)
        parts.append(QStringLiteral("sctp.analysis.finding == \"%1\" && sctp.analysis.assoc == %2")
                         .arg(QString::fromUtf8(sctpa_rule_info(rows_.at(row).finding->rule)->id))
                         .arg(rows_.at(row).assoc));
    parts.removeDuplicates();
    return parts.size() < 2 ? parts.join(QString()) : QStringLiteral("(%1)").arg(parts.join(QStringLiteral(") || (")));
}
