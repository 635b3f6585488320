/* SPDX-License-Identifier: GPL-2.0-or-later */
// Reads what a paint needs from the series, and draws it.
#include "trace.h"

#include <algorithm>
#include <cmath>

namespace {

// Where more points than so many per column are in sight, columns say as much.
constexpr int PointsPerColumn = 3;
constexpr int SmallFrom = 1500; // points of a trace in sight
// Who points at a shape means that, not a dot beside it.
constexpr double ShapeFirst = 4;
constexpr double ShapeSide = 8, DotSide = 9, SmallDotSide = 5, BarWidth = 3, LeastLength = 3;
constexpr int BandAlpha = 45;

}

SctpaTrace::SctpaTrace(QCPAxis *time, QCPAxis *values, const SctpaGraphData *data, const Shown &shown,
                       const SctpaSeries &series)
    : QCPAbstractPlottable(time, values), data_(data), shown_(shown), series_(series), unit_(sctpaUnitOf(shown.kind))
{
    setSelectable(QCP::stNone);
}

double SctpaTrace::yOf(qint64 value) const
{
    // Far outside it is as good as a little outside, and does not upset the painter.
    const QRect rect = mValueAxis->axisRect()->rect();
    return std::clamp(mValueAxis->coordToPixel(sctpaAxisValue(unit_, value)), rect.top() - 50.0, rect.bottom() + 50.0);
}

double SctpaTrace::xOf(qint64 timeNs) const
{
    const QRect rect = mKeyAxis->axisRect()->rect();
    return std::clamp(mKeyAxis->coordToPixel(data_->secondsOf(timeNs)), rect.left() - 50.0, rect.right() + 50.0);
}

double SctpaTrace::columnX(int column) const
{
    const QRect rect = mKeyAxis->axisRect()->rect();
    return rect.left() + (column + 0.5) * rect.width() / double(columns_.size());
}

void SctpaTrace::read()
{
    const double scale = mParentPlot->bufferDevicePixelRatio();
    const int width = std::max(1, int(mKeyAxis->axisRect()->width() * scale));
    fromNs_ = data_->timeOf(mKeyAxis->range().lower);
    toNs_ = std::max(fromNs_, data_->timeOf(mKeyAxis->range().upper)) + 1;
    const quint32 first = sctpa_series_before(series_.get(), fromNs_), last = sctpa_series_before(series_.get(), toNs_);
    hasBefore_ = first > 0;
    if (hasBefore_)
        before_ = *sctpa_series_point(series_.get(), first - 1);
    isExact_ = last - first <= quint32(width) * PointsPerColumn;
    points_.clear();
    columns_.clear();
    if (isExact_) {
        points_.reserve(int(last - first));
        for (quint32 at = first; at < last; at++)
            points_.append(*sctpa_series_point(series_.get(), at));
    } else {
        columns_.resize(width);
        sctpa_series_at(series_.get(), fromNs_, toNs_, quint32(width), columns_.data());
    }
}

void SctpaTrace::draw(QCPPainter *painter)
{
    if (!data_->isThere())
        return;
    read();
    applyDefaultAntialiasingHint(painter);
    if (shown_.look.line != Qt::NoPen)
        drawLine(painter);
    if (shown_.look.shape != SctpaShape::None)
        isExact_ ? drawPoints(painter) : drawColumns(painter);
}

void SctpaTrace::drawPoints(QCPPainter *painter) const
{
    const bool isDot = shown_.look.shape == SctpaShape::Dot;
    const double side = !isDot ? ShapeSide : points_.size() > SmallFrom ? SmallDotSide : DotSide;
    for (const sctpa_point_t &point : points_) {
        const double x = xOf(point.time_ns), y = yOf(point.value);
        if (shown_.look.shape == SctpaShape::Bar) {
            const double top = std::min(yOf(endOf(point)), y - LeastLength);
            painter->fillRect(QRectF(x - BarWidth / 2, top, BarWidth, y - top), shown_.look.color);
        } else {
            sctpaDrawShape(painter, shown_.look, QPointF(x, y), side);
        }
    }
}

void SctpaTrace::drawColumns(QCPPainter *painter) const
{
    const bool hasShape = shown_.look.shape != SctpaShape::Bar && shown_.look.shape != SctpaShape::Dot;
    for (int i = 0; i < columns_.size(); i++) {
        const sctpa_pixel_t &column = columns_.at(i);
        if (column.count == 0)
            continue;
        const double x = columnX(i), low = yOf(column.min), top = std::min(yOf(column.max), low - 2);
        painter->fillRect(QRectF(x - 0.75, top, 1.5, low - top), shown_.look.color);
        if (hasShape) {
            sctpaDrawShape(painter, shown_.look, QPointF(x, low), ShapeSide);
            sctpaDrawShape(painter, shown_.look, QPointF(x, yOf(column.max)), ShapeSide);
        }
    }
}

void SctpaTrace::drawLine(QCPPainter *painter) const
{
    const QPolygonF line = this->line();
    if (line.isEmpty())
        return;
    if (floor_ && floor_->realVisibility()) {
        QPolygonF band = line;
        const QPolygonF floor = floor_->line();
        for (int i = int(floor.size()); i-- > 0;)
            band << floor.at(i);
        QColor filling = shown_.look.color;
        filling.setAlpha(BandAlpha);
        painter->setPen(Qt::NoPen);
        painter->setBrush(filling);
        painter->drawPolygon(band);
    }
    // A dashed line of columns would be neither dashed nor quick.
    painter->setPen(isExact_ ? QPen(shown_.look.color, shown_.look.width, shown_.look.line)
                             : QPen(shown_.look.color, 1, Qt::SolidLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(line);
}

// A value holds until the next; that of a rate until the end of its bin.
QPolygonF SctpaTrace::steps() const
{
    QPolygonF line;
    const auto add = [this, &line](const sctpa_point_t &point) {
        const QPointF at(xOf(point.time_ns), yOf(point.value));
        if (!line.isEmpty())
            line << QPointF(at.x(), line.last().y());
        line << at;
    };
    if (hasBefore_)
        add(before_);
    for (const sctpa_point_t &point : points_)
        add(point);
    if (line.isEmpty())
        return line;
    const quint32 next = sctpa_series_before(series_.get(), toNs_);
    quint32 n;
    sctpa_series_points(series_.get(), &n);
    const qint64 bin = sctpa_series_bin_ns(series_.get());
    if (next < n)
        add(*sctpa_series_point(series_.get(), next));
    else if (bin > 0)
        line << QPointF(xOf(sctpa_series_point(series_.get(), n - 1)->time_ns + bin), line.last().y());
    return line;
}

QPolygonF SctpaTrace::columnSteps() const
{
    QPolygonF line;
    if (hasBefore_)
        line << QPointF(xOf(before_.time_ns), yOf(before_.value));
    for (int i = 0; i < columns_.size(); i++) {
        const sctpa_pixel_t &column = columns_.at(i);
        if (column.count == 0)
            continue;
        const double x = columnX(i);
        if (!line.isEmpty())
            line << QPointF(x, line.last().y());
        line << QPointF(x, yOf(column.first)) << QPointF(x, yOf(column.min)) << QPointF(x, yOf(column.max))
             << QPointF(x, yOf(column.last));
    }
    return line;
}

bool SctpaTrace::extremes(const QCPRange &seconds, QCPRange *values) const
{
    const qint64 from = data_->timeOf(seconds.lower), to = data_->timeOf(seconds.upper) + 1;
    const quint32 before = sctpa_series_before(series_.get(), from);
    bool isAny = false;
    const auto take = [this, values, &isAny](qint64 low, qint64 high) {
        const QCPRange range(sctpaAxisValue(unit_, low), sctpaAxisValue(unit_, high));
        if (isAny)
            values->expand(range);
        else
            *values = range;
        isAny = true;
    };
    sctpa_pixel_t pixel;
    sctpa_series_at(series_.get(), from, to, 1, &pixel);
    if (pixel.count > 0)
        take(pixel.min, pixel.max);
    if (before > 0 && shown_.look.line != Qt::NoPen) {
        const qint64 value = sctpa_series_point(series_.get(), before - 1)->value;
        take(value, value);
    }
    return isAny;
}

void SctpaTrace::findNear(const QPointF &place, quint32 firstTsn, SctpaFound *found) const
{
    const bool isShape = shown_.look.shape > SctpaShape::Dot && shown_.look.shape < SctpaShape::Bar;
    const double behind = isShape ? 0 : ShapeFirst;
    const auto take = [this, &place, behind, firstTsn, found](double x, double y, qint64 timeNs, qint64 value,
                                                              qint64 top, quint32 packet) {
        const double distance = std::hypot(place.x() - x, place.y() - y) + behind;
        if (distance >= found->distance)
            return;
        const double shown = sctpaAxisValue(unit_, value);
        QString text = QStringLiteral("%1: %2").arg(shown_.label, sctpaValueText(unit_, shown, firstTsn));
        if (top > value)
            text += QStringLiteral("–%1").arg(firstTsn == 0 ? top : qint64(quint32(top + firstTsn)));
        *found = { distance, data_->secondsOf(timeNs), shown, packet, data_->frameOf(packet), text };
        found->kind = shown_.kind;
        found->point = value;
    };
    for (const sctpa_point_t &point : points_) {
        const qint64 top = endOf(point);
        const double before = found->distance;
        take(xOf(point.time_ns), std::clamp(place.y(), yOf(top), yOf(point.value)), point.time_ns, point.value, top,
             point.packet);
        if (found->distance < before && (1u << shown_.kind & SCTPA_SERIES_OF_MESSAGES) != 0 &&
            shown_.stream == SctpaGraphData::AnyStream)
            found->text += QCoreApplication::translate("sctpa_series", " · stream %1").arg(point.stream);
    }
    for (int i = 0; i < columns_.size(); i++) {
        const sctpa_pixel_t &column = columns_.at(i);
        if (column.count == 0 || std::fabs(columnX(i) - place.x()) >= found->distance)
            continue;
        take(columnX(i), yOf(column.min), data_->packetTimeNs(column.min_packet), column.min, column.min,
             column.min_packet);
        take(columnX(i), yOf(column.max), data_->packetTimeNs(column.max_packet), column.max, column.max,
             column.max_packet);
    }
}

QCPRange SctpaTrace::getKeyRange(bool &found, QCP::SignDomain) const
{
    int64_t first = 0, last = 0;
    found = data_->isThere() && sctpa_series_span(series_.get(), &first, &last);
    return found ? QCPRange(data_->secondsOf(first), data_->secondsOf(last)) : QCPRange();
}

QCPRange SctpaTrace::getValueRange(bool &found, QCP::SignDomain, const QCPRange &inKeyRange) const
{
    QCPRange values;
    found =
        data_->isThere() && extremes(inKeyRange == QCPRange() ? getKeyRange(found, QCP::sdBoth) : inKeyRange, &values);
    return values;
}
