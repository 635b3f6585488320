/* SPDX-License-Identifier: GPL-2.0-or-later */
// Counts are those of the series' columns, as wide as bars.
#include "bars.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double LeastBarPixels = 7;
constexpr double LeastBarSeconds = 1e-6;

}

SctpaBars::SctpaBars(QCPAxis *time, QCPAxis *values, const SctpaGraphData *data)
    : QCPAbstractPlottable(time, values), data_(data)
{
    setSelectable(QCP::stNone);
}

double SctpaBars::barSeconds() const
{
    const double least = std::max(LeastBarSeconds, mKeyAxis->range().size() * LeastBarPixels /
                                                       std::max(1, mKeyAxis->axisRect()->width()));
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (double step : { 1.0, 2.0, 5.0 })
        if (step * power >= least * (1 - 1e-9))
            return step * power;
    return 10 * power;
}

QVector<sctpa_pixel_t> SctpaBars::pixels(const Part &part, const QCPRange &seconds, qint64 *firstNs) const
{
    const qint64 width = std::llround(barSeconds() * 1e9);
    const qint64 first = qint64(std::floor(seconds.lower * 1e9 / double(width))),
                 last = qint64(std::floor(seconds.upper * 1e9 / double(width)));
    QVector<sctpa_pixel_t> pixels(int(last - first + 1));
    *firstNs = data_->startNs() + first * width;
    sctpa_series_at(part.series.get(), *firstNs, *firstNs + pixels.size() * width, quint32(pixels.size()),
                    pixels.data());
    return pixels;
}

QVector<quint32> SctpaBars::counts(const Part &part, const QCPRange &seconds, qint64 *firstNs) const
{
    QVector<quint32> counts;
    const QVector<sctpa_pixel_t> read = pixels(part, seconds, firstNs);
    for (const sctpa_pixel_t &pixel : read)
        counts.append(pixel.count);
    return counts;
}

double SctpaBars::highest(const QCPRange &seconds) const
{
    QVector<quint32> sums;
    for (const Part &part : parts_) {
        if (!part.isOn)
            continue;
        qint64 firstNs;
        const QVector<quint32> more = counts(part, seconds, &firstNs);
        sums.resize(more.size());
        for (int i = 0; i < more.size(); i++)
            sums[i] += more.at(i);
    }
    return sums.isEmpty() ? 0 : *std::max_element(sums.cbegin(), sums.cend());
}

void SctpaBars::draw(QCPPainter *painter)
{
    if (!data_->isThere())
        return;
    QVector<quint32> below;
    const double width = barSeconds();
    for (const Part &part : std::as_const(parts_)) {
        if (!part.isOn)
            continue;
        qint64 firstNs;
        const QVector<quint32> more = counts(part, mKeyAxis->range(), &firstNs);
        below.resize(more.size());
        for (int i = 0; i < more.size(); i++) {
            if (more.at(i) == 0)
                continue;
            const double from = data_->secondsOf(firstNs) + i * width;
            const double left = mKeyAxis->coordToPixel(from), right = mKeyAxis->coordToPixel(from + width);
            const double low = mValueAxis->coordToPixel(below.at(i)),
                         top = mValueAxis->coordToPixel(below.at(i) + more.at(i));
            const QRectF bar(left + 0.5, top, std::max(1.0, right - left - 1), std::max(1.0, low - top));
            painter->fillRect(bar, part.look.color);
            if (bar.height() > 8 && bar.width() > 6)
                sctpaDrawShape(
                    painter, SctpaStyle{ mParentPlot->palette().color(QPalette::Base), part.look.shape, Qt::NoPen, 0 },
                    bar.center(), 5);
            below[i] += more.at(i);
        }
    }
}

void SctpaBars::findNear(const QPointF &place, SctpaFound *found) const
{
    const double width = barSeconds(), at = mKeyAxis->pixelToCoord(place.x());
    const double from = std::floor(at / width + 1e-9) * width;
    double below = 0;
    for (const Part &part : parts_) {
        qint64 firstNs;
        if (!part.isOn)
            continue;
        const QVector<sctpa_pixel_t> bar = pixels(part, QCPRange(from + width * 0.25, from + width * 0.75), &firstNs);
        if (bar.first().count == 0)
            continue;
        const double low = mValueAxis->coordToPixel(below), top = mValueAxis->coordToPixel(below += bar.first().count);
        const double distance = std::max({ 0.0, place.y() - low, top - place.y() });
        if (distance >= found->distance)
            continue;
        const quint32 packet = bar.first().first_packet;
        *found = { distance,
                   data_->secondsOf(data_->packetTimeNs(packet)),
                   below,
                   packet,
                   data_->frameOf(packet),
                   tr("%1: %2 in %3")
                       .arg(sctpaSeriesLabel(part.kind))
                       .arg(bar.first().count)
                       .arg(sctpaValueText(SctpaUnit::Seconds, width, 0)) };
    }
}

QCPRange SctpaBars::getKeyRange(bool &found, QCP::SignDomain) const
{
    found = data_->isThere();
    return QCPRange(data_->firstSeconds(), data_->lastSeconds());
}

QCPRange SctpaBars::getValueRange(bool &found, QCP::SignDomain, const QCPRange &inKeyRange) const
{
    found = data_->isThere();
    return QCPRange(0, found ? highest(inKeyRange == QCPRange() ? mKeyAxis->range() : inKeyRange) : 0);
}
