/* SPDX-License-Identifier: GPL-2.0-or-later */
// What part of the time and of the values is shown: zoom, and its history.
#include "plot_stack.h"

#include <algorithm>

namespace {

constexpr double LeastSeconds = 1e-6;
constexpr int StepsTogetherMs = 700;
constexpr double Step = 1.3;
constexpr double TimeRoom = 0.015;

}

QCPRange SctpaPlotStack::wholeTime() const
{
    if (!data_->isThere())
        return QCPRange(0, 1);
    const double first = data_->firstSeconds(), last = std::max(data_->lastSeconds(), first + LeastSeconds);
    return QCPRange(first - TimeRoom * (last - first), last + TimeRoom * (last - first));
}

void SctpaPlotStack::fitAll()
{
    for (const auto &plot : plots_)
        plot->fitValues();
}

void SctpaPlotStack::applyTime(const QCPRange &range)
{
    time_ = range;
    for (const auto &plot : plots_)
        plot->timeAxis()->setRange(range);
    fitAll();
    repaintAll();
}

SctpaZoom SctpaPlotStack::zoomNow() const
{
    SctpaZoom zoom{ isWhole_ ? QCPRange(0, 0) : time_, {} };
    for (const auto &plot : plots_)
        if (!plot->isFitted())
            zoom.values.insert(QString::fromUtf8(plot->what()->name), plot->valueAxis()->range());
    return zoom;
}

void SctpaPlotStack::applyZoom(const SctpaZoom &zoom)
{
    isWhole_ = zoom.time.size() <= 0;
    for (const auto &plot : plots_)
        plot->chooseValues(zoom.values.value(QString::fromUtf8(plot->what()->name), QCPRange(0, 0)));
    applyTime(isWhole_ ? wholeTime() : zoom.time);
    Q_EMIT changed();
}

void SctpaPlotStack::aboutToZoom(bool isStep)
{
    if (!isStep || !lastStep_.isValid() || lastStep_.elapsed() > StepsTogetherMs)
        history_.leave(zoomNow());
    if (isStep)
        lastStep_.start();
    else
        lastStep_.invalidate();
}

void SctpaPlotStack::changeTime(const QCPRange &range, bool isStep)
{
    aboutToZoom(isStep);
    isWhole_ = false;
    applyTime(range);
    Q_EMIT changed();
}

void SctpaPlotStack::showTime(const QCPRange &range)
{
    if (range.size() >= LeastSeconds)
        changeTime(range, false);
}

void SctpaPlotStack::followTime(const QCPRange &range)
{
    if (range != time_ && range.size() >= LeastSeconds)
        changeTime(range, true);
}

void SctpaPlotStack::showValues(SctpaPlot *plot, const QCPRange &range)
{
    aboutToZoom(false);
    plot->chooseValues(range);
    repaintAll();
    Q_EMIT changed();
}

void SctpaPlotStack::zoomTime(double factor, double around)
{
    const QCPRange range(around - (around - time_.lower) * factor, around + (time_.upper - around) * factor);
    if (range.size() < LeastSeconds || (factor > 1 && range.size() > 3 * wholeTime().size()))
        return;
    changeTime(range, true);
}

void SctpaPlotStack::zoomValues(SctpaPlot *plot, double factor, double aroundPixel)
{
    aboutToZoom(true);
    plot->zoomValues(factor, aroundPixel);
    repaintAll();
    Q_EMIT changed();
}

void SctpaPlotStack::zoomIn()
{
    zoomTime(1 / Step, time_.center());
}

void SctpaPlotStack::zoomOut()
{
    zoomTime(Step, time_.center());
}

void SctpaPlotStack::reset()
{
    if (zoomNow() == SctpaZoom{ QCPRange(0, 0), {} })
        return;
    aboutToZoom(false);
    applyZoom({ QCPRange(0, 0), {} });
}

void SctpaPlotStack::goBack()
{
    lastStep_.invalidate();
    if (history_.canGoBack())
        applyZoom(history_.back(zoomNow()));
}

void SctpaPlotStack::goForward()
{
    lastStep_.invalidate();
    if (history_.canGoForward())
        applyZoom(history_.forward(zoomNow()));
}
