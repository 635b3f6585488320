/* SPDX-License-Identifier: GPL-2.0-or-later */
// Draws the crosshair and keeps its name inside the plot.
#include "crosshair.h"

#include <algorithm>

namespace {

constexpr double RingRadius = 6, NameAway = 12, NamePad = 5, PacketLineWidth = 1.5;

}

void SctpaCrosshair::hide()
{
    isShown_ = false;
    lines_.clear();
}

void SctpaCrosshair::show(const QVector<QRect> &rects, const QPointF &at, const QRect &in, const QStringList &lines,
                          bool isPacket)
{
    isShown_ = true;
    isPacket_ = isPacket;
    rects_ = rects;
    at_ = at;
    in_ = in;
    lines_ = lines.join(QLatin1Char('\n')).split(QLatin1Char('\n'));
}

void SctpaCrosshair::draw(QCPPainter *painter)
{
    const SctpaColors colors(mParentPlot->palette());
    if (band_.width() > 0 || band_.height() > 0) {
        QColor fill = mParentPlot->palette().color(QPalette::Highlight);
        painter->setPen(QPen(fill, 1));
        fill.setAlpha(60);
        painter->setBrush(fill);
        painter->drawRect(band_);
    }
    painter->setPen(QPen(colors.faint, 1));
    for (const QRect &rect : std::as_const(markedRects_))
        for (double x : std::as_const(marked_))
            if (x >= rect.left() && x <= rect.right())
                painter->drawLine(QLineF(x, rect.top(), x, rect.bottom()));
    drawPacket(painter, colors);
    if (!isShown_)
        return;
    painter->setPen(QPen(colors.faint, 1));
    painter->setBrush(Qt::NoBrush);
    for (const QRect &rect : std::as_const(rects_))
        painter->drawLine(QLineF(at_.x(), rect.top(), at_.x(), rect.bottom()));
    painter->drawLine(QLineF(in_.left(), at_.y(), in_.right(), at_.y()));
    if (isPacket_) {
        painter->setPen(QPen(colors.ink, 1.5));
        painter->drawEllipse(at_, RingRadius, RingRadius);
    }
    drawName(painter, colors);
}

// Its name stands on the side that has room.
void SctpaCrosshair::drawPacket(QCPPainter *painter, const SctpaColors &colors) const
{
    if (packetName_.isEmpty())
        return;
    bool isNamed = false;
    for (const QRect &rect : markedRects_) {
        if (packetX_ < rect.left() || packetX_ > rect.right())
            continue;
        painter->setPen(QPen(mParentPlot->palette().color(QPalette::Highlight), PacketLineWidth));
        painter->drawLine(QLineF(packetX_, rect.top(), packetX_, rect.bottom()));
        if (isNamed)
            continue;
        const QSizeF size(QFontMetricsF(mParentPlot->font()).boundingRect(packetName_).size());
        const bool isLeft = packetX_ + NamePad + size.width() > rect.right();
        const double x = isLeft ? packetX_ - NamePad - size.width() : packetX_ + NamePad;
        painter->setFont(mParentPlot->font());
        painter->setPen(colors.ink);
        painter->drawText(QPointF(x, rect.center().y()), packetName_);
        isNamed = true;
    }
}

void SctpaCrosshair::drawName(QCPPainter *painter, const SctpaColors &colors) const
{
    const QFontMetricsF metrics(mParentPlot->font());
    double width = 0;
    for (const QString &line : lines_)
        width = std::max(width, metrics.horizontalAdvance(line));
    QRectF box(at_ + QPointF(NameAway, NameAway),
               QSizeF(width + 2 * NamePad, metrics.height() * lines_.size() + 2 * NamePad));
    if (box.right() > in_.right())
        box.moveRight(std::max(at_.x() - NameAway, in_.left() + box.width()));
    if (box.bottom() > in_.bottom())
        box.moveBottom(std::max(at_.y() - NameAway, in_.top() + box.height()));
    QColor ground = mParentPlot->palette().color(QPalette::ToolTipBase);
    ground.setAlpha(235);
    painter->setPen(QPen(colors.faint, 1));
    painter->setBrush(ground);
    painter->drawRoundedRect(box, 3, 3);
    painter->setFont(mParentPlot->font());
    painter->setPen(mParentPlot->palette().color(QPalette::ToolTipText));
    painter->drawText(box.adjusted(NamePad, NamePad, NamePad, 0), Qt::AlignLeft | Qt::AlignTop,
                      lines_.join(QLatin1Char('\n')));
}
