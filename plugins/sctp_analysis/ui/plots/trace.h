/* SPDX-License-Identifier: GPL-2.0-or-later */
// One series in a plot, at the resolution of the screen: every point where there are few, one column per pixel where
// there are many.
#ifndef SCTPA_UI_TRACE_H
#define SCTPA_UI_TRACE_H

#include <QPointer>

#include "graph_data.h"
#include "style.h"
#include "value_text.h"

// A packet that the crosshair found.
struct SctpaFound {
    double distance = 1e300; // in pixels; more than that of anything seen: nothing was found
    double seconds = 0, value = 0;
    quint32 packet = 0, frame = 0;
    QString text;
    QVector<quint32> rules{}; // of a finding: SctpaGraphData::Finding
    bool isAround = false;    // lies around the place of the screen, whose seconds and value these are
    int kind = -1;            // of a point of a series: sctpa_series_kind_t, and its value
    qint64 point = 0;
    bool isThere() const { return distance < 1e300; }
};

class SctpaTrace : public QCPAbstractPlottable {
    Q_OBJECT

  public:
    struct Shown {
        sctpa_series_kind_t kind;
        quint16 path;
        int stream; // SctpaGraphData::AnyStream: all
        QString label;
        SctpaStyle look;
    };

    // data is borrowed, and read while there is a series.
    SctpaTrace(QCPAxis *time, QCPAxis *values, const SctpaGraphData *data, const Shown &shown,
               const SctpaSeries &series);

    // What lies between floor, drawn before it, and this one is filled.
    void setFloor(const SctpaTrace *floor) { floor_ = floor; }

    const Shown &shown() const { return shown_; }
    SctpaSeries series() const { return series_; }

    // What was read for the range of time last painted: points one by one, or columns.
    bool isExact() const { return isExact_; }
    const QVector<sctpa_point_t> &points() const { return points_; }
    const QVector<sctpa_pixel_t> &columns() const { return columns_; }

    // Least and greatest value in a range of time, lines that lead into it included. False: nothing is there. O(log
    // points).
    bool extremes(const QCPRange &seconds, QCPRange *values) const;
    // The packet nearest to a place of the screen, if nearer than found. O(pixels).
    void findNear(const QPointF &place, quint32 firstTsn, SctpaFound *found) const;

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1; }
    QCPRange getKeyRange(bool &found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool &found, QCP::SignDomain domain, const QCPRange &inKeyRange) const override;

  protected:
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *painter, const QRectF &rect) const override
    {
        sctpaDrawSample(painter, shown_.look, rect);
    }

  private:
    void read();
    void drawPoints(QCPPainter *painter) const;
    void drawColumns(QCPPainter *painter) const;
    void drawLine(QCPPainter *painter) const;
    // The line that holds each value until the next.
    QPolygonF line() const { return isExact_ ? steps() : columnSteps(); }
    QPolygonF steps() const;
    QPolygonF columnSteps() const;
    double columnX(int column) const;
    double yOf(qint64 value) const;
    // Where what a point stands for ends, for most where it begins.
    qint64 endOf(const sctpa_point_t &point) const
    {
        return point.value + (shown_.kind == SCTPA_SERIES_GAP ? point.extent : 0);
    }
    double xOf(qint64 timeNs) const;

    QPointer<const SctpaTrace> floor_;
    const SctpaGraphData *data_;
    Shown shown_;
    SctpaSeries series_;
    SctpaUnit unit_;
    bool isExact_ = true;
    qint64 fromNs_ = 0, toNs_ = 0;
    bool hasBefore_ = false; // points_ begins with the last one before the range; so do columns by before_
    sctpa_point_t before_ = {};
    QVector<sctpa_point_t> points_;
    QVector<sctpa_pixel_t> columns_;
};

#endif
