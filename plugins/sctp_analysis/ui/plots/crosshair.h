/* SPDX-License-Identifier: GPL-2.0-or-later */
// Lines through the packet that is pointed at, and its card; and the frame of a rubber band. On a layer of its own,
// painted without the rest.
#ifndef SCTPA_UI_CROSSHAIR_H
#define SCTPA_UI_CROSSHAIR_H

#include "packet_card.h"

class SctpaCrosshair : public QCPLayerable {
    Q_OBJECT

  public:
    SctpaCrosshair(QCustomPlot *plot, const QString &layer) : QCPLayerable(plot, layer) {}

    // Nothing is pointed at.
    void hide();
    // rects: of all plots, for the line of time. at: the packet, or where the mouse is, in the plot at.
    void show(const QVector<QRect> &rects, const QPointF &at, const QRect &in, const SctpaCard &card, bool isPacket);
    // Lines through the plots where the rule pointed at, or chosen, was broken: places on the screen.
    void setMarked(const QVector<QRect> &rects, const QVector<double> &marked)
    {
        markedRects_ = rects;
        marked_ = marked;
    }
    const QVector<double> &marked() const { return marked_; }
    // A line through the same plots at the selected packet, and its name; an empty one is none.
    void setPacket(double x, const QString &name)
    {
        packetX_ = x;
        packetName_ = name;
    }
    // An empty one is none.
    void setBand(const QRectF &band) { band_ = band; }
    QRectF band() const { return band_; }
    bool isShown() const { return isShown_; }
    const SctpaCard &card() const { return card_; }
    QStringList lines() const { return card_.lines(); }
    // Where the card lay when last painted: beside what is pointed at, never on it.
    QRectF cardRect() const { return cardRect_; }
    QPointF at() const { return at_; }

  protected:
    void draw(QCPPainter *painter) override;
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override
    {
        applyAntialiasingHint(painter, true, QCP::aeOther);
    }

  private:
    void drawPacket(QCPPainter *painter, const SctpaColors &colors) const;
    void drawCard(QCPPainter *painter, const SctpaColors &colors);
    QRectF seen() const;
    QSizeF cardSize(const QSizeF &wanted) const;
    QRectF cardPlace(const QSizeF &size) const;

    bool isShown_ = false, isPacket_ = false;
    QVector<QRect> rects_, markedRects_;
    QVector<double> marked_;
    double packetX_ = 0;
    QString packetName_;
    QPointF at_;
    QRect in_;
    SctpaCard card_;
    QRectF cardRect_;
    QRectF band_;
};

#endif
