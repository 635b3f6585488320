/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window that says first what is wrong in the capture: the sentences of the triage report, each with links to the
// association, its graphs and the packets that it is about. Leaves what they say to report/triage.
#ifndef SCTPA_UI_SUMMARY_WINDOW_H
#define SCTPA_UI_SUMMARY_WINDOW_H

#include "window.h"

class QTextBrowser;

class SctpaSummaryWindow : public SctpaWindow {
    Q_OBJECT

  public:
    SctpaSummaryWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent);

    QTextBrowser *text() const { return text_; }
    // Marks what is said of a packet's association, and says when that is nothing. SCTPA_NO_ASSOC: of none.
    void selectFrame(quint32 assoc, quint32 frame);

  Q_SIGNALS:
    void assocWanted(quint32 number);
    void graphsWanted(quint32 number);
    void associationsWanted();
    void findingsWanted();

  protected:
    void follow() override;
    void letGo() override;
    quint32 reportedAssoc() const override { return marked_; }
    void changeEvent(QEvent *event) override;

  private:
    QColor markColor() const;
    QString markedText(bool hasSentences) const;
    void showPage(const QString &html);

    QTextBrowser *text_ = nullptr;
    QString shown_;
    quint32 marked_ = SCTPA_NO_ASSOC, markedFrame_ = 0;
};

#endif
