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
    connect(thread_.get(), &QThread::finished, this, &SctpaReader::ended, Qt::QueuedConnection);
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
