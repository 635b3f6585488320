/* SPDX-License-Identifier: GPL-2.0-or-later */
// What people read of a packet of the ladder, and what kind of packet it is, which has a colour.
#ifndef SCTPA_UI_LADDER_TEXT_H
#define SCTPA_UI_LADDER_TEXT_H

#include <QStringList>

#include "ladder_facts.h"
#include "style.h"

// In the order of the legend.
enum class SctpaLadderKind { Data, Repeat, Sack, Heartbeat, SetUp, End, Other, Kinds };

// What a packet is drawn as: the first that it has of set-up, end, retransmission, data, heartbeat, SACK.
SctpaLadderKind sctpaLadderKind(const sctpa_ladder_packet_t &packet);
QColor sctpaLadderColor(const QPalette &palette, SctpaLadderKind kind);
QString sctpaLadderKindName(SctpaLadderKind kind);

// "INIT ACK", "DATA 12–15, SACK 7": chunk types with their TSNs, relative unless isRaw.
QString sctpaLadderLabel(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet, bool isRaw);
// "T3", "T1", "T2", "HB", empty: no timer.
QString sctpaLadderTimer(const sctpa_ladder_packet_t &packet);
// All that is known of a packet, a line each. timeText: its time as the axis shows it.
QStringList sctpaLadderCard(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet, bool isRaw,
                            const QString &timeText);

#endif
