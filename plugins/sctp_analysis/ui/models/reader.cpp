/* SPDX-License-Identifier: GPL-2.0-or-later */
// A thread for each piece of work: they are few, and take long.
#include "reader.h"

SctpaReader::SctpaReader(SctpaCapture *capture, QObject *parent) : QObject(parent), capture_(capture)
{
    connect(capture_, &SctpaCapture::changing, this, [this] { wait(); });
}

SctpaReader::~SctpaReader()
{
    wait();
}

void SctpaReader::start(const std::function<void()> &work)
{
    Q_ASSERT(!thread_);
    thread_.reset(QThread::create(work));
    // A thread that says so has not quite ended. Another may be under way by then.
    connect(
        thread_.get(), &QThread::finished, this,
        [this, turn = ++turn_] {
            if (turn == turn_)
                wait();
            Q_EMIT ended();
        },
        Qt::QueuedConnection);
    capture_->addReader();
    thread_->start();
}

bool SctpaReader::wait(unsigned long ms)
{
    if (!thread_)
        return true;
    if (!thread_->wait(ms))
        return false;
    thread_.reset();
    capture_->removeReader();
    return true;
}
