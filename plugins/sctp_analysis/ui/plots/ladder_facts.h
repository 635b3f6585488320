/* SPDX-License-Identifier: GPL-2.0-or-later */
// What the ladder shows of an association: its packets, made by the core, lanes, states, events and their names. Holds
// the analysis from look() to clear(). Leaves when to read to the window, and drawing to the painter.
#ifndef SCTPA_UI_LADDER_FACTS_H
#define SCTPA_UI_LADDER_FACTS_H

#include <functional>

#include <QSharedPointer>
#include <QString>
#include <QVector>

#include "models/results.h"
#include "value_text.h"

class SctpaLadderFacts {
  public:
    struct Event {
        qint64 timeNs;
        quint32 frame;
        int end; // whose margin it stands at
        QString text;
        bool isTrouble;
    };
    // States that the reference endpoint may be in from a time on (bits of sctpa_state_t).
    struct States {
        qint64 timeNs;
        quint16 states;
        QString text;
    };
    // What an endpoint owed at once and did not answer in time: from the packet that asked for it, when it arrived, to
    // the one that answered it or showed that no answer came, or to the last of the association.
    struct Owed {
        qint64 fromNs, toNs;
        int end, lane;
        quint32 since, settledBy; // packets; SCTPA_NO_PACKET_INDEX: the end of the capture
        QString text;             // "late: SACK, after 1.200 s"
        bool isOpen;              // the capture ended too early to say
    };
    // As in SctpaGraphData: Read in any thread, what it returns in the main one.
    using Keep = std::function<void()>;
    using Read = std::function<Keep()>;

    // Forgets what was there, and takes hold of an association. view and assoc are good until clear().
    void look(const sctpa_view_t &view, const sctpa_assoc_t *assoc);
    void clear();
    // Makes the ladder. Cost as sctpa_ladder.
    Read read() const;
    void keep(const QSharedPointer<sctpa_ladder_t> &ladder);

    // Is an association there; was its ladder made?
    bool isThere() const { return sctpa_ != nullptr; }
    bool isMade() const { return ladder_ != nullptr; }
    const sctpa_ladder_t *ladder() const { return ladder_.get(); }

    // Of the first frame of the capture; of the first and last packet of the association. ns since the epoch.
    qint64 startNs() const { return startNs_; }
    qint64 firstNs() const { return firstNs_; }
    qint64 lastNs() const { return lastNs_; }
    const SctpaMoments &moments() const { return moments_; }
    const QString &endName(int end) const { return endNames_[end]; }
    // Addresses of an endpoint that packets came from or went to; which of them is the lane of an address.
    const QVector<QString> &lanes(int end) const { return lanes_[end]; }
    int laneOf(int end, int address) const { return laneOf_[end].value(address, 0); }
    const QVector<States> &states(int end) const { return states_[end]; }
    const QVector<Event> &events() const { return events_; }
    // In the order of the packets that settled it, behind them what was open when the capture ended.
    const QVector<Owed> &owed() const { return owed_; }
    // What relative TSN 0 of an endpoint's data stands for.
    quint32 initialTsn(int end) const { return initialTsn_[end]; }

    quint32 frameOf(quint32 packet) const;
    // The packet of a frame; null: it is of another association.
    const sctpa_ladder_packet_t *ofFrame(quint32 frame) const;
    const sctpa_ladder_packet_t *ofPacket(quint32 packet) const;
    // When a packet was at an endpoint.
    static qint64 timeAt(const sctpa_ladder_packet_t &packet, int end)
    {
        return packet.from == end ? packet.sent_ns : packet.arrived_ns;
    }

  private:
    void readLanes(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, int end);
    void readEvents(const sctpa_assoc_t *assoc);
    void readStates();
    void readOwed();

    const sctpa_t *sctpa_ = nullptr;
    quint32 assoc_ = 0;
    QSharedPointer<sctpa_ladder_t> ladder_;
    qint64 startNs_ = 0, firstNs_ = 0, lastNs_ = 0;
    SctpaMoments moments_;
    QString endNames_[2];
    QVector<QString> lanes_[2];
    QVector<int> laneOf_[2];
    QVector<States> states_[2];
    QVector<Event> events_;
    QVector<Owed> owed_;
    quint32 initialTsn_[2] = { 0, 0 };
};

#endif
