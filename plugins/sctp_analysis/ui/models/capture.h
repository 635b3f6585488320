/* SPDX-License-Identifier: GPL-2.0-or-later */
// The open capture as the windows see it: tells them when there is more to show, and when to let go of everything.
// Leaves what is shown to the models, and Wireshark to the host.
#ifndef SCTPA_UI_CAPTURE_H
#define SCTPA_UI_CAPTURE_H

#include <QObject>
#include <QTimer>

#include "results.h"

class SctpaCapture : public QObject {
    Q_OBJECT

  public:
    // At most so often does a capture that grows change what is shown; less often when showing takes long.
    static constexpr int UpdateEveryMs = 500;

    // host is borrowed and outlives the capture.
    explicit SctpaCapture(const sctpa_host_t *host, QObject *parent = nullptr);

    const sctpa_host_t *host() const { return host_; }
    // False: no analysis is there. See sctpa_host_t::view.
    bool look(sctpa_view_t *view);
    // File name of the capture last looked at without its folder, empty when unknown.
    QString name() const { return name_; }

    // Windows that want to know of changes after those they find when they open. Without any, nothing is watched.
    void addWatcher();
    void removeWatcher() { watchers_--; }
    // Those that read the analysis in a thread, as long as they do.
    void addReader();
    void removeReader();

    // Both say in a text for people what went wrong, empty: nothing.
    QString goToFrame(quint32 frame);
    QString applyFilter(const QString &filter) const;
    // Whether a packet is there, and the display filter lets it pass now.
    bool isShown(quint32 frame) const { return host_->is_shown(frame); }

    // The analysis is about to be freed.
    void close();

  public Q_SLOTS:
    // Shows what there is now, changed or not.
    void refresh();

  Q_SIGNALS:
    void changed();
    // It was looked whether anything changed, in the capture or outside of it.
    void looked();
    // A window went to a packet, or another one was selected in Wireshark's packet list.
    void wentToFrame(quint32 frame);
    void closing();
    // The analysis is about to change: readers end before they return from this.
    void changing();

  private:
    void poll();
    void schedule(int ms);

    const sctpa_host_t *host_;
    QString name_;
    sctpa_host_state_t shown_ = {};
    quint32 selectedFrame_ = 0; // in Wireshark, as last seen
    int watchers_ = 0, readers_ = 0;
    QTimer timer_;
};

#endif
