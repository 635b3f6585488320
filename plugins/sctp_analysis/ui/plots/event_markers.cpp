/* SPDX-License-Identifier: GPL-2.0-or-later */
// Draws marks, clipped to their plot.
#include "event_markers.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double EventReach = 4; // pixels
constexpr int NameGap = 6;
constexpr double FindingSide = 12, FindingReach = 10;
constexpr double LeastApart = 5; // flags, pixels

}

SctpaEventMarkers::SctpaEventMarkers(QCPAxisRect *rect, const SctpaGraphData *data, const QString &layer)
    : QCPLayerable(rect->parentPlot(), layer, rect), rect_(rect), data_(data)
{
}

void SctpaEventMarkers::draw(QCPPainter *painter)
{
    namesShown_.clear();
    if (!data_->isThere())
        return;
    const SctpaColors colors(mParentPlot->palette());
    painter->setFont(mParentPlot->font());
    if (choice.closedWindows)
        drawBands(painter, data_->closedWindows(), colors.closed);
    if (choice.pauses)
        drawBands(painter, data_->pauses(), colors.paused);
    for (const SctpaLimit &limit : std::as_const(limits)) {
        const double y = rect_->axis(QCPAxis::atLeft)->coordToPixel(limit.value);
        painter->setPen(QPen(limit.look.color, limit.look.width, limit.look.line));
        if (std::fabs(y) < 1e5)
            painter->drawLine(QLineF(rect_->left(), y, rect_->right(), y));
    }
    if (choice.events)
        drawEvents(painter, colors);
    // The worst is in front.
    for (int level = SCTPA_LEVELS - 1; level >= 0; level--)
        if (choice.findings >> level & 1)
            drawFindings(painter, sctpa_level_t(level));
}

QPointF SctpaEventMarkers::placeOf(const SctpaGraphData::Finding &finding) const
{
    return { xOf(finding.timeNs), rect_->bottom() - FindingSide };
}

// Of those that would cover each other, the first.
void SctpaEventMarkers::drawFindings(QCPPainter *painter, sctpa_level_t level) const
{
    const SctpaStyle look = sctpaFindingLook(mParentPlot->palette(), level);
    double drawnTo = -1e9;
    for (const SctpaGraphData::Finding &finding : data_->findings()) {
        const QPointF place = placeOf(finding);
        if (finding.level != level || place.x() < rect_->left() || place.x() > rect_->right() ||
            place.x() < drawnTo + LeastApart)
            continue;
        painter->setAntialiasing(true);
        sctpaDrawShape(painter, look, place, FindingSide);
        painter->setAntialiasing(false);
        drawnTo = place.x();
    }
}

void SctpaEventMarkers::drawBands(QCPPainter *painter, const QVector<SctpaGraphData::Band> &bands,
                                  const QBrush &brush) const
{
    double drawnTo = -1e9;
    for (const SctpaGraphData::Band &band : bands) {
        // What begins in a pixel that is painted already would only darken it.
        const double from = std::max({ xOf(band.fromNs), double(rect_->left()), drawnTo });
        const double to = std::min(std::max(xOf(band.toNs), xOf(band.fromNs) + 1), double(rect_->right() + 1));
        if (from >= to)
            continue;
        painter->fillRect(QRectF(from, rect_->top(), to - from, rect_->height()), brush);
        drawnTo = to;
    }
}

void SctpaEventMarkers::drawEvents(QCPPainter *painter, const SctpaColors &colors)
{
    const QFontMetrics metrics(painter->font());
    double freeFrom = rect_->left();
    for (const SctpaGraphData::Event &event : data_->events()) {
        const double x = xOf(event.timeNs);
        if (x < rect_->left() || x > rect_->right())
            continue;
        const QColor color = event.isTrouble ? colors.trouble : colors.event;
        painter->setPen(QPen(color, event.isTrouble ? 1.25 : 1, Qt::DotLine));
        painter->drawLine(QLineF(x, rect_->top(), x, rect_->bottom()));
        const double width = metrics.horizontalAdvance(event.text);
        const double at = x + NameGap / 2 + width > rect_->right() ? x - NameGap / 2 - width : x + NameGap / 2;
        if (!choice.eventNames || at < freeFrom)
            continue;
        painter->setPen(color);
        const QRectF box(at, rect_->top() + 1, width + 1, metrics.height());
        QColor ground = colors.ground;
        ground.setAlpha(200);
        painter->fillRect(box, ground);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, event.text);
        namesShown_.append(event.text);
        freeFrom = at + width + NameGap;
    }
}

void SctpaEventMarkers::findNear(const QPointF &place, SctpaFound *found) const
{
    bool isFinding = false;
    for (const SctpaGraphData::Finding &finding : data_->findings()) {
        const QPointF at = placeOf(finding);
        const double distance = QLineF(at, place).length();
        if (!(choice.findings >> finding.level & 1) || distance > FindingReach || distance >= found->distance)
            continue;
        *found = { distance,
                   data_->secondsOf(finding.timeNs),
                   rect_->axis(QCPAxis::atLeft)->pixelToCoord(at.y()),
                   finding.packet,
                   finding.frame,
                   finding.text,
                   finding.rules };
        isFinding = true;
    }
    // The line of an event leads through it.
    if (isFinding)
        return;
    for (const SctpaGraphData::Event &event : data_->events()) {
        const double distance = std::fabs(xOf(event.timeNs) - place.x());
        if (choice.events && distance <= EventReach && distance < found->distance)
            *found = { distance,
                       data_->secondsOf(event.timeNs),
                       rect_->axis(QCPAxis::atLeft)->pixelToCoord(place.y()),
                       0,
                       event.frame,
                       event.text };
    }
}

void SctpaEventMarkers::findPause(const QPointF &place, SctpaFound *found) const
{
    for (const SctpaGraphData::Band &pause : data_->pauses())
        if (choice.pauses && xOf(pause.fromNs) <= place.x() && place.x() <= xOf(pause.toNs))
            *found = { 0,
                       rect_->axis(QCPAxis::atBottom)->pixelToCoord(place.x()),
                       rect_->axis(QCPAxis::atLeft)->pixelToCoord(place.y()),
                       pause.packet,
                       data_->frameOf(pause.packet),
                       pause.text,
                       {},
                       true };
}

QVector<double> SctpaEventMarkers::secondsOf(const QVector<quint32> &rules) const
{
    QVector<double> seconds;
    for (const SctpaGraphData::Finding &finding : data_->findings())
        if (std::any_of(finding.rules.cbegin(), finding.rules.cend(),
                        [&rules](quint32 rule) { return rules.contains(rule); }))
            seconds.append(data_->secondsOf(finding.timeNs));
    return seconds;
}
