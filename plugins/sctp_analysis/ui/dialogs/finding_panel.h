/* SPDX-License-Identifier: GPL-2.0-or-later */
// Explains the finding that is selected in a table of findings: what was broken, where it is written, why it matters,
// the evidence and its packets, as links, and what of it the user asserted. Leaves going to them to the window.
#ifndef SCTPA_UI_FINDING_PANEL_H
#define SCTPA_UI_FINDING_PANEL_H

#include <QTextBrowser>

extern "C" {
#include "report/tables/window_tables.h"
}

class QUrl;
class SctpaTablePane;

class SctpaFindingPanel : public QTextBrowser {
    Q_OBJECT

  public:
    // pane shows a model of sctpa_window_table_findings; borrowed.
    explicit SctpaFindingPanel(SctpaTablePane *pane, QWidget *parent = nullptr);

  Q_SIGNALS:
    void frameWanted(quint32 frame);

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void explain();
    QString text(int row, sctpa_finding_column_t column) const;
    QString htmlOf(int row) const;
    QString headOf(int row) const;
    QString rowOf(int row, sctpa_finding_column_t column) const;
    QString linksOf(const QString &frames) const;

    SctpaTablePane *pane_;
    QString shown_;
};

#endif
