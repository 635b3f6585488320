/* SPDX-License-Identifier: GPL-2.0-or-later */
// Draws the crosshair, and its card where there is room.
#include "crosshair.h"

#include <algorithm>

namespace {

constexpr double RingRadius = 6, CardAway = 14, NamePad = 5, ColumnGap = 10, PacketLineWidth = 1.5;
constexpr double CardFont = 0.9;
// No text of a card is longer.
constexpr double WrappedLinesMost = 20;

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

namespace {

// What a card takes in a font: labels in a column, texts beside it, which wrap where the card is narrower than they
// are.
struct CardLayout {
    CardLayout(const SctpaCard &card, const QFontMetricsF &metrics)
        : heads(QStringList{ card.head } + card.notes), rows(card.rows), metrics(metrics)
    {
        double texts = 0, widest = 0;
        for (const QString &head : heads)
            widest = std::max(widest, metrics.horizontalAdvance(head));
        for (const SctpaCard::Row &row : rows) {
            labels = std::max(labels, metrics.horizontalAdvance(row.label) + ColumnGap);
            texts = std::max(texts, metrics.horizontalAdvance(row.text));
        }
        width = std::max(widest, labels + texts) + 2 * NamePad;
    }

    double heightOf(const QString &text, double room) const
    {
        const QRectF place(0, 0, std::max(room, 1.0), metrics.height() * WrappedLinesMost);
        return std::max(metrics.height(), metrics.boundingRect(place, Qt::TextWordWrap, text).height());
    }

    // Of the whole card, that wide. The pixel more is what rounding takes from a text that just fits.
    double heightAt(double cardWidth) const
    {
        double height = 2 * NamePad;
        for (const QString &head : heads)
            height += heightOf(head, cardWidth - 2 * NamePad + 1);
        for (const SctpaCard::Row &row : rows)
            height += heightOf(row.text, cardWidth - 2 * NamePad - labels + 1);
        return height;
    }

    const QStringList heads;
    const QVector<SctpaCard::Row> rows;
    const QFontMetricsF metrics;
    double labels = 0, width = 0;
};

}

void SctpaCrosshair::drawCard(QCPPainter *painter, const SctpaColors &colors)
{
    const QPalette palette = mParentPlot->palette();
    QFont font = mParentPlot->font();
    font.setPointSizeF(font.pointSizeF() * CardFont);
    const CardLayout layout(card_, QFontMetricsF(font));
    // A narrower card is higher, and then may have no room but beside what is pointed at: the second size is no wider.
    QSizeF size = cardSize(QSizeF(layout.width, layout.heightAt(layout.width)));
    size = cardSize(QSizeF(size.width(), layout.heightAt(size.width())));
    size.setHeight(layout.heightAt(size.width()));
    cardRect_ = cardPlace(size);
    painter->setPen(QPen(colors.faint, 1));
    painter->setBrush(palette.color(QPalette::ToolTipBase));
    painter->drawRoundedRect(cardRect_, 3, 3);
    const QColor ink = palette.color(QPalette::ToolTipText);
    QColor faint = ink;
    faint.setAlphaF(0.7F);
    painter->setFont(font);
    QRectF line(cardRect_.left() + NamePad, cardRect_.top() + NamePad, cardRect_.width() - 2 * NamePad + 1, 0);
    const auto draw = [&](const QRectF &place, const QString &text, const QColor &color) {
        painter->setPen(color);
        painter->drawText(place, Qt::TextWordWrap, text);
    };
    for (const QString &head : layout.heads) {
        line.setHeight(layout.heightOf(head, line.width()));
        draw(line, head, ink);
        line.translate(0, line.height());
    }
    for (const SctpaCard::Row &row : layout.rows) {
        const double room = line.width() - layout.labels;
        line.setHeight(layout.heightOf(row.text, room));
        draw(QRectF(line.left(), line.top(), layout.labels, line.height()), row.label, faint);
        draw(QRectF(line.left() + layout.labels, line.top(), room, line.height()), row.text, ink);
        line.translate(0, line.height());
    }
}
