/* SPDX-License-Identifier: GPL-2.0-or-later */
// Rows of findings. Between refresh and clear they point into the analysis, which keeps its findings where they are.
#include "findings_model.h"

#include <QHash>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

extern "C" {
#include "report/findings_filter.h"
#include "report/tables/window_tables.h"
}

SctpaFindingsModel::SctpaFindingsModel(QObject *parent) : SctpaRowsModel(&sctpa_window_table_findings, parent) {}

int SctpaFindingsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(rows_.size() + groups_.size());
}

QVector<int> SctpaFindingsModel::findingsOf(int row) const
{
    return row < rows_.size() ? QVector<int>{ row } : groups_.at(row - int(rows_.size())).rows;
}

SctpaTable SctpaFindingsModel::makeRow(int row) const
{
    std::vector<sctpa_assoc_finding_t> findings;
    for (int each : findingsOf(row))
        findings.push_back({ sctpa_assoc(view().sctpa, rows_.at(each).assoc), rows_.at(each).finding });
    return SctpaTable(sctpa_window_table_make_findings(source(), findings.data(), unsigned(findings.size())));
}

int SctpaFindingsModel::headOf(int row) const
{
    const int group = groupOfRow_.value(row, -1);
    return group < 0 ? -1 : int(rows_.size()) + group;
}

QVector<int> SctpaFindingsModel::groupOf(int row) const
{
    return row < rows_.size() ? QVector<int>() : findingsOf(row);
}

bool SctpaFindingsModel::isOpen(int head) const
{
    return open_.contains(groups_.at(head - int(rows_.size())).key);
}

void SctpaFindingsModel::setOpen(int head, bool isOpen)
{
    const QByteArray key = groups_.at(head - int(rows_.size())).key;
    if (isOpen)
        open_.insert(key);
    else
        open_.remove(key);
}

int SctpaFindingsModel::groupedRows() const
{
    return int(std::count(groupOfRow_.cbegin(), groupOfRow_.cend(), -1) + groups_.size());
}

QByteArray SctpaFindingsModel::keyOf(const Row &row) const
{
    const sctpa_end_t *end = &sctpa_assoc(view().sctpa, row.assoc)->ends[row.finding->accused];
    const sctpa_addr_t *addr = sctpa_end_first_addr(end);
    QByteArray key = QByteArray::number(int(row.finding->rule)) + ' ' + QByteArray::number(end->port) + ' ';
    if (addr)
        key.append(reinterpret_cast<const char *>(addr->data), addr->bytes);
    return key;
}

QVector<SctpaFindingsModel::Group> SctpaFindingsModel::group() const
{
    QHash<QByteArray, int> places;
    QVector<Group> all, groups;
    for (int row = 0; isGrouped_ && row < rows_.size(); row++) {
        const QByteArray key = keyOf(rows_.at(row));
        const auto place = places.constFind(key);
        if (place != places.constEnd()) {
            all[*place].rows.append(row);
            continue;
        }
        places.insert(key, int(all.size()));
        all.append({ key, { row } });
    }
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(groups),
                 [](const Group &each) { return each.rows.size() > 1; });
    return groups;
}

// Groups are only added, but where findings were withdrawn or left out: then all are made anew.
void SctpaFindingsModel::takeGroups()
{
    QHash<QByteArray, Group> found;
    QVector<Group> now;
    const QVector<Group> made = group();
    for (const Group &each : made)
        found.insert(each.key, each);
    for (const Group &each : std::as_const(groups_))
        if (found.contains(each.key))
            now.append(found.take(each.key));
    const int first = int(rows_.size()), known = int(groups_.size());
    const bool isKept = now.size() == known;
    for (const Group &each : made)
        if (found.contains(each.key))
            now.append(each);
    if (!isKept)
        beginResetModel();
    else if (now.size() > known)
        beginInsertRows(QModelIndex(), first + known, first + int(now.size()) - 1);
    groups_ = now;
    groupOfRow_.fill(-1, first);
    for (int place = 0; place < groups_.size(); place++)
        for (int row : groups_.at(place).rows)
            groupOfRow_[row] = place;
    forgetRows();
    if (!isKept)
        endResetModel();
    else if (now.size() > known)
        endInsertRows();
    if (isKept && known > 0)
        Q_EMIT dataChanged(index(first, 0), index(first + known - 1, columnCount() - 1));
}

QVector<SctpaFindingsModel::Row> SctpaFindingsModel::read()
{
    const sctpa_findings_filter_t *findings_filter = sctpa_selection_findings(source()->selection);
    QVector<Row> rows;
    uint32_t number = 0;
    all_ = 0;
    while (const sctpa_assoc_t *assoc = sctpa_selection_next(source()->selection, &number))
        for (const sctpa_finding_t *f = sctpa_findings_filter_first(findings_filter, assoc); f;
             f = sctpa_findings_filter_next(findings_filter, assoc, f)) {
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
    takeGroups();
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
        groups_.clear();
        groupOfRow_.clear();
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
    groupOfRow_.resize(rows_.size());
    std::fill(groupOfRow_.begin() + kept.size(), groupOfRow_.end(), -1);
    forgetRows();
    endInsertRows();
}

void SctpaFindingsModel::clear()
{
    beginResetModel();
    rows_.clear();
    groups_.clear();
    groupOfRow_.clear();
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
        for (int each : findingsOf(row))
            parts.append(QStringLiteral("sctp.analysis.finding == \"%1\" && sctp.analysis.assoc == %2")
                             .arg(QString::fromUtf8(sctpa_rule_info(rows_.at(each).finding->rule)->id))
                             .arg(rows_.at(each).assoc));
    parts.removeDuplicates();
    return parts.size() < 2 ? parts.join(QString()) : QStringLiteral("(%1)").arg(parts.join(QStringLiteral(") || (")));
}
