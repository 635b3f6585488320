/* SPDX-License-Identifier: GPL-2.0-or-later */
// The table of kinds, and the words of chunks, timers and outcomes.
#include "ladder_text.h"

#include <QCoreApplication>

#include <iterator>

namespace {

constexpr quint32 rowOf(unsigned row)
{
    return UINT32_C(1) << row;
}

constexpr quint32 DataRows = rowOf(SCTPA_CHUNK_ROW_DATA) | rowOf(SCTPA_CHUNK_ROW_I_DATA);
constexpr quint32 SackRows = rowOf(SCTPA_CHUNK_ROW_SACK) | rowOf(SCTPA_CHUNK_ROW_NR_SACK);
constexpr quint32 HeartbeatRows = rowOf(SCTPA_CHUNK_ROW_HEARTBEAT) | rowOf(SCTPA_CHUNK_ROW_HEARTBEAT_ACK);
constexpr quint32 SetUpRows = rowOf(SCTPA_CHUNK_ROW_INIT) | rowOf(SCTPA_CHUNK_ROW_INIT_ACK) |
                              rowOf(SCTPA_CHUNK_ROW_COOKIE_ECHO) | rowOf(SCTPA_CHUNK_ROW_COOKIE_ACK);
constexpr quint32 EndRows = rowOf(SCTPA_CHUNK_ROW_ABORT) | rowOf(SCTPA_CHUNK_ROW_SHUTDOWN) |
                            rowOf(SCTPA_CHUNK_ROW_SHUTDOWN_ACK) | rowOf(SCTPA_CHUNK_ROW_SHUTDOWN_COMPLETE) |
                            rowOf(SCTPA_CHUNK_ROW_ERROR);

// In the order of SctpaLadderKind.
const struct {
    int hue;
    const char *name;
} Kinds[] = {
    { 210, QT_TRANSLATE_NOOP("sctpa_ladder", "DATA") },
    { 25, QT_TRANSLATE_NOOP("sctpa_ladder", "retransmission") },
    { 135, QT_TRANSLATE_NOOP("sctpa_ladder", "SACK") },
    { 290, QT_TRANSLATE_NOOP("sctpa_ladder", "HEARTBEAT") },
    { 180, QT_TRANSLATE_NOOP("sctpa_ladder", "set-up") },
    { 340, QT_TRANSLATE_NOOP("sctpa_ladder", "SHUTDOWN, ABORT, ERROR") },
    { -1, QT_TRANSLATE_NOOP("sctpa_ladder", "other") },
};
static_assert(std::size(Kinds) == size_t(SctpaLadderKind::Kinds), "every kind has a colour");

const char *const Titles[] = {
#define SCTPA_CHUNK(id, value, word, title, ...) title,
#include "wire/chunks.def"
    "unknown chunk"
};
static_assert(std::size(Titles) == SCTPA_CHUNK_ROWS, "every chunk type has a title");

QString tr(const char *text)
{
    return QCoreApplication::translate("sctpa_ladder", text);
}

QString tsnText(const SctpaLadderFacts &facts, int end, quint32 tsn, bool isRaw)
{
    return isRaw ? QString::number(tsn) : QString::number(qint32(tsn - facts.initialTsn(end)));
}

QString tsnsText(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet, bool isRaw)
{
    const QString first = tsnText(facts, packet.from, packet.first_tsn, isRaw);
    return packet.first_tsn == packet.last_tsn
               ? first
               : first + QChar(0x2013) + tsnText(facts, packet.from, packet.last_tsn, isRaw);
}

QString chunkText(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet, unsigned row, bool isRaw)
{
    const QString title = QString::fromUtf8(Titles[row]);
    sctpa_packet_sack_t sack;
    if (DataRows & rowOf(row) && packet.flags & SCTPA_LADDER_HAS_TSN)
        return title + QLatin1Char(' ') + tsnsText(facts, packet, isRaw);
    if (SackRows & rowOf(row) && sctpa_ladder_sack(facts.ladder(), &packet, &sack))
        return title + QLatin1Char(' ') + tsnText(facts, !packet.from, sack.cum_tsn, isRaw);
    return title;
}

QString repeatText(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet)
{
    if (packet.cause == 0)
        return tr("Retransmission of data whose first transmission the capture lacks");
    return tr("Retransmission (%1) of packet %2")
        .arg(QString::fromUtf8(sctpa_rtx_word(sctpa_rtx_kind_t(packet.cause - 1))))
        .arg(facts.frameOf(packet.repeats));
}

QString outcomeText(const sctpa_ladder_packet_t &packet)
{
    if (packet.flags & SCTPA_LADDER_STRAY)
        return tr("Wrong Verification Tag: its receiver discards it");
    if (packet.flags & SCTPA_LADDER_LOST)
        return packet.flags & SCTPA_LADDER_SENT_KNOWN
                   ? tr("Lost: it did not pass the other capture point")
                   : tr("Lost, or its acknowledgement was: none came before it was retransmitted");
    if (packet.flags & SCTPA_LADDER_NO_ANSWER)
        return tr("Not answered before the next HEARTBEAT");
    return packet.flags & SCTPA_LADDER_NOT_ACKED ? tr("Not acknowledged") : QString();
}

// What a packet asked for and did not get in time, and what it settles.
QStringList owedTexts(const SctpaLadderFacts &facts, quint32 packet)
{
    QStringList texts;
    for (const SctpaLadderFacts::Owed &owed : facts.owed()) {
        if (owed.since == packet)
            texts.append(tr("Owed for it, %1").arg(owed.text));
        else if (owed.settledBy == packet)
            texts.append(tr("Owed since packet %1, %2").arg(facts.frameOf(owed.since)).arg(owed.text));
    }
    return texts;
}

// What two taps show is exact; an estimate has no numbers.
QString farText(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet)
{
    if (packet.again != SCTPA_NO_PACKET_INDEX)
        return tr("Also captured as packet %1").arg(facts.frameOf(packet.again));
    return sctpa_ladder_far(facts.ladder()) == SCTPA_LADDER_ONE_TAP ? tr("Times at the far end: estimated") : QString();
}

}

SctpaLadderKind sctpaLadderKind(const sctpa_ladder_packet_t &packet)
{
    if (packet.rows & SetUpRows)
        return SctpaLadderKind::SetUp;
    if (packet.rows & EndRows)
        return SctpaLadderKind::End;
    if (packet.flags & SCTPA_LADDER_REPEATS)
        return SctpaLadderKind::Repeat;
    if (packet.rows & DataRows)
        return SctpaLadderKind::Data;
    if (packet.rows & HeartbeatRows)
        return SctpaLadderKind::Heartbeat;
    return packet.rows & SackRows ? SctpaLadderKind::Sack : SctpaLadderKind::Other;
}

QColor sctpaLadderColor(const QPalette &palette, SctpaLadderKind kind)
{
    return sctpaColor(palette, Kinds[int(kind)].hue);
}

QString sctpaLadderKindName(SctpaLadderKind kind)
{
    return tr(Kinds[int(kind)].name);
}

QString sctpaLadderLabel(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet, bool isRaw)
{
    QStringList chunks;
    for (unsigned row = 0; row < SCTPA_CHUNK_ROWS; row++)
        if (packet.rows & rowOf(row))
            chunks.append(chunkText(facts, packet, row, isRaw));
    return chunks.join(QStringLiteral(", "));
}

QString sctpaLadderTimer(const sctpa_ladder_packet_t &packet)
{
    return packet.flags & SCTPA_LADDER_T3                   ? QStringLiteral("T3")
           : packet.flags & SCTPA_LADDER_T1                 ? QStringLiteral("T1")
           : packet.flags & SCTPA_LADDER_T2                 ? QStringLiteral("T2")
           : packet.rows & rowOf(SCTPA_CHUNK_ROW_HEARTBEAT) ? QStringLiteral("HB")
                                                            : QString();
}

QStringList sctpaLadderCard(const SctpaLadderFacts &facts, const sctpa_ladder_packet_t &packet, bool isRaw,
                            const QString &timeText)
{
    const int from = packet.from;
    sctpa_packet_sack_t sack;
    QStringList lines{ tr("Packet %1 · %2").arg(facts.frameOf(packet.packet)).arg(timeText),
                       sctpaLadderLabel(facts, packet, isRaw),
                       facts.lanes(from).at(facts.laneOf(from, packet.source)) + QStringLiteral(" → ") +
                           facts.lanes(!from).at(facts.laneOf(!from, packet.destination)) };
    if (packet.flags & SCTPA_LADDER_REPEATS)
        lines.append(repeatText(facts, packet));
    if (packet.flags & (SCTPA_LADDER_T1 | SCTPA_LADDER_T2))
        lines.append(tr("Retransmitted without an answer: %1 expired").arg(sctpaLadderTimer(packet)));
    if (sctpa_ladder_sack(facts.ladder(), &packet, &sack) && sack.chunks > 0)
        lines.append(sack.first_packet == sack.last_packet
                         ? tr("Newly acknowledges data of packet %1").arg(facts.frameOf(sack.first_packet))
                         : tr("Newly acknowledges %1 chunks, of packets %2 to %3")
                               .arg(sack.chunks)
                               .arg(facts.frameOf(sack.first_packet))
                               .arg(facts.frameOf(sack.last_packet)));
    lines += owedTexts(facts, packet.packet);
    for (const QString &line : { outcomeText(packet), farText(facts, packet) })
        if (!line.isEmpty())
            lines.append(line);
    return lines;
}
