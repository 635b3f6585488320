/* SPDX-License-Identifier: GPL-2.0-or-later */
// What the plots show of one direction of an association: its series, events, times of trouble and limits, all made by
// the core. Holds the analysis from look() to clear(). Leaves when to read what, and in which thread, to the window,
// and drawing to the plots.
#ifndef SCTPA_UI_GRAPH_DATA_H
#define SCTPA_UI_GRAPH_DATA_H

#include <functional>

#include <QHash>
#include <QSharedPointer>
#include <QString>
#include <QVector>

#include "models/results.h"
#include "value_text.h"

// Shared by the plots that show it. Its points are copies: it outlives the analysis.
using SctpaSeries = QSharedPointer<sctpa_series_t>;

class SctpaGraphData {
  public:
    struct Event {
        qint64 timeNs;
        quint32 frame;
        QString text;
        bool isTrouble;
    };
    // At the packet that completes an occurrence; of one packet and level, one.
    struct Finding {
        qint64 timeNs;
        quint32 packet, frame;
        sctpa_level_t level;
        QString text;
        QVector<quint32> rules; // numbers that stand for a rule and who broke it
    };
    // On which data was sent.
    struct Stream {
        quint16 number;
        quint64 userBytes;
    };
    static constexpr int AnyStream = -1;
    // A time in which something was wrong, from the packet with which it began; text may be empty.
    struct Band {
        qint64 fromNs, toNs;
        quint32 packet;
        QString text;
    };

    // What takes long is read in two parts. Read may be called in any thread while the analysis stays as it is, and
    // touches nothing here; it returns what then keeps the result here, in the main thread, unless look() or clear()
    // came between. Null: there is nothing to read.
    using Keep = std::function<void()>;
    using Read = std::function<Keep()>;

    // Forgets what was made before, and takes hold of what an end sent. view and assoc are good until clear().
    void look(const sctpa_view_t &view, const sctpa_assoc_t *assoc, quint8 end);
    void clear();

    bool isThere() const { return sctpa_ != nullptr; }
    quint8 end() const { return end_; }
    // For what is asked of the core about one packet or moment; null, as isThere().
    const sctpa_t *analysis() const { return sctpa_; }
    quint32 assoc() const { return assoc_; }
    // Of the first frame of the capture, from which the time axis counts.
    qint64 startNs() const { return startNs_; }
    // How Wireshark shows moments.
    const SctpaMoments &moments() const { return moments_; }
    double secondsOf(qint64 timeNs) const { return double(timeNs - startNs_) / 1e9; }
    qint64 timeOf(double seconds) const;
    // From the first to the last packet of the association, in seconds from the start.
    double firstSeconds() const { return secondsOf(firstNs_); }
    double lastSeconds() const { return secondsOf(lastNs_); }
    quint32 frameOf(quint32 packet) const;
    qint64 packetTimeNs(quint32 packet) const;
    // The packet of a frame that is of this association, SCTPA_NO_PACKET_INDEX none; whose data it is about.
    quint32 packetOf(quint32 frame) const;
    quint8 endOf(quint32 packet) const { return sctpa_packet_data_end(sctpa_, packet); }
    // What relative TSN 0 stands for.
    quint32 initialTsn() const { return initialTsn_; }
    // Destination address of each path of the sender.
    const QVector<QString> &pathNames() const { return pathNames_; }
    const QVector<Event> &events() const { return events_; }
    // Of both endpoints.
    const QVector<Finding> &findings() const { return findings_; }
    // Those of Finding::rules at a packet that stand for a rule, by its id ("ID-005").
    QVector<quint32> rulesOf(quint32 frame, const QString &id) const;
    // Those of the series that are not there yet, all in one go: of a path and a stream, or of any. Cost as
    // sctpa_series_make.
    Read readSeries(quint32 kinds, quint16 path, int stream = AnyStream);
    // How wide the bins of rates are to be: wider than the pauses between bursts, which else make a comb of them.
    // Before series of rates are read. Cost as a few times sctpa_series_make of one rate.
    Read readRateBin();
    // Null: it was not made, or has no points.
    SctpaSeries series(sctpa_series_kind_t kind, quint16 path, int stream = AnyStream) const;
    // The streams with data. Cost as sctpa_series_streams.
    Read readStreams();
    // The busiest first.
    const QVector<Stream> &streams() const { return streams_; }
    // The times in which the peer's window was closed. Cost as sctpa_windows_measure.
    Read readClosedWindows();
    const QVector<Band> &closedWindows() const { return closed_; }
    // The pauses. Cost as sctpa_pauses_measure.
    Read readPauses();
    const QVector<Band> &pauses() const { return pauses_; }
    // The limits. Cost as sctpa_measure.
    Read readLimits();
    // What RTOs are learned from, which cards of the sender ask for: afterwards they have them at once. Cost as
    // sctpa_learned, for one direction.
    Read readRto();
    // Limits that are not above 0 are not known.
    bool hasRto() const { return hasRto_; }
    const sctpa_throughput_limits_t &theory() const { return theory_; }

  private:
    static quint64 keyOf(int kind, quint16 path, int stream);
    void readEvents(const sctpa_assoc_t *assoc);
    void readFindings(const sctpa_view_t &view, const QString (&endNames)[2]);
    QString pauseText(const sctpa_pause_t &pause, sctpa_labels_t *labels) const;

    sctpa_view_t view_{}; // borrowed as it was at look()
    const sctpa_t *sctpa_ = nullptr;
    quint32 assoc_ = 0;
    quint8 end_ = 0;
    sctpa_series_source_t source_ = {};
    qint64 startNs_ = 0, firstNs_ = 0, lastNs_ = 0;
    quint32 initialTsn_ = 0;
    SctpaMoments moments_;
    QVector<QString> pathNames_;
    QVector<Event> events_;
    QVector<Finding> findings_;
    QVector<Stream> streams_;
    QHash<quint64, SctpaSeries> series_;
    QVector<Band> closed_, pauses_;
    qint64 rateBinNs_ = 0; // 0: not known yet
    bool hasStreams_ = false, hasClosedWindows_ = false, hasPauses_ = false, hasLimits_ = false, hasRto_ = false;
    sctpa_throughput_limits_t theory_ = {};
};

#endif
