/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window that has a report of one association made of the saved capture, for someone else to verify: asks which,
// where to and whether anonymised, shows how far it is, and opens what was written. Leaves making it to SctpaReportRun.
#ifndef SCTPA_UI_REPORT_WINDOW_H
#define SCTPA_UI_REPORT_WINDOW_H

#include <QElapsedTimer>

#include "models/report_run.h"
#include "window.h"

class QCheckBox;
class QLineEdit;
class QProgressBar;
class QRadioButton;
class QSpinBox;

class SctpaReportWindow : public SctpaWindow {
    Q_OBJECT

  public:
    SctpaReportWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent);

    // Of this association; SCTPA_NO_ASSOC: of the worst. Changes nothing while a report is being made.
    void choose(quint32 number);

    SctpaReportRun *run() { return &run_; }
    QString folder() const;
    // Why no report can be made of the capture as it is now, and whether saving it would help; empty: it can.
    QString obstacle(bool *isToBeSaved) const;

  Q_SIGNALS:
    // The user wants Wireshark to save the capture.
    void saveWanted();

  protected:
    void follow() override;
    void letGo() override;
    bool wouldLose() const override { return run_.isRunning(); }
    void resizeEvent(QResizeEvent *event) override;

  private:
    void addChoices();
    void addProgress();
    void addActions();
    void proposeFolder();
    void chooseFolder();
    void make();
    void end(bool isWritten, const QString &said);
    void open(const QString &path);
    void copyIssue();
    void updateState();
    void fitHeight();
    QString stateText(const QString &obstacle) const;

    SctpaReportRun run_;
    QRadioButton *one_ = nullptr, *worst_ = nullptr;
    QSpinBox *number_ = nullptr;
    QLabel *capture_ = nullptr, *name_ = nullptr, *state_ = nullptr, *result_ = nullptr;
    QLineEdit *folder_ = nullptr;
    QCheckBox *anonymised_ = nullptr;
    QProgressBar *progress_ = nullptr;
    QPushButton *browse_ = nullptr, *make_ = nullptr, *cancel_ = nullptr, *save_ = nullptr;
    QVector<QPushButton *> openers_; // of what was written
    QString written_;                // the folder of the report that was written last, empty: none
    QString proposed_;               // as a folder; the user may have typed another
    QString step_;
    QElapsedTimer since_;
    bool hasAssociations_ = false; // the open capture; as of the last follow()
};

#endif
