/* SPDX-License-Identifier: GPL-2.0-or-later */
// What wheel, mouse and keys mean on the ladder, as in the graphs where those have it.
#include "ladder_plot.h"
#include "mouse.h"

#include <QApplication>
#include <QMouseEvent>

#include <cmath>

namespace {

constexpr double PagePart = 0.9;
constexpr int MovePixels = 30, FinePixels = 1, WheelPixels = 60;

}

void SctpaLadderPlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    isPressed_ = true;
    isDragged_ = false;
    pressedAt_ = draggedTo_ = sctpaPlaceOf(event);
}

void SctpaLadderPlot::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF place = sctpaPlaceOf(event);
    if (!isPressed_) {
        point(place);
        return;
    }
    if (!isDragged_ && (place - pressedAt_).manhattanLength() < QApplication::startDragDistance())
        return;
    isDragged_ = true;
    scroll(draggedTo_.y() - place.y());
    draggedTo_ = place;
}

void SctpaLadderPlot::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isClick = isPressed_ && !isDragged_ && event->button() == Qt::LeftButton;
    isPressed_ = isDragged_ = false;
    const sctpa_ladder_packet_t *packet = isClick ? packetAt(sctpaPlaceOf(event)) : nullptr;
    if (!packet)
        return;
    select(packet, false);
    Q_EMIT frameWanted(facts_->frameOf(packet->packet));
}

// Zooms time; with Shift or Ctrl, or sideways, it scrolls.
void SctpaLadderPlot::wheelEvent(QWheelEvent *event)
{
    const QPoint angle = event->angleDelta();
    const double steps = (angle.y() != 0 ? angle.y() : angle.x()) / double(QWheelEvent::DefaultDeltasPerStep);
    const bool scrolls = angle.y() == 0 || event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    event->accept();
    if (!facts_->isThere() || steps == 0)
        return;
    scrolls ? scroll(-steps * WheelPixels) : zoom(std::pow(SctpaWheelStep, -steps), event->position().y());
    point(event->position());
}

void SctpaLadderPlot::leaveEvent(QEvent *event)
{
    pointed_ = SCTPA_NO_PACKET_INDEX;
    update();
    QWidget::leaveEvent(event);
}

void SctpaLadderPlot::selectNext(int step, quint16 flags)
{
    if (!facts_->isMade())
        return;
    const sctpa_ladder_t *ladder = facts_->ladder();
    const qint64 n = sctpa_ladder_length(ladder);
    const sctpa_ladder_packet_t *selected = facts_->ofPacket(selected_);
    qint64 at = sctpa_ladder_before(ladder, selected ? selected->time_ns : choice_.fromNs);
    while (selected && at < n && sctpa_ladder_at(ladder, quint32(at)) != selected)
        at++;
    at = selected || step < 0 ? at + step : at;
    while (at >= 0 && at < n && flags != 0 && !(sctpa_ladder_at(ladder, quint32(at))->flags & flags))
        at += step;
    if (at >= 0 && at < n)
        select(sctpa_ladder_at(ladder, quint32(at)), true);
}

bool SctpaLadderPlot::pressMoveKey(int key, Qt::KeyboardModifiers modifiers)
{
    const double step = modifiers & Qt::ShiftModifier ? FinePixels : MovePixels;
    const double page = PagePart * painter().body().height();
    const qint64 length = choice_.toNs - choice_.fromNs;
    switch (key) {
    case Qt::Key_Up: scroll(-step); return true;
    case Qt::Key_Down: scroll(step); return true;
    case Qt::Key_PageUp: scroll(-page); return true;
    case Qt::Key_PageDown: scroll(page); return true;
    case Qt::Key_Home: showTime(wholeFromNs(), wholeFromNs() + length); return true;
    case Qt::Key_End: showTime(wholeToNs() - length, wholeToNs()); return true;
    default: return false;
    }
}

bool SctpaLadderPlot::pressZoomKey(int key)
{
    const sctpa_ladder_packet_t *selected = facts_->ofPacket(selected_);
    const SctpaLadderPainter now = painter();
    const double y = selected ? now.yOf(selected->time_ns) : -1;
    const double around = y >= now.body().top() && y <= now.body().bottom() ? y : now.body().center().y();
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1 / SctpaKeyStep, around); return true;
    case Qt::Key_Minus: zoom(SctpaKeyStep, around); return true;
    case Qt::Key_0: showTime(wholeFromNs(), wholeToNs()); return true;
    case Qt::Key_T: choice_.isAbsolute = !choice_.isAbsolute; break;
    case Qt::Key_S: choice_.isRaw = !choice_.isRaw; break;
    default: return false;
    }
    redraw();
    return true;
}

bool SctpaLadderPlot::pressSelectKey(int key, Qt::KeyboardModifiers modifiers)
{
    const int step = modifiers & Qt::ShiftModifier ? -1 : 1;
    switch (key) {
    case Qt::Key_Left: selectNext(-1, 0); return true;
    case Qt::Key_Right: selectNext(1, 0); return true;
    case Qt::Key_L: selectNext(step, SCTPA_LADDER_LOST); return true;
    case Qt::Key_R: selectNext(step, SCTPA_LADDER_REPEATS); return true;
    case Qt::Key_G:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selectedFrame() != 0)
            Q_EMIT frameWanted(selectedFrame());
        return true;
    default: return false;
    }
}

void SctpaLadderPlot::keyPressEvent(QKeyEvent *event)
{
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const bool isPlain = (modifiers & ~Qt::ShiftModifier) == Qt::NoModifier;
    if (isPlain && facts_->isThere() &&
        (pressMoveKey(event->key(), modifiers) || pressZoomKey(event->key()) ||
         pressSelectKey(event->key(), modifiers)))
        event->accept();
    else
        QWidget::keyPressEvent(event);
}
