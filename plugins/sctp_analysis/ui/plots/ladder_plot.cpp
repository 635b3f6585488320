/* SPDX-License-Identifier: GPL-2.0-or-later */
// What is in sight, selection, painting and files. Wheel, mouse and keys stand in ladder_input.cpp.
#include "ladder_plot.h"
#include "picture_files.h"

#include <QEvent>
#include <QPdfWriter>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace {

constexpr qint64 LeastNs = 10000;
constexpr double Room = 0.035;
constexpr int ScreenDpi = 96, PointsPerInch = 72;

}

SctpaLadderPlot::SctpaLadderPlot(const SctpaLadderFacts *facts, QWidget *parent) : QWidget(parent), facts_(facts)
{
    setObjectName(QStringLiteral("ladder"));
    setAccessibleName(tr("Ladder"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

qint64 SctpaLadderPlot::wholeFromNs() const
{
    return facts_->firstNs() - qint64(Room * double(facts_->lastNs() - facts_->firstNs())) - LeastNs;
}

qint64 SctpaLadderPlot::wholeToNs() const
{
    const qint64 reach = facts_->isMade() ? qint64(sctpa_ladder_reach_ns(facts_->ladder())) : 0;
    return facts_->lastNs() + reach + qint64(Room * double(facts_->lastNs() - facts_->firstNs())) + LeastNs;
}

void SctpaLadderPlot::factsChanged(bool keepsZoom)
{
    if (!keepsZoom) {
        isWhole_ = true;
        selected_ = SCTPA_NO_PACKET_INDEX;
    }
    pointed_ = SCTPA_NO_PACKET_INDEX;
    if (!facts_->isThere())
        selected_ = SCTPA_NO_PACKET_INDEX;
    if (isWhole_) {
        choice_.fromNs = wholeFromNs();
        choice_.toNs = wholeToNs();
    }
    redraw();
    Q_EMIT rangeChanged();
}

void SctpaLadderPlot::showTime(qint64 fromNs, qint64 toNs)
{
    const qint64 wholeFrom = wholeFromNs(), wholeTo = wholeToNs(), whole = wholeTo - wholeFrom;
    const qint64 length = std::clamp(toNs - fromNs, std::min(LeastNs, whole), whole);
    const qint64 from = std::clamp(fromNs, wholeFrom, wholeTo - length);
    isWhole_ = length == whole;
    choice_.fromNs = from;
    choice_.toNs = from + length;
    redraw();
    Q_EMIT rangeChanged();
}

void SctpaLadderPlot::zoom(double factor, double y)
{
    const SctpaLadderPainter now = painter();
    const double around = double(now.timeOf(std::clamp(y, now.body().top(), now.body().bottom())) - choice_.fromNs);
    const double length = double(choice_.toNs - choice_.fromNs);
    if (length * factor <= double(LeastNs) && factor < 1)
        return;
    const qint64 from = choice_.fromNs + qint64(std::llround(around * (1 - factor)));
    showTime(from, from + std::max(LeastNs, qint64(std::llround(length * factor))));
}

void SctpaLadderPlot::scroll(double pixels)
{
    const SctpaLadderPainter now = painter();
    const qint64 by = qint64(pixels / now.body().height() * double(choice_.toNs - choice_.fromNs));
    showTime(choice_.fromNs + by, choice_.toNs + by);
}

SctpaLadderPainter SctpaLadderPlot::painter() const
{
    return SctpaLadderPainter(facts_, choice_, size(), palette(), font());
}

void SctpaLadderPlot::redraw()
{
    picture_ = QPixmap();
    update();
}

void SctpaLadderPlot::select(const sctpa_ladder_packet_t *packet, bool bringsIntoSight)
{
    selected_ = packet ? packet->packet : SCTPA_NO_PACKET_INDEX;
    if (packet) {
        const QStringList lines = sctpaLadderCard(*facts_, *packet, choice_.isRaw, painter().timeText(packet->time_ns));
        setAccessibleDescription(lines.join(QStringLiteral(". ")));
    }
    if (packet && bringsIntoSight)
        bringIntoSight(*packet);
    update();
}

// In sight with what is around it: as many packets as have labels, unless it can be told from others already.
void SctpaLadderPlot::bringIntoSight(const sctpa_ladder_packet_t &packet)
{
    constexpr quint32 Neighbours = 12;
    const SctpaLadderPainter now = painter();
    const double y = now.yOf(packet.time_ns);
    if (now.detail() == SctpaLadderPainter::Density) {
        const quint32 at = sctpa_ladder_before(facts_->ladder(), packet.time_ns);
        const quint32 n = sctpa_ladder_length(facts_->ladder());
        const qint64 from = sctpa_ladder_at(facts_->ladder(), at - std::min(at, Neighbours))->sent_ns;
        const qint64 to = sctpa_ladder_at(facts_->ladder(), std::min(n - 1, at + Neighbours))->arrived_ns;
        showTime(from, std::max<qint64>(to, packet.arrived_ns));
    } else if (y < now.body().top() || y > now.body().bottom()) {
        const qint64 length = choice_.toNs - choice_.fromNs;
        showTime(packet.time_ns - length / 2, packet.time_ns + length / 2);
    }
}

void SctpaLadderPlot::selectFrame(quint32 frame)
{
    if (frame != selectedFrame())
        select(facts_->ofFrame(frame), true);
}

void SctpaLadderPlot::showFrame(quint32 frame)
{
    select(facts_->ofFrame(frame), true);
}

void SctpaLadderPlot::markFrame(quint32 frame)
{
    select(facts_->ofFrame(frame), false);
}

quint32 SctpaLadderPlot::selectedFrame() const
{
    return selected_ == SCTPA_NO_PACKET_INDEX ? 0 : facts_->frameOf(selected_);
}

void SctpaLadderPlot::point(const QPointF &place)
{
    const sctpa_ladder_packet_t *packet = packetAt(place);
    const quint32 before = pointed_;
    pointer_ = place;
    pointed_ = packet ? packet->packet : SCTPA_NO_PACKET_INDEX;
    if (pointed_ != before || packet)
        update();
}

void SctpaLadderPlot::paintEvent(QPaintEvent *)
{
    const SctpaLadderPainter now = painter();
    if (picture_.isNull()) {
        picture_ = QPixmap(size() * devicePixelRatioF());
        picture_.setDevicePixelRatio(devicePixelRatioF());
        QPainter to(&picture_);
        now.draw(&to);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    const sctpa_ladder_packet_t *selected = facts_->ofPacket(selected_), *pointed = facts_->ofPacket(pointed_);
    if (selected)
        now.drawMarked(&painter, *selected, true);
    if (pointed && pointed != selected)
        now.drawMarked(&painter, *pointed, false);
    if (pointed && !isDragged_)
        now.drawCard(&painter, pointer_,
                     sctpaLadderCard(*facts_, *pointed, choice_.isRaw, now.timeText(pointed->time_ns)));
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void SctpaLadderPlot::resizeEvent(QResizeEvent *event)
{
    redraw();
    QWidget::resizeEvent(event);
}

void SctpaLadderPlot::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        redraw();
    QWidget::changeEvent(event);
}

bool SctpaLadderPlot::drawOn(QPaintDevice *device) const
{
    QPainter to;
    if (!to.begin(device))
        return false;
    painter().draw(&to);
    return to.end();
}

bool SctpaLadderPlot::savePdf(const QString &file) const
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    QPdfWriter writer(&out);
    writer.setTitle(window()->windowTitle());
    writer.setResolution(ScreenDpi);
    writer.setPageSize(QPageSize(QSizeF(size()) * PointsPerInch / ScreenDpi, QPageSize::Point));
    writer.setPageMargins(QMarginsF());
    return drawOn(&writer) && out.commit();
}

QString SctpaLadderPlot::save(const QString &file)
{
    const SctpaPicture picture = {
        [this](QPaintDevice *device) { return drawOn(device); },
        [this](const QString &to) { return savePdf(to); },
        [this](const QString &to, double scale) {
            QImage image(size() * scale, QImage::Format_RGB32);
            image.setDevicePixelRatio(scale);
            return drawOn(&image) && image.save(to, "PNG");
        },
    };
    return sctpaSavePicture(this, picture, file);
}
