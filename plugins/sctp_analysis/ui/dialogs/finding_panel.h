/* SPDX-License-Identifier: GPL-2.0-or-later */
// Explains the finding that is selected in a table of findings: what was broken, where it is written, why it matters,
// the evidence and its packets, as links, and what of it the user asserted; and copies findings as texts. Leaves going
// to packets to the window.
#ifndef SCTPA_UI_FINDING_PANEL_H
#define SCTPA_UI_FINDING_PANEL_H

#include <QTextBrowser>

extern "C" {
#include "report/tables/window_tables.h"
}

class QUrl;
class SctpaCapture;
class SctpaTablePane;

class SctpaFindingPanel : public QTextBrowser {
    Q_OBJECT

  public:
    // pane shows a model of sctpa_window_table_findings, and gets the entries that copy findings; capture: what they
    // are of. Both are borrowed.
    SctpaFindingPanel(SctpaTablePane *pane, const SctpaCapture *capture, QWidget *parent = nullptr);

  Q_SIGNALS:
    void frameWanted(quint32 frame);

  protected:
    void changeEvent(QEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

  private:
    void explain();
    void addCopies();
    QString text(int row, sctpa_finding_column_t column) const;
    QString htmlOf(int row) const;
    QString headOf(int row) const;
    QString rowOf(int row, sctpa_finding_column_t column) const;
    QString linksOf(const QString &frames) const;

    SctpaTablePane *pane_;
    const SctpaCapture *capture_;
    QList<QAction *> copies_;
    QString shown_;
};

#endif
