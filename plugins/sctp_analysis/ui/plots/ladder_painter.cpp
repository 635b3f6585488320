/* SPDX-License-Identifier: GPL-2.0-or-later */
// Where everything stands, and what stands around the packets: addresses, time, states, events, legend. The packets
// themselves stand in ladder_lines.cpp.
#include "ladder_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

constexpr double MostLane = 46, LanesPart = 0.2, MarginPart = 0.15, TiePart = 0.03;
constexpr int AddressRows = 4;
constexpr double TickRoom = 3, StateBar = 5;
constexpr int MostOwed = 400; // more stand so close that none can be told from its neighbours
constexpr int NsDecimals = 9;

QColor stateColor(const QPalette &palette, quint16 states)
{
    const quint16 established = 1u << SCTPA_STATE_ESTABLISHED, closed = 1u << SCTPA_STATE_CLOSED,
                  setUp = 1u << SCTPA_STATE_COOKIE_WAIT | 1u << SCTPA_STATE_COOKIE_ECHOED;
    return states == SCTPA_ALL_STATES          ? Qt::transparent
           : (states & ~closed) == 0           ? sctpaColor(palette, -1)
           : (states & ~(setUp | closed)) == 0 ? sctpaColor(palette, 180)
           : states & established              ? sctpaColor(palette, 135)
                                               : sctpaColor(palette, 30);
}

}

SctpaLadderPainter::SctpaLadderPainter(const SctpaLadderFacts *facts, const SctpaLadderChoice &choice,
                                       const QSizeF &size, const QPalette &palette, const QFont &font)
    : facts_(facts), choice_(choice), size_(size), palette_(palette), font_(font), metrics_(font), colors_(palette)
{
    arrange();
    findShown();
}

void SctpaLadderPainter::arrange()
{
    const double line = metrics_.height(), width = size_.width();
    const double times = metrics_.horizontalAdvance(timeText(facts_->lastNs())) + 2 * TickRoom;
    const double margin =
        std::clamp(MarginPart * width, 5 * metrics_.averageCharWidth(), 24 * metrics_.averageCharWidth());
    tieWidth_ = std::clamp(TiePart * width, 10.0, 36.0);
    const int rows = int(std::min<qsizetype>(AddressRows, std::max(facts_->lanes(0).size(), facts_->lanes(1).size())));
    const double top = (2 + rows) * line + 2 * TickRoom, bottom = size_.height() - line - 3 * TickRoom;
    outerX_[0] = times + margin + tieWidth_;
    outerX_[1] = width - margin - tieWidth_ - TickRoom;
    margins_[0] = QRectF(times, top, margin, std::max(1.0, bottom - top));
    margins_[1] = QRectF(outerX_[1] + tieWidth_, top, margin, margins_[0].height());
    body_ = QRectF(outerX_[0], top, std::max(1.0, outerX_[1] - outerX_[0]), margins_[0].height());
    for (int end = 0; end < 2; end++) {
        const int others = int(facts_->lanes(end).size()) - 1;
        gap_[end] = others > 0 ? std::min(MostLane, LanesPart * body_.width() / others) : 0;
    }
}

// Density where more than three packets fall into a pixel row on the average, as graphs show columns.
void SctpaLadderPainter::findShown()
{
    constexpr double LabelLines = 1.5;
    if (!facts_->isMade())
        return;
    const sctpa_ladder_t *ladder = facts_->ladder();
    const qint64 reach = sctpa_ladder_reach_ns(ladder);
    first_ = sctpa_ladder_before(ladder, choice_.fromNs - reach);
    last_ = sctpa_ladder_before(ladder, choice_.toNs + reach + 1);
    firstInside_ = sctpa_ladder_before(ladder, choice_.fromNs);
    lastInside_ = sctpa_ladder_before(ladder, choice_.toNs + 1);
    const double inside = lastInside_ - firstInside_;
    detail_ = inside > MostPerRow * body_.height()                           ? Density
              : inside * LabelLines * metrics_.height() > body_.height() * 2 ? Lines
                                                                             : Labels;
}

double SctpaLadderPainter::yOf(qint64 timeNs) const
{
    return body_.top() + double(timeNs - choice_.fromNs) / double(choice_.toNs - choice_.fromNs) * body_.height();
}

qint64 SctpaLadderPainter::timeOf(double y) const
{
    return choice_.fromNs +
           qint64(std::llround((y - body_.top()) / body_.height() * double(choice_.toNs - choice_.fromNs)));
}

double SctpaLadderPainter::laneX(int end, int lane) const
{
    return end == 0 ? outerX_[0] + lane * gap_[0] : outerX_[1] - lane * gap_[1];
}

QString SctpaLadderPainter::elided(const QString &text, double width) const
{
    return metrics_.elidedText(text, Qt::ElideRight, width);
}

// 1, 2 or 5 of a power of ten, so far apart that labels fit.
double SctpaLadderPainter::scaleStepNs() const
{
    const double least = 3 * metrics_.height() / body_.height() * double(choice_.toNs - choice_.fromNs);
    const double power = std::pow(10, std::floor(std::log10(std::max(least, 1.0))));
    return least <= power ? power : least <= 2 * power ? 2 * power : least <= 5 * power ? 5 * power : 10 * power;
}

QString SctpaLadderPainter::timeText(qint64 timeNs) const
{
    if (choice_.isAbsolute)
        return facts_->moments().text(timeNs);
    return QStringLiteral("%1 s").arg(double(timeNs - facts_->startNs()) / 1e9, 0, 'f', 6);
}

void SctpaLadderPainter::drawTimes(QPainter *painter) const
{
    const double step = scaleStepNs();
    const int decimals = std::clamp(NsDecimals - int(std::floor(std::log10(step) + 1e-9)), 0, NsDecimals);
    const qint64 start = facts_->startNs();
    for (double tick = std::ceil(double(choice_.fromNs - start) / step) * step; tick <= double(choice_.toNs - start);
         tick += step) {
        const qint64 timeNs = start + qint64(std::llround(tick));
        const double y = yOf(timeNs);
        const QString text =
            choice_.isAbsolute ? facts_->moments().time(timeNs, decimals) : QString::number(tick / 1e9, 'f', decimals);
        painter->setPen(QPen(colors_.grid, 1));
        painter->drawLine(QLineF(margins_[0].left(), y, margins_[1].right(), y));
        painter->setPen(colors_.faint);
        painter->drawText(QRectF(0, y - metrics_.height() / 2, margins_[0].left() - TickRoom, metrics_.height()),
                          Qt::AlignRight | Qt::AlignVCenter, text);
    }
}

// How its times are known, empty: as captured. Where what is estimated is less than a pixel wide, there is the tap.
QString SctpaLadderPainter::timesText(int end) const
{
    if (!facts_->isMade() || sctpa_ladder_far(facts_->ladder()) == SCTPA_LADDER_TWO_TAPS)
        return QString();
    if (!sctpa_ladder_has_rtt(facts_->ladder(), quint8(end)))
        return QCoreApplication::translate("sctpa_ladder", "time unknown");
    const double shift = double(sctpa_ladder_shift_ns(facts_->ladder(), quint8(end)));
    const double other = double(sctpa_ladder_shift_ns(facts_->ladder(), quint8(!end)));
    return shift > 0 && shift / (shift + other) * body_.width() >= 1
               ? QCoreApplication::translate("sctpa_ladder", "estimated")
               : QString();
}

// Its name above its lanes; each lane's address on a row of its own, as far as there are rows.
void SctpaLadderPainter::drawEndpoint(QPainter *painter, int end) const
{
    const double line = metrics_.height(), half = size_.width() / 2;
    const QVector<QString> &lanes = facts_->lanes(end);
    const Qt::Alignment side = end == 0 ? Qt::AlignLeft : Qt::AlignRight;
    const auto row = [&](int number, double x, double width) {
        return end == 0 ? QRectF(x, TickRoom + number * line, width, line)
                        : QRectF(x - width, TickRoom + number * line, width, line);
    };
    const double edge = end == 0 ? margins_[0].left() : margins_[1].right(), most = std::abs(half - edge) - TickRoom;
    QFont bold = font_;
    bold.setBold(true);
    painter->setFont(bold);
    painter->setPen(colors_.ink);
    painter->drawText(row(0, edge, most), side, elided(facts_->endName(end), most * 0.95));
    painter->setFont(font_);
    painter->setPen(colors_.faint);
    painter->drawText(row(1, edge, most), side, timesText(end));
    for (int lane = 0; lane < lanes.size(); lane++) {
        const int number = std::min(lane, AddressRows - 1);
        const double x = laneX(end, lane), room = std::abs(half - x) - 2 * TickRoom;
        painter->setPen(colors_.ink);
        if (lane < AddressRows)
            painter->drawText(row(2 + number, end == 0 ? x - TickRoom : x + TickRoom, room), side,
                              elided(lanes.at(lane), room));
        painter->setPen(QPen(colors_.faint, 1));
        painter->drawLine(QLineF(x, TickRoom + (3 + number) * line, x, body_.bottom()));
    }
}

void SctpaLadderPainter::drawLegend(QPainter *painter) const
{
    const double y = size_.height() - metrics_.height() / 2 - TickRoom, sample = 2 * metrics_.averageCharWidth();
    double x = margins_[0].left();
    for (int kind = 0; kind < int(SctpaLadderKind::Kinds); kind++) {
        const QString name = sctpaLadderKindName(SctpaLadderKind(kind));
        const double width = sample + TickRoom + metrics_.horizontalAdvance(name) + 4 * TickRoom;
        if (x + width > size_.width())
            return;
        painter->setPen(QPen(sctpaLadderColor(palette_, SctpaLadderKind(kind)), 2.5));
        painter->drawLine(QLineF(x, y, x + sample, y));
        painter->setPen(colors_.ink);
        painter->drawText(QRectF(x + sample + TickRoom, y - metrics_.height() / 2, width, metrics_.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, name);
        x += width;
    }
}

void SctpaLadderPainter::drawHead(QPainter *painter) const
{
    painter->fillRect(QRectF(QPointF(0, 0), size_), colors_.ground);
    drawTimes(painter);
    for (int end = 0; end < 2; end++)
        drawEndpoint(painter, end);
    drawLegend(painter);
}

QVector<SctpaLadderPainter::MarginText> SctpaLadderPainter::drawStates(QPainter *painter, int end, double barX) const
{
    const QVector<SctpaLadderFacts::States> &states = facts_->states(end);
    const double last = std::min(body_.bottom(), yOf(facts_->lastNs()));
    QVector<MarginText> texts;
    for (int i = 0; i < states.size(); i++) {
        const double from = std::max(body_.top(), yOf(states.at(i).timeNs));
        const double to = i + 1 < states.size() ? std::min(last, yOf(states.at(i + 1).timeNs)) : last;
        if (to < body_.top() || from > body_.bottom() || to < from)
            continue;
        painter->fillRect(QRectF(barX, from, StateBar, std::max(1.0, to - from)),
                          stateColor(palette_, states.at(i).states));
        texts.append({ from, to - from, states.at(i).text, colors_.ink });
    }
    return texts;
}

QVector<SctpaLadderPainter::MarginText> SctpaLadderPainter::drawEvents(QPainter *painter, int end, double barX) const
{
    constexpr double Radius = 4;
    const double x = barX + StateBar / 2;
    QVector<MarginText> texts;
    painter->setPen(Qt::NoPen);
    for (const SctpaLadderFacts::Event &event : facts_->events()) {
        const double y = yOf(event.timeNs);
        if (event.end != end || y < body_.top() || y > body_.bottom())
            continue;
        const QColor color = event.isTrouble ? colors_.trouble : colors_.faint;
        painter->setBrush(color);
        painter->drawPolygon(QPolygonF() << QPointF(x - Radius, y) << QPointF(x, y - Radius) << QPointF(x + Radius, y)
                                         << QPointF(x, y + Radius));
        texts.append({ y - metrics_.height() / 2, event.isTrouble ? body_.height() : 0, event.text, color });
    }
    return texts;
}

// A bracket beside the lane, from the packet that asked for an answer to where it came or was seen to be missing; open
// below where the capture ends before that.
QVector<SctpaLadderPainter::MarginText> SctpaLadderPainter::drawOwed(QPainter *painter, int end) const
{
    const double side = end == 0 ? -1 : 1, bend = outerX_[end] + side * tieWidth_ * 0.25;
    QVector<MarginText> texts;
    painter->setBrush(Qt::NoBrush);
    for (const SctpaLadderFacts::Owed &owed : facts_->owed()) {
        const double from = yOf(owed.fromNs), to = yOf(owed.toNs), lane = laneX(end, owed.lane);
        if (owed.end != end || to < body_.top() || from > body_.bottom())
            continue;
        const QColor color = owed.isOpen ? colors_.faint : colors_.trouble;
        QPolygonF bracket({ QPointF(lane, from), QPointF(bend, from), QPointF(bend, to) });
        if (!owed.isOpen)
            bracket << QPointF(lane, to);
        painter->setPen(QPen(color, 1.5, Qt::DashLine));
        painter->drawPolyline(bracket);
        texts.append({ std::max(body_.top(), from - metrics_.height() / 2), owed.isOpen ? 0 : body_.height(), owed.text,
                       color });
        if (texts.size() == MostOwed)
            break;
    }
    return texts;
}

// States as a bar beside the lanes with their names, and the names of events and of what is owed between them: trouble
// first, then states that last; what does not fit beside what stands there already is left out.
void SctpaLadderPainter::drawMargin(QPainter *painter, int end) const
{
    const QRectF margin = margins_[end];
    const double barX = end == 0 ? margin.right() - StateBar : margin.left(), line = metrics_.height();
    QVector<MarginText> texts = drawStates(painter, end, barX);
    texts += drawEvents(painter, end, barX);
    texts += drawOwed(painter, end);
    std::stable_sort(texts.begin(), texts.end(),
                     [](const MarginText &a, const MarginText &b) { return a.weight > b.weight; });
    const double room = margin.width() - StateBar - 2 * TickRoom;
    const QRectF box(end == 0 ? margin.left() : margin.left() + StateBar + 2 * TickRoom, 0, room, line);
    QVector<QPair<double, double>> taken;
    for (const MarginText &text : std::as_const(texts)) {
        QStringList lines = text.text.split(QLatin1Char('\n'));
        // All of its lines where they have room, else the first.
        double top = placeFor(text, line * lines.size(), taken);
        if (std::isnan(top) && lines.size() > 1) {
            lines = QStringList{ lines.first() + QChar(0x2026) };
            top = placeFor(text, line, taken);
        }
        if (std::isnan(top) || text.text.isEmpty())
            continue;
        taken.append({ top, top + line * lines.size() });
        painter->setPen(text.color);
        for (int i = 0; i < lines.size(); i++)
            painter->drawText(box.translated(0, top + i * line),
                              Qt::AlignVCenter | (end == 0 ? Qt::AlignRight : Qt::AlignLeft),
                              elided(lines.at(i), room));
    }
}

// Top of a text of so many pixels in the margin, not a number: there is no room.
double SctpaLadderPainter::placeFor(const MarginText &text, double height,
                                    const QVector<QPair<double, double>> &taken) const
{
    const double top = std::clamp(text.y, body_.top(), std::max(body_.top(), body_.bottom() - height));
    const bool isFree = std::none_of(taken.cbegin(), taken.cend(), [&](const QPair<double, double> &other) {
        return top < other.second && top + height > other.first;
    });
    const bool fits = height <= std::max(text.weight, metrics_.height());
    return isFree && fits ? top : std::numeric_limits<double>::quiet_NaN();
}

void SctpaLadderPainter::draw(QPainter *painter) const
{
    painter->save();
    painter->setFont(font_);
    painter->setRenderHint(QPainter::Antialiasing, true);
    drawHead(painter);
    if (facts_->isMade()) {
        painter->setClipRect(QRectF(0, body_.top() - 1, size_.width(), body_.height() + 2));
        for (int end = 0; end < 2; end++)
            drawMargin(painter, end);
        detail_ == Density ? drawDensity(painter) : drawLines(painter);
    }
    painter->restore();
}

void SctpaLadderPainter::drawCard(QPainter *painter, const QPointF &place, const QStringList &lines) const
{
    constexpr double Away = 14, Pad = 5;
    double width = 0;
    for (const QString &line : lines)
        width = std::max(width, metrics_.horizontalAdvance(line));
    QRectF box(place + QPointF(Away, Away), QSizeF(width + 2 * Pad, metrics_.height() * lines.size() + 2 * Pad));
    if (box.right() > size_.width())
        box.moveRight(std::max(place.x() - Away, box.width()));
    if (box.bottom() > size_.height())
        box.moveBottom(std::max(place.y() - Away, box.height()));
    QColor ground = palette_.color(QPalette::ToolTipBase);
    ground.setAlpha(235);
    painter->setPen(QPen(colors_.faint, 1));
    painter->setBrush(ground);
    painter->drawRoundedRect(box, 3, 3);
    painter->setFont(font_);
    painter->setPen(palette_.color(QPalette::ToolTipText));
    painter->drawText(box.adjusted(Pad, Pad, Pad, 0), Qt::AlignLeft | Qt::AlignTop, lines.join(QLatin1Char('\n')));
}
