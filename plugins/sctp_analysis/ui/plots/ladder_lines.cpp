/* SPDX-License-Identifier: GPL-2.0-or-later */
// Packets: how many of them in each pixel row, or their lines, with labels where there is room, timers at the lanes,
// and ties from what is repeated or acknowledged.
#include "ladder_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace {

constexpr quint32 SmoothLines = 400, FineLines = 200; // more would take longer to draw than a step of zooming may
constexpr double Nowhere = 0.5;                       // it is not known where on its way the tap saw it
constexpr double LostPart = 0.6, ArrowSide = 6, NearPixels = 7, BarRoom = 6;

}

// Of two taps, the line of a packet that only one of them saw is a guess on the other side; of one tap whose distance
// is not known, on both sides.
bool SctpaLadderPainter::isEstimated(const sctpa_ladder_packet_t &packet, bool ofSender) const
{
    const int end = ofSender ? packet.from : !packet.from;
    if (sctpa_ladder_far(facts_->ladder()) == SCTPA_LADDER_TWO_TAPS)
        return !(packet.flags & (ofSender ? SCTPA_LADDER_SENT_KNOWN : SCTPA_LADDER_ARRIVED_KNOWN));
    const bool hasShift =
        sctpa_ladder_shift_ns(facts_->ladder(), 0) > 0 || sctpa_ladder_shift_ns(facts_->ladder(), 1) > 0;
    return hasShift ? sctpa_ladder_shift_ns(facts_->ladder(), quint8(end)) > 0
                    : !sctpa_ladder_has_rtt(facts_->ladder(), quint8(end));
}

SctpaLadderPainter::Line SctpaLadderPainter::lineOf(const sctpa_ladder_packet_t &packet) const
{
    const int from = packet.from;
    const double before = double(packet.time_ns - packet.sent_ns), all = double(packet.arrived_ns - packet.sent_ns);
    const bool hasOneTap = sctpa_ladder_far(facts_->ladder()) != SCTPA_LADDER_TWO_TAPS;
    const double crossing = hasOneTap                                ? all > 0 ? before / all : Nowhere
                            : packet.flags & SCTPA_LADDER_SENT_KNOWN ? 0
                                                                     : 1;
    const bool isLost = packet.flags & SCTPA_LADDER_LOST;
    return { QPointF(laneX(from, facts_->laneOf(from, packet.source)), yOf(packet.sent_ns)),
             QPointF(laneX(!from, facts_->laneOf(!from, packet.destination)), yOf(packet.arrived_ns)), crossing,
             isLost ? crossing + LostPart * (1 - crossing) : 1.0 };
}

void SctpaLadderPainter::drawDensityRow(QPainter *painter, double y, int end, const sctpa_ladder_count_t &count,
                                        double scale) const
{
    const double side = end == 0 ? 1 : -1;
    const double all = count.packets[end], data = count.data[end], repeats = std::min(data, double(count.repeats[end]));
    const double sacks = std::min(all - data, double(count.sacks[end]));
    const struct {
        double part;
        SctpaLadderKind kind;
    } parts[] = { { repeats, SctpaLadderKind::Repeat },
                  { data - repeats, SctpaLadderKind::Data },
                  { sacks, SctpaLadderKind::Sack },
                  { all - data - sacks, SctpaLadderKind::Other } };
    double x = laneX(end, int(facts_->lanes(end).size()) - 1) + side * BarRoom;
    for (const auto &each : parts) {
        const double width = each.part * scale;
        if (width > 0)
            painter->fillRect(QRectF(std::min(x, x + side * width), y, width, 1),
                              sctpaLadderColor(palette_, each.kind));
        x += side * width;
    }
    if (count.lost[end] > 0)
        painter->fillRect(QRectF(x + side * 2 - 2, y, 4, 1), colors_.trouble);
}

void SctpaLadderPainter::drawDensity(QPainter *painter) const
{
    const sctpa_ladder_t *ladder = facts_->ladder();
    const int rows = std::max(1, int(body_.height()));
    QVector<sctpa_ladder_count_t> counts(rows);
    quint32 most = 1, from = firstInside_;
    for (int row = 0; row < rows; row++) {
        const quint32 to = row + 1 == rows ? lastInside_ : sctpa_ladder_before(ladder, timeOf(body_.top() + row + 1));
        sctpa_ladder_count(ladder, from, std::max(from, to), &counts[row]);
        most = std::max({ most, counts[row].packets[0], counts[row].packets[1] });
        from = std::max(from, to);
    }
    const double inner = laneX(1, int(facts_->lanes(1).size()) - 1) - laneX(0, int(facts_->lanes(0).size()) - 1);
    const double scale = std::max(1.0, inner / 2 - 3 * BarRoom) / most;
    painter->setRenderHint(QPainter::Antialiasing, false);
    for (int row = 0; row < rows; row++)
        for (int end = 0; end < 2; end++)
            if (counts[row].packets[end] > 0)
                drawDensityRow(painter, body_.top() + row, end, counts[row], scale);
    painter->setRenderHint(QPainter::Antialiasing, true);
    painter->setClipping(false);
    painter->setPen(colors_.faint);
    painter->drawText(QRectF(body_.left(), metrics_.height(), body_.width(), metrics_.height()), Qt::AlignCenter,
                      QCoreApplication::translate("sctpa_ladder", "up to %1 packets a pixel row").arg(most));
}

void SctpaLadderPainter::drawEnds(QPainter *painter, const Line &line, const QColor &color, bool isLost) const
{
    const QPointF way = line.to - line.from;
    const double length = std::hypot(way.x(), way.y());
    if (length < 1)
        return;
    const QPointF along = way / length, across(-along.y(), along.x()), at = line.from + way * line.cut;
    if (isLost) {
        painter->setPen(QPen(colors_.trouble, 2));
        painter->drawLine(QLineF(at - QPointF(4, 4), at + QPointF(4, 4)));
        painter->drawLine(QLineF(at + QPointF(-4, 4), at + QPointF(4, -4)));
        return;
    }
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawPolygon(QPolygonF() << at << at - along * ArrowSide + across * ArrowSide / 2.5
                                     << at - along * ArrowSide - across * ArrowSide / 2.5);
}

// Solid as far as the tap shows its way, dashed on the half towards an endpoint whose time is estimated.
void SctpaLadderPainter::drawLine(QPainter *painter, const sctpa_ladder_packet_t &packet, const QPen &pen) const
{
    const Line line = lineOf(packet);
    const QPointF way = line.to - line.from;
    const bool isFine = last_ - first_ <= FineLines;
    const double solidFrom = isFine && isEstimated(packet, true) ? line.crossing / 2 : 0;
    const double solidTo = isFine && isEstimated(packet, false) ? (line.crossing + 1) / 2 : 1;
    QPen dashed = pen;
    dashed.setDashPattern({ 4, 3 });
    painter->setPen(dashed);
    if (solidFrom * std::abs(way.x()) >= 1)
        painter->drawLine(QLineF(line.from, line.from + way * solidFrom));
    if (line.cut > solidTo)
        painter->drawLine(QLineF(line.from + way * solidTo, line.from + way * line.cut));
    painter->setPen(pen);
    painter->drawLine(QLineF(line.from + way * solidFrom, line.from + way * std::min(solidTo, line.cut)));
    const bool isLost = packet.flags & SCTPA_LADDER_LOST;
    if (isLost || isFine)
        drawEnds(painter, line, pen.color(), isLost);
}

// Where very many lines cross, only those that begin, end, or pass the tap here.
bool SctpaLadderPainter::isInSight(const sctpa_ladder_packet_t &packet) const
{
    const auto isHere = [this](int64_t timeNs) { return timeNs >= choice_.fromNs && timeNs <= choice_.toNs; };
    if (last_ - first_ > MostPerRow * body_.height())
        return isHere(packet.time_ns) || isHere(packet.sent_ns) || isHere(packet.arrived_ns);
    return std::max(packet.sent_ns, packet.arrived_ns) >= choice_.fromNs &&
           std::min(packet.sent_ns, packet.arrived_ns) <= choice_.toNs;
}

void SctpaLadderPainter::drawLines(QPainter *painter) const
{
    const sctpa_ladder_t *ladder = facts_->ladder();
    QPen pens[int(SctpaLadderKind::Kinds)];
    for (int kind = 0; kind < int(SctpaLadderKind::Kinds); kind++)
        pens[kind] = QPen(sctpaLadderColor(palette_, SctpaLadderKind(kind)), detail_ == Labels ? 1.5 : 1);
    painter->setRenderHint(QPainter::Antialiasing, last_ - first_ <= SmoothLines);
    for (quint32 i = first_; i < last_; i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(ladder, i);
        if (isInSight(*packet))
            drawLine(painter, *packet, pens[int(sctpaLadderKind(*packet))]);
    }
    painter->setRenderHint(QPainter::Antialiasing, true);
    drawTies(painter);
    drawTimers(painter);
    if (detail_ == Labels)
        drawLabels(painter);
}

// At the sender's lane: T1, T2, T3 always, HEARTBEATs where there are labels.
void SctpaLadderPainter::drawTimers(QPainter *painter) const
{
    double lastY[2] = { -1e9, -1e9 };
    const double line = metrics_.height();
    for (quint32 i = first_; i < last_; i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(facts_->ladder(), i);
        const QString timer = sctpaLadderTimer(*packet);
        const int from = packet->from;
        const double y = yOf(packet->sent_ns), x = laneX(from, facts_->laneOf(from, packet->source));
        const bool expired = packet->flags & (SCTPA_LADDER_T1 | SCTPA_LADDER_T2 | SCTPA_LADDER_T3);
        if (timer.isEmpty() || (!expired && detail_ != Labels) || y < body_.top() || y > body_.bottom())
            continue;
        const QColor color = expired || packet->flags & SCTPA_LADDER_NO_ANSWER
                                 ? colors_.trouble
                                 : sctpaLadderColor(palette_, SctpaLadderKind::Heartbeat);
        painter->setPen(QPen(color, 1.5));
        painter->setBrush(colors_.ground);
        painter->drawEllipse(QPointF(x, y), 3.5, 3.5);
        if (y - lastY[from] < line)
            continue;
        lastY[from] = y;
        const double width = metrics_.horizontalAdvance(timer) + 6;
        painter->drawText(QRectF(from == 0 ? x - width - 2 : x + 2, y - line, width, line), Qt::AlignCenter, timer);
    }
}

void SctpaLadderPainter::drawRepeatTie(QPainter *painter, const sctpa_ladder_packet_t &packet, double width) const
{
    const sctpa_ladder_packet_t *first = facts_->ofPacket(packet.repeats);
    if (!first)
        return;
    const int from = packet.from;
    const double side = from == 0 ? -1 : 1, x = outerX_[from] + side * tieWidth_ * 0.75;
    const QPointF begin(laneX(from, facts_->laneOf(from, first->source)), yOf(first->sent_ns)),
        end(laneX(from, facts_->laneOf(from, packet.source)), yOf(packet.sent_ns));
    painter->setPen(QPen(sctpaLadderColor(palette_, SctpaLadderKind::Repeat), width));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(QPolygonF() << begin << QPointF(x, std::min(end.y(), begin.y() + tieWidth_ / 2))
                                      << QPointF(x, std::max(begin.y(), end.y() - tieWidth_ / 2)) << end);
}

// From where the SACK arrived to where what it newly acknowledges left.
void SctpaLadderPainter::drawSackTie(QPainter *painter, const sctpa_ladder_packet_t &packet, double width) const
{
    sctpa_packet_sack_t sack;
    if (!sctpa_ladder_sack(facts_->ladder(), &packet, &sack) || sack.chunks == 0 || packet.flags & SCTPA_LADDER_LOST)
        return;
    const sctpa_ladder_packet_t *first = facts_->ofPacket(sack.first_packet),
                                *last = facts_->ofPacket(sack.last_packet);
    const int sender = !packet.from;
    if (!first || !last)
        return;
    const double side = sender == 0 ? -1 : 1, x = outerX_[sender] + side * tieWidth_ * 0.4;
    const double top = yOf(first->sent_ns), bottom = yOf(last->sent_ns);
    const QPointF end(laneX(sender, facts_->laneOf(sender, packet.destination)), yOf(packet.arrived_ns));
    painter->setPen(QPen(sctpaLadderColor(palette_, SctpaLadderKind::Sack), width, Qt::DotLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(QPolygonF() << QPointF(laneX(sender, facts_->laneOf(sender, first->source)), top)
                                      << QPointF(x, top) << QPointF(x, std::max(bottom, end.y() - tieWidth_ / 2))
                                      << end);
    if (last != first)
        painter->drawLine(QLineF(laneX(sender, facts_->laneOf(sender, last->source)), bottom, x, bottom));
}

void SctpaLadderPainter::drawTies(QPainter *painter) const
{
    if (last_ - first_ > SmoothLines)
        return;
    for (quint32 i = first_; i < last_; i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(facts_->ladder(), i);
        if (packet->repeats != SCTPA_NO_PACKET_INDEX)
            drawRepeatTie(painter, *packet, 1);
        if (detail_ == Labels)
            drawSackTie(painter, *packet, 1);
    }
}

// Along its line, nearer to its sender, so that those of both directions do not meet.
void SctpaLadderPainter::drawLabel(QPainter *painter, const sctpa_ladder_packet_t &packet, QVector<Label> *placed) const
{
    constexpr double LabelPart = 0.28, MostPart = 0.5;
    const Line line = lineOf(packet);
    const bool isRightward = line.to.x() > line.from.x();
    const QPointF way = line.to - line.from, at = line.from + way * LabelPart;
    if (at.y() < body_.top() || at.y() > body_.bottom())
        return;
    const double room = MostPart * std::hypot(way.x(), way.y());
    const QString text = elided(sctpaLadderLabel(*facts_, packet, choice_.isRaw), room);
    const double width = metrics_.horizontalAdvance(text), height = metrics_.height();
    for (const Label &other : std::as_const(*placed))
        if (std::abs(other.at.y() - at.y()) < height && std::abs(other.at.x() - at.x()) < (other.width + width) / 2)
            return;
    placed->append({ at, width });
    painter->save();
    painter->translate(at);
    painter->rotate((isRightward ? 1 : -1) * std::atan2(way.y(), std::abs(way.x())) * 180 / M_PI);
    QColor ground = colors_.ground;
    ground.setAlpha(190);
    painter->fillRect(QRectF(-width / 2 - 2, -height, width + 4, height - 1), ground);
    painter->setPen(sctpaLadderColor(palette_, sctpaLadderKind(packet)));
    painter->drawText(QRectF(-width / 2 - 1, -height, width + 2, height), Qt::AlignCenter, text);
    painter->restore();
}

void SctpaLadderPainter::drawLabels(QPainter *painter) const
{
    QVector<Label> placed;
    // Rare ones first, then in order of time.
    for (const bool isRare : { true, false })
        for (quint32 i = first_; i < last_; i++) {
            const sctpa_ladder_packet_t *packet = sctpa_ladder_at(facts_->ladder(), i);
            const SctpaLadderKind kind = sctpaLadderKind(*packet);
            if ((kind != SctpaLadderKind::Data && kind != SctpaLadderKind::Sack) == isRare)
                drawLabel(painter, *packet, &placed);
        }
}

void SctpaLadderPainter::drawMarked(QPainter *painter, const sctpa_ladder_packet_t &packet, bool isSelected) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, true);
    painter->setFont(font_);
    painter->setClipRect(QRectF(0, body_.top() - 1, size_.width(), body_.height() + 2));
    QColor halo = palette_.color(QPalette::Highlight);
    halo.setAlpha(isSelected ? 130 : 70);
    const Line line = lineOf(packet);
    painter->setPen(QPen(halo, 7, Qt::SolidLine, Qt::RoundCap));
    painter->drawLine(QLineF(line.from, line.from + (line.to - line.from) * line.cut));
    drawLine(painter, packet, QPen(sctpaLadderColor(palette_, sctpaLadderKind(packet)), 2));
    if (packet.repeats != SCTPA_NO_PACKET_INDEX)
        drawRepeatTie(painter, packet, 2);
    drawSackTie(painter, packet, 2);
    painter->restore();
}

const sctpa_ladder_packet_t *SctpaLadderPainter::packetAt(const QPointF &place) const
{
    if (!facts_->isMade() || place.y() < body_.top() || place.y() > body_.bottom())
        return nullptr;
    const sctpa_ladder_packet_t *nearest = nullptr;
    if (detail_ == Density) {
        const quint32 at = sctpa_ladder_before(facts_->ladder(), timeOf(std::floor(place.y())));
        return at < lastInside_ ? sctpa_ladder_at(facts_->ladder(), at) : nullptr;
    }
    double least = NearPixels;
    for (quint32 i = first_; i < last_; i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(facts_->ladder(), i);
        if (!isInSight(*packet))
            continue;
        const Line line = lineOf(*packet);
        const QPointF way = (line.to - line.from) * line.cut, to = place - line.from;
        const double length2 = way.x() * way.x() + way.y() * way.y();
        const double part = length2 > 0 ? std::clamp((to.x() * way.x() + to.y() * way.y()) / length2, 0.0, 1.0) : 0.0;
        const QPointF off = to - way * part;
        const double away = std::hypot(off.x(), off.y());
        if (away < least) {
            least = away;
            nearest = packet;
        }
    }
    return nearest;
}
