/* SPDX-License-Identifier: GPL-2.0-or-later */
// Asks the host twice a second, only while a window is open; growing captures cost nothing more than that.
#include "capture.h"

#include <QElapsedTimer>
#include <QFileInfo>

namespace {

// After an update that took long, so many times longer is left to everybody else.
constexpr int RestPerUpdate = 4;

bool isSame(const sctpa_host_state_t &a, const sctpa_host_state_t &b)
{
    return a.analysis == b.analysis && a.packets == b.packets && a.frames == b.frames && a.settings == b.settings;
}

}

SctpaCapture::SctpaCapture(const sctpa_host_t *host, QObject *parent) : QObject(parent), host_(host)
{
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &SctpaCapture::poll);
}

void SctpaCapture::addWatcher()
{
    if (watchers_++ == 0) {
        host_->state(&shown_);
        selectedFrame_ = host_->current_frame();
    }
    schedule(0);
}

void SctpaCapture::addReader()
{
    if (readers_++ == 0)
        host_->watch_change([](void *capture) { Q_EMIT static_cast<SctpaCapture *>(capture)->changing(); }, this);
}

void SctpaCapture::removeReader()
{
    if (--readers_ == 0)
        host_->watch_change(nullptr, nullptr);
}

bool SctpaCapture::look(sctpa_view_t *view)
{
    const bool isThere = host_->view(view);
    name_ = isThere && view->file ? QFileInfo(QString::fromUtf8(view->file)).fileName() : QString();
    return isThere;
}

QString SctpaCapture::goToFrame(quint32 frame)
{
    if (frame == 0)
        return tr("There is no packet to go to.");
    if (host_->go_to_frame(frame)) {
        Q_EMIT wentToFrame(frame);
        return QString();
    }
    return tr("Packet %1 is hidden by the display filter.").arg(frame);
}

QString SctpaCapture::applyFilter(const QString &filter) const
{
    if (filter.isEmpty())
        return tr("Nothing is selected.");
    host_->apply_filter(filter.toUtf8().constData());
    return QString();
}

void SctpaCapture::close()
{
    shown_ = {};
    name_.clear();
    Q_EMIT closing();
}

void SctpaCapture::refresh()
{
    host_->state(&shown_);
    Q_EMIT changed();
}

void SctpaCapture::schedule(int ms)
{
    if (watchers_ > 0)
        timer_.start(ms);
}

void SctpaCapture::poll()
{
    sctpa_host_state_t now;
    QElapsedTimer clock;
    host_->state(&now);
    clock.start();
    if (!isSame(now, shown_)) {
        shown_ = now;
        Q_EMIT changed();
    }
    Q_EMIT looked();
    const quint32 selected = host_->current_frame();
    if (selected != selectedFrame_ && selected != 0)
        Q_EMIT wentToFrame(selected);
    selectedFrame_ = selected;
    schedule(qMax<int>(UpdateEveryMs, int(clock.elapsed()) * RestPerUpdate));
}
