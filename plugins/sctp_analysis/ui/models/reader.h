/* SPDX-License-Identifier: GPL-2.0-or-later */
// Reads the analysis in a thread, so that windows answer meanwhile. The analysis stays as it is while that goes on:
// whoever changes it waits first. Leaves what is read, and in what order, to the windows.
#ifndef SCTPA_UI_READER_H
#define SCTPA_UI_READER_H

#include <QThread>

#include <functional>
#include <memory>

#include "capture.h"

class SctpaReader : public QObject {
    Q_OBJECT

  public:
    // capture is borrowed.
    explicit SctpaReader(SctpaCapture *capture, QObject *parent = nullptr);
    // Waits for what is under way.
    ~SctpaReader() override;

    // Starts work, which reads the analysis and touches nothing else that the main thread does. Nothing else is under
    // way.
    void start(const std::function<void()> &work);
    // False: something is under way still, after so long. What was waited for happened before.
    bool wait(unsigned long ms = ULONG_MAX);

  Q_SIGNALS:
    // The work is over; said in the main thread's loop of events, whether it was waited for or not, when more may be
    // under way already.
    void ended();

  private:
    SctpaCapture *capture_;
    std::unique_ptr<QThread> thread_;
    unsigned turn_ = 0;
};

#endif
