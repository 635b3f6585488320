/* SPDX-License-Identifier: GPL-2.0-or-later */
// How series look: a shape and a line besides the colour, so that they can be told apart without it; colours from the
// palette.
#ifndef SCTPA_UI_STYLE_H
#define SCTPA_UI_STYLE_H

#include <QBrush>
#include <QColor>
#include <QPalette>
#include <QString>

#include "custom_plot.h"
#include "models/results.h"

enum class SctpaShape { None, Dot, Up, Down, Diamond, Square, Plus, Star, Cross, Ring, Bar, Flag, OpenFlag };

struct SctpaStyle {
    QColor color;
    SctpaShape shape = SctpaShape::None;
    Qt::PenStyle line = Qt::NoPen; // steps from point to point
    double width = 1.5;            // of the line
};

// Colours of everything that is no series.
struct SctpaColors {
    explicit SctpaColors(const QPalette &palette);
    QColor ground, ink, faint, grid;
    QColor trouble, event;
    // Of times of trouble: one is filled, one is hatched, so that both can be seen at once.
    QBrush closed, paused;
};

// A colour of that hue (0..359, -1: grey, -2: as texts) that stands out from the palette's ground.
QColor sctpaColor(const QPalette &palette, int hue);

// number: of the path or among the streams, told by the colour; SctpaNoNumber: the colour tells the kind.
constexpr int SctpaNoNumber = -1;
SctpaStyle sctpaLook(const QPalette &palette, sctpa_series_kind_t kind, int number = SctpaNoNumber);
// Of findings of a level, and what people read of it.
SctpaStyle sctpaFindingLook(const QPalette &palette, sctpa_level_t level);
QString sctpaFindingLabel(sctpa_level_t level);
// Tells the number besides, where the kind has points and is alone.
SctpaShape sctpaShapeOf(int number);
// What people read: "fast", "cum ack".
QString sctpaSeriesLabel(sctpa_series_kind_t kind);

// Which events are trouble: graphs and ladder colour the same ones.
inline bool sctpaIsTrouble(sctpa_event_kind_t kind)
{
    switch (kind) {
    case SCTPA_EVENT_PATH_POTENTIALLY_FAILED:
    case SCTPA_EVENT_PATH_INACTIVE:
    case SCTPA_EVENT_PATH_FAILED:
    case SCTPA_EVENT_FAILOVER:
    case SCTPA_EVENT_ICMP_UNREACHABLE:
    case SCTPA_EVENT_PACKET_TOO_BIG:
    case SCTPA_EVENT_ABORT:
    case SCTPA_EVENT_ABORT_NOT_TAKEN:
    case SCTPA_EVENT_ERROR:
    case SCTPA_EVENT_RESTART:
    case SCTPA_EVENT_COLLISION: return true;
    default: return false;
    }
}

// Draws a point of a look, side pixels wide.
void sctpaDrawShape(QCPPainter *painter, const SctpaStyle &look, const QPointF &at, double side);
// Draws what a legend shows.
void sctpaDrawSample(QCPPainter *painter, const SctpaStyle &look, const QRectF &rect);

#endif
