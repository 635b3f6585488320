/* SPDX-License-Identifier: GPL-2.0-or-later */
// What wheel and mouse mean, as in Wireshark's TCP stream graphs where those have it.
#include "mouse.h"
#include "plot_stack.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double LeastBand = 5;

}

void SctpaPlotStack::mousePressEvent(QMouseEvent *event)
{
    const QPointF place = sctpaPlaceOf(event);
    if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) {
        event->button() == Qt::BackButton ? goBack() : goForward();
        return;
    }
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    for (const auto &plot : plots_) {
        const int entry = event->button() == Qt::LeftButton ? plot->legend()->entryAt(place) : -1;
        if (entry >= 0) {
            toggleEntry(plot.get(), entry);
            return;
        }
    }
    SctpaPlot *plot = plotAt(place);
    const bool isOther = event->modifiers() & Qt::ShiftModifier;
    if (plot)
        press_ = { true, false, event->button() == Qt::LeftButton && (mouse_ == Zooms) != isOther, place, place, plot };
}

void SctpaPlotStack::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF place = sctpaPlaceOf(event);
    if (!press_.isThere) {
        point(place);
        return;
    }
    if (!press_.isMoved && (place - press_.at).manhattanLength() < QApplication::startDragDistance())
        return;
    if (press_.zooms) {
        const QRectF rect = press_.plot->rect()->rect();
        const auto inside = [&rect](const QPointF &at) {
            return QPointF(std::clamp(at.x(), rect.left(), rect.right()),
                           std::clamp(at.y(), rect.top(), rect.bottom()));
        };
        QRectF band = QRectF(inside(press_.at), inside(place)).normalized();
        // A flat one is about the time alone.
        if (band.height() < LeastBand)
            band = QRectF(band.left(), rect.top(), band.width(), rect.height());
        crosshair_->setBand(band);
        crosshair_->hide();
        repaintCrosshair();
    } else {
        if (!press_.isMoved)
            aboutToZoom(false);
        pan(place - press_.last);
    }
    press_.isMoved = true;
    press_.last = place;
}

void SctpaPlotStack::mouseReleaseEvent(QMouseEvent *event)
{
    if (!press_.isThere)
        return;
    const Press press = press_;
    press_ = {};
    if (press.isMoved && press.zooms) {
        press_.plot = press.plot;
        endBand();
        press_ = {};
    } else if (!press.isMoved && event->button() == Qt::LeftButton) {
        point(sctpaPlaceOf(event));
        goToPacket();
    }
}

void SctpaPlotStack::pan(const QPointF &by)
{
    const QCPAxis *time = press_.plot->timeAxis();
    const double seconds = time->pixelToCoord(0) - time->pixelToCoord(by.x());
    isWhole_ = false;
    if (!press_.plot->isFitted())
        press_.plot->moveValues(by.y());
    applyTime(time_ + seconds);
    Q_EMIT changed();
}

// Values are zoomed when the band leaves out a good part of them.
void SctpaPlotStack::endBand()
{
    const QRectF band = crosshair_->band();
    SctpaPlot *plot = press_.plot;
    crosshair_->setBand(QRectF());
    repaintCrosshair();
    if (band.width() < LeastBand)
        return;
    const bool zoomsValues = band.height() < 0.9 * plot->rect()->rect().height();
    const QCPRange values(plot->valueAxis()->pixelToCoord(band.bottom()), plot->valueAxis()->pixelToCoord(band.top()));
    const QCPRange time(plot->timeAxis()->pixelToCoord(band.left()), plot->timeAxis()->pixelToCoord(band.right()));
    showTime(time);
    if (zoomsValues) {
        plot->chooseValues(values);
        repaintAll();
    }
}

void SctpaPlotStack::toggleEntry(SctpaPlot *plot, int entry)
{
    const QString name = plot->legend()->entries().at(entry).name;
    SctpaPlot::Choice choice = choice_;
    if (!choice.off.remove(name))
        choice.off.insert(name);
    setChoice(choice);
}

// Plain: time; with Ctrl: values; with Shift: both, as the axes are named in the line of help.
void SctpaPlotStack::wheelEvent(QWheelEvent *event)
{
    const QPointF place = event->position();
    const QPoint angle = event->angleDelta();
    SctpaPlot *plot = plotAt(place);
    // Beside the plots the wheel scrolls.
    event->setAccepted(plot != nullptr);
    // Alt turns the wheel by 90 degrees; so do wheels that have two.
    const int delta = angle.y() != 0 ? angle.y() : angle.x();
    if (!plot || delta == 0 || !data_->isThere())
        return;
    const double factor = std::pow(SctpaWheelStep, -delta / double(QWheelEvent::DefaultDeltasPerStep));
    const bool both = event->modifiers() & Qt::ShiftModifier, values = both || event->modifiers() & Qt::ControlModifier;
    if (both || !values)
        zoomTime(factor, plot->timeAxis()->pixelToCoord(place.x()));
    if (values)
        zoomValues(plot, factor, place.y());
}

void SctpaPlotStack::leaveEvent(QEvent *event)
{
    isPointing_ = false;
    found_ = {};
    crosshair_->hide();
    repaintCrosshair();
    QCustomPlot::leaveEvent(event);
}

void SctpaPlotStack::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    recolour();
    for (const auto &plot : plots_)
        load(plot.get(), plot->isWhole());
}

void SctpaPlotStack::resizeEvent(QResizeEvent *event)
{
    sizeTicks();
    QCustomPlot::resizeEvent(event);
}
