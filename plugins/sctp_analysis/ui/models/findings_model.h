/* SPDX-License-Identifier: GPL-2.0-or-later */
// All findings of the capture, or those of the worse levels, a row each; in order of associations, those found later
// last. Behind them a row for each group: findings of one rule, of the same endpoint in several associations.
#ifndef SCTPA_UI_FINDINGS_MODEL_H
#define SCTPA_UI_FINDINGS_MODEL_H

#include <QByteArray>
#include <QSet>

#include "rows_model.h"

class SctpaFindingsModel : public SctpaRowsModel {
    Q_OBJECT

  public:
    // How much of the capture could be judged.
    struct Judged {
        quint32 ends = 0, endsJudged = 0, mostRules = 0;
        QString missing; // what was needed and not there, in the words of reports
    };

    explicit SctpaFindingsModel(QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = QModelIndex()) const override;

    // From the next refresh on, whether there are groups.
    void setGrouped(bool isGrouped) { isGrouped_ = isGrouped; }
    bool isGrouped() const { return isGrouped_; }
    bool hasGroups() const override { return !groups_.isEmpty(); }
    int headOf(int row) const override;
    QVector<int> groupOf(int row) const override;
    bool isOpen(int head) const override;
    void setOpen(int head, bool isOpen) override;
    // Findings among the rows, which come first, and how many there are without those that a group stands for.
    int findingRows() const { return int(rows_.size()); }
    int groupedRows() const;

    // From the next refresh on, only findings that are as bad as this or worse.
    void setLevel(sctpa_level_t level) { level_ = level; }
    sctpa_level_t level() const { return level_; }
    // Takes the findings as they are now. view must be good until clear. O(associations + findings).
    void refresh(const sctpa_view_t &view);
    // Lets go of the analysis.
    void clear();

    // Whatever their level.
    int findings() const { return all_; }
    // Cost as sctpa_findings_filter_judged.
    Judged judged() const;
    // Of a group, that of its first finding.
    quint32 assocOfRow(int row) const { return rows_.at(findingsOf(row).first()).assoc; }
    // A display filter for the packets that complete occurrences of these findings, empty for none.
    QString filterFor(const QVector<int> &rows) const;

  protected:
    SctpaTable makeRow(int row) const override;

  private:
    struct Row {
        quint32 assoc;
        const sctpa_finding_t *finding;
    };

    // Findings of one rule of an endpoint, by its first address and its port.
    struct Group {
        QByteArray key;
        QVector<int> rows;
    };

    QVector<int> findingsOf(int row) const;
    QByteArray keyOf(const Row &row) const;
    QVector<Row> read();
    QVector<Group> group() const;
    void takeGroups();
    void takeRows(const QVector<Row> &now);

    sctpa_level_t level_ = SCTPA_LEVEL_HEURISTIC;
    int all_ = 0;
    bool isGrouped_ = true;
    QVector<Row> rows_;
    QVector<Group> groups_;   // of two findings or more
    QVector<int> groupOfRow_; // by finding: place in groups_, -1 none
    QSet<QByteArray> open_;
};

#endif
