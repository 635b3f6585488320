/* SPDX-License-Identifier: GPL-2.0-or-later */
// Draws the crosshair, and its card where there is room.
#include "crosshair.h"

#include <algorithm>

namespace {

constexpr double RingRadius = 6, CardAway = 14, NamePad = 5, ColumnGap = 10, PacketLineWidth = 1.5;
constexpr double CardFont = 0.9;

}

void SctpaCrosshair::hide()
{
    isShown_ = false;
    card_ = {};
    cardRect_ = {};
}

void SctpaCrosshair::show(const QVector<QRect> &rects, const QPointF &at, const QRect &in, const SctpaCard &card,
                          bool isPacket)
{
    isShown_ = true;
    isPacket_ = isPacket;
    rects_ = rects;
    at_ = at;
    in_ = in;
    card_ = card;
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
    drawCard(painter, colors);
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

// What is seen of the plots.
QRectF SctpaCrosshair::seen() const
{
    const QRegion visible = mParentPlot->visibleRegion();
    return visible.isEmpty() ? mParentPlot->rect() : visible.boundingRect();
}

// As narrow as the wider side of what is pointed at, where the card has no room above or below it.
QSizeF SctpaCrosshair::cardSize(const QSizeF &wanted) const
{
    const QRectF seen = this->seen();
    const double beside = std::max(seen.right() - at_.x(), at_.x() - seen.left()) - CardAway;
    const double over = std::max(seen.bottom() - at_.y(), at_.y() - seen.top()) - CardAway;
    return { std::min(wanted.width(), wanted.height() <= over ? std::max(beside, seen.width()) : beside),
             wanted.height() };
}

// Below to the right, where a plot that rises with time has nothing, then above to the left; where no corner has room,
// below or above, or on the wider side, moved as far as needed.
QRectF SctpaCrosshair::cardPlace(const QSizeF &size) const
{
    const QRectF seen = this->seen();
    const double right = at_.x() + CardAway, left = at_.x() - CardAway - size.width();
    const double below = at_.y() + CardAway, above = at_.y() - CardAway - size.height();
    const double inside = std::max(seen.left(), std::min(right, seen.right() - size.width()));
    for (const QPointF &corner : { QPointF(right, below), QPointF(left, above), QPointF(left, below),
                                   QPointF(right, above), QPointF(inside, below), QPointF(inside, above) })
        if (seen.contains(QRectF(corner, size)))
            return QRectF(corner, size);
    const bool isRight = seen.right() - at_.x() >= at_.x() - seen.left();
    const double y = std::max(seen.top(), std::min(at_.y() - size.height() / 2, seen.bottom() - size.height()));
    return QRectF(QPointF(isRight ? right : left, y), size);
}

void SctpaCrosshair::drawCard(QCPPainter *painter, const SctpaColors &colors)
{
    const QPalette palette = mParentPlot->palette();
    QFont font = mParentPlot->font();
    font.setPointSizeF(font.pointSizeF() * CardFont);
    const QFontMetricsF metrics(font);
    const QStringList heads = QStringList{ card_.head } + card_.notes;
    double labels = 0, texts = 0, width = 0;
    for (const QString &head : heads)
        width = std::max(width, metrics.horizontalAdvance(head));
    for (const SctpaCard::Row &row : std::as_const(card_.rows)) {
        labels = std::max(labels, metrics.horizontalAdvance(row.label) + ColumnGap);
        texts = std::max(texts, metrics.horizontalAdvance(row.text));
    }
    const double lines = double(heads.size() + card_.rows.size());
    cardRect_ = cardPlace(
        cardSize(QSizeF(std::max(width, labels + texts) + 2 * NamePad, metrics.height() * lines + 2 * NamePad)));
    painter->setPen(QPen(colors.faint, 1));
    painter->setBrush(palette.color(QPalette::ToolTipBase));
    painter->drawRoundedRect(cardRect_, 3, 3);
    const QColor ink = palette.color(QPalette::ToolTipText);
    QColor faint = ink;
    faint.setAlphaF(0.7F);
    painter->setFont(font);
    const double room = cardRect_.width() - 2 * NamePad + 1;
    QPointF at = cardRect_.topLeft() + QPointF(NamePad, NamePad + metrics.ascent());
    painter->setPen(ink);
    for (const QString &head : heads) {
        painter->drawText(at, metrics.elidedText(head, Qt::ElideRight, room));
        at.ry() += metrics.height();
    }
    for (const SctpaCard::Row &row : std::as_const(card_.rows)) {
        painter->setPen(faint);
        painter->drawText(at, row.label);
        painter->setPen(ink);
        painter->drawText(at + QPointF(labels, 0), metrics.elidedText(row.text, Qt::ElideRight, room - labels));
        at.ry() += metrics.height();
    }
}
