/* SPDX-License-Identifier: GPL-2.0-or-later */
// Runs the program that `./run report` runs, as a process of its own on the file of the open capture, by the plugin's
// preferences. It lies in the folder report beside the module of the windows. Leaves what is shown to its window.
#ifndef SCTPA_UI_REPORT_RUN_H
#define SCTPA_UI_REPORT_RUN_H

#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>

#include "results.h"

class SctpaReportRun : public QObject {
    Q_OBJECT

  public:
    // What is wanted of it.
    struct Order {
        QString capture, folder;        // paths: of the file, and where the results go
        quint32 assoc = SCTPA_NO_ASSOC; // SCTPA_NO_ASSOC: the worst one
        bool isAnonymised = false;
    };

    // host is borrowed.
    explicit SctpaReportRun(const sctpa_host_t *host, QObject *parent = nullptr);
    // Ends what runs.
    ~SctpaReportRun() override;

    // What keeps reports from being made on this computer, as a text for people; empty: nothing that can be seen before
    // one is made.
    QString missing() const;
    // Python and the words that follow it for an order.
    QStringList command(const Order &order) const;

    // Nothing runs yet. `ended` follows.
    void start(const Order &order);
    bool isRunning() const { return process_.state() != QProcess::NotRunning; }
    // `ended` follows, at the latest after a few seconds.
    void cancel();

  Q_SIGNALS:
    // Began with the next step, in words.
    void stepped(const QString &step);
    // isWritten: the three files are there. said: what went wrong, or the folder, and how many packets of which
    // association there are. Both: the capture was not read to its end.
    void ended(bool isWritten, const QString &said);

  private:
    QString programFolder() const;
    QProcessEnvironment environment() const;
    void readSteps();
    void finish(bool hasExited, int status);

    const sctpa_host_t *host_;
    QProcess process_;
    std::unique_ptr<QTemporaryDir> folder_; // of tshark: its home, and links to the capture
    QString complaint_;
    QTimer kill_; // after a cancellation that was not heeded
    bool isCancelled_ = false;
};

#endif
