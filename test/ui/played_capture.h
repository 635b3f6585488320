/* SPDX-License-Identifier: GPL-2.0-or-later */
// A capture that is played to the dialogs as Wireshark would: a host of functions over an analysis that is opened, fed,
// reloaded, closed. Notes what the dialogs ask of it.
#ifndef SCTPA_TEST_UI_PLAYED_CAPTURE_H
#define SCTPA_TEST_UI_PLAYED_CAPTURE_H

#include <QByteArray>
#include <QJsonArray>
#include <QSet>
#include <QString>
#include <QTemporaryDir>
#include <QVector>

#include "models/results.h"

class PlayedCapture {
  public:
    // file: as write_packets.py makes it; empty: a capture without packets. One at a time is there.
    explicit PlayedCapture(const QString &file = QString());
    ~PlayedCapture();

    const sctpa_host_t *host() const { return &host_; }
    // Where the plugin is said to lie, and below it the program that makes reports.
    void setPluginFolder(const QString &folder);

    // Makes a new analysis and feeds it so many packets, -1: all.
    void open(int packets = -1);
    void feed(int packets);
    // An INIT from each of n hosts that gets no answer.
    void feedFlood(int n);
    // A transfer of n DATA chunks, a SACK for every two; one in a thousand is lost behind the tap, reported by gap
    // blocks and sent again.
    void feedTransfer(int n);
    // The analysis is gone. Whoever reads it afterwards reads freed memory.
    void close();
    int size() const { return packets_.size(); }
    // Somebody reads the analysis in another thread.
    bool isRead() const { return aboutToChange_ != nullptr; }

    sctpa_view_t view() const;
    // What a display filter of that time would select, both moments in it; counted from the packets.
    SctpaTally tallyOf(qint64 fromNs, qint64 toNs) const;
    QString report(const char *name) const;
    QJsonArray jsonAssociations() const;

    // What was asked.
    QVector<quint32> frames;
    QString filter;
    QVector<int> chosen; // entries of a packet's menu
    int looks = 0;
    // What it answers.
    QSet<quint32> hidden;
    quint32 selected = 0;
    QString name = QStringLiteral("/captures/demo.pcapng");
    bool formatsMoments = false; // as dates, in UTC
    quint32 settings = 0;
    // Of its file; what `name` is else.
    bool isTemporary = false, hasUnsavedChanges = false, isWhole = true;
    QStringList defaults, options; // preferences, NAME:VALUE

  private:
    void feedOne(const QByteArray &packet);
    void change() const;
    void judgeEnd() const;
    void feedChunk(bool isData, quint32 tsn, quint32 gapEnd);

    QTemporaryDir folder_;
    QByteArray settingsFile_, nameBytes_, pluginBytes_, profileBytes_;
    QVector<QByteArray> packets_;
    sctpa_t *analysis_ = nullptr;
    quint32 number_ = 0, frames_ = 0;
    int next_ = 0;
    mutable uint64_t judged_ = 0; // packets that were there when the end was judged last
    sctpa_host_t host_ = {};
    void (*aboutToChange_)(void *user) = nullptr;
    void *changeUser_ = nullptr;
};

#endif
