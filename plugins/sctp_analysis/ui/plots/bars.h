/* SPDX-License-Identifier: GPL-2.0-or-later */
// Retransmissions over time: so many of each kind in each stretch of time, one upon the other, all counted by the core.
#ifndef SCTPA_UI_BARS_H
#define SCTPA_UI_BARS_H

#include "trace.h"

class SctpaBars : public QCPAbstractPlottable {
    Q_OBJECT

  public:
    struct Part {
        sctpa_series_kind_t kind;
        SctpaStyle look;
        SctpaSeries series;
        bool isOn;
    };

    SctpaBars(QCPAxis *time, QCPAxis *values, const SctpaGraphData *data);

    void setParts(const QVector<Part> &parts) { parts_ = parts; }
    const QVector<Part> &parts() const { return parts_; }

    // The width of a bar: 1, 2 or 5 times a power of ten, so that bars keep their places while the axis moves.
    double barSeconds() const;
    // The highest bar between two times.
    double highest(const QCPRange &seconds) const;
    // How many of a part are in each bar of the range, of which the first begins at *firstNs.
    QVector<quint32> counts(const Part &part, const QCPRange &seconds, qint64 *firstNs) const;
    // The bar at a place of the screen; its packet is the first of the part pointed at.
    void findNear(const QPointF &place, SctpaFound *found) const;

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool &found, QCP::SignDomain domain, const QCPRange &inKeyRange) const override;

  protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *, const QRectF &) const override {}

  private:
    QVector<sctpa_pixel_t> pixels(const Part &part, const QCPRange &seconds, qint64 *firstNs) const;

    const SctpaGraphData *data_;
    QVector<Part> parts_;
};

#endif
