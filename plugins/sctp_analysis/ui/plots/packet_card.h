/* SPDX-License-Identifier: GPL-2.0-or-later */
// What is known of what is pointed at in a graph, as a card: of a packet, or between packets of the sender at that
// time. All of it is asked of the core when it is pointed at; leaves drawing to the crosshair.
#ifndef SCTPA_UI_PACKET_CARD_H
#define SCTPA_UI_PACKET_CARD_H

#include <QStringList>

#include "trace.h"

struct SctpaCard {
    struct Row {
        QString label, text;
    };
    QString head;
    QStringList notes; // lines below it, as wide as they are
    QVector<Row> rows;

    bool isEmpty() const { return head.isEmpty(); }
    // The same as lines, "label: text".
    QStringList lines() const;
};

// Of a packet that was found. when: its time as the axis shows it. Where found is a transmission in the plot of TSNs,
// of that TSN, else of the first in the packet. O(log n + TSNs outstanding then), bounded by the core.
SctpaCard sctpaPacketCard(const SctpaGraphData &data, const SctpaFound &found, const QString &when);

// Of the sender at a moment, ns since the epoch: what was outstanding, what it might send, what it waited for. notes:
// what else is said there. Cost as above.
SctpaCard sctpaSenderCard(const SctpaGraphData &data, qint64 timeNs, const QString &when, const QStringList &notes);

#endif
