/* SPDX-License-Identifier: GPL-2.0-or-later */
// The table of looks, and how each shape is drawn.
#include "style.h"

#include <QCoreApplication>

#include <iterator>

namespace {

// Red is a fast retransmission, orange a timer: RTO, and the timeout that it makes. Nothing else has their hues; what
// is wrong besides is told by shapes and words in the colour of texts.
constexpr int Grey = -1, Ink = -2;
constexpr double DarkGround = 0.5;

struct Row {
    const char *label;
    int hue;
    SctpaShape shape;
    Qt::PenStyle line;
    double width;
};

// In the order of sctpa_series_kind_t.
const Row Rows[] = {
    { QT_TRANSLATE_NOOP("sctpa_series", "first transmissions"), 210, SctpaShape::Dot, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "fast"), 0, SctpaShape::Up, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "early"), 325, SctpaShape::Down, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "timeout"), 25, SctpaShape::Diamond, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "zero-window probe"), 275, SctpaShape::Square, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "address removed"), 180, SctpaShape::Plus, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "PKTDROP"), 85, SctpaShape::Star, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "unknown cause"), Grey, SctpaShape::Cross, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "cum ack"), 135, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "gap blocks"), 165, SctpaShape::Bar, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "duplicates"), 300, SctpaShape::Ring, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "a_rwnd"), 135, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "outstanding"), 210, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "outstanding on all paths"), Grey, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "a_rwnd − outstanding"), 165, SctpaShape::None, Qt::DashLine, 1.25 },
    { QT_TRANSLATE_NOOP("sctpa_series", "bytes sent"), 210, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "bytes acknowledged"), 290, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "cwnd (model)"), 290, SctpaShape::None, Qt::DashLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "cwnd at least"), 290, SctpaShape::None, Qt::DotLine, 0.75 },
    { QT_TRANSLATE_NOOP("sctpa_series", "cwnd at most"), 290, SctpaShape::None, Qt::DotLine, 0.75 },
    { QT_TRANSLATE_NOOP("sctpa_series", "ssthresh (model)"), 325, SctpaShape::None, Qt::DashDotLine, 1 },
    { QT_TRANSLATE_NOOP("sctpa_series", "RTT"), 210, SctpaShape::Dot, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "HEARTBEAT RTT"), 325, SctpaShape::Diamond, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "HEARTBEATs unanswered"), Grey, SctpaShape::Cross, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "RTO"), 25, SctpaShape::None, Qt::SolidLine, 1.5 },
    { QT_TRANSLATE_NOOP("sctpa_series", "RTO at least"), 25, SctpaShape::None, Qt::DotLine, 0.75 },
    { QT_TRANSLATE_NOOP("sctpa_series", "RTO at most"), 25, SctpaShape::None, Qt::DotLine, 0.75 },
    { QT_TRANSLATE_NOOP("sctpa_series", "head-of-line delay"), 275, SctpaShape::Dot, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "message to its ack"), 180, SctpaShape::Ring, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "goodput"), 135, SctpaShape::None, Qt::SolidLine, 1.75 },
    { QT_TRANSLATE_NOOP("sctpa_series", "throughput"), 210, SctpaShape::None, Qt::DashLine, 1.25 },
};
static_assert(std::size(Rows) == SCTPA_SERIES_KINDS, "every series has a look");

// In the order of sctpa_level_t.
const Row Levels[] = {
    { QT_TRANSLATE_NOOP("sctpa_series", "MUST violated"), Ink, SctpaShape::Flag, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "SHOULD not followed"), Ink, SctpaShape::OpenFlag, Qt::NoPen, 0 },
    { QT_TRANSLATE_NOOP("sctpa_series", "notes"), Grey, SctpaShape::Ring, Qt::NoPen, 0 },
};
static_assert(std::size(Levels) == SCTPA_LEVELS, "every level has a look");

const int NumberHues[] = { 210, 55, 290, 180, 335, 110, 245, 80 };

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Base).lightnessF() < DarkGround;
}

QColor mixed(const QColor &a, const QColor &b, double part)
{
    return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * part),
                            float(a.greenF() + (b.greenF() - a.greenF()) * part),
                            float(a.blueF() + (b.blueF() - a.blueF()) * part));
}

QColor withAlpha(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

QPolygonF polygon(const QPointF &at, std::initializer_list<QPointF> corners, double radius)
{
    QPolygonF result;
    for (const QPointF &corner : corners)
        result << at + corner * radius;
    return result;
}

// Its pole stands where the point is.
void drawFlag(QCPPainter *painter, bool isOpen, const QPointF &at, double radius)
{
    if (isOpen)
        painter->setBrush(Qt::NoBrush);
    painter->drawLine(QLineF(at + QPointF(0, radius), at - QPointF(0, radius)));
    painter->drawPolygon(polygon(at, { { 0, -1 }, { 1.4, -0.4 }, { 0, 0.2 } }, radius));
}

void drawStrokes(QCPPainter *painter, const QPointF &at, std::initializer_list<QPointF> ends, double radius)
{
    for (const QPointF &end : ends)
        painter->drawLine(QLineF(at + end * radius, at - end * radius));
}

}

SctpaColors::SctpaColors(const QPalette &palette)
    : ground(palette.color(QPalette::Base)), ink(palette.color(QPalette::Text)), faint(mixed(ground, ink, 0.55)),
      grid(mixed(ground, ink, 0.13)), trouble(ink), event(faint), closed(withAlpha(sctpaColor(palette, 50), 60)),
      paused(withAlpha(ink, 80), Qt::BDiagPattern)
{
}

QColor sctpaColor(const QPalette &palette, int hue)
{
    // Yellows and greens look lighter than blues of the same lightness.
    const bool looksLight = hue > 30 && hue < 190;
    const double lightness = isDark(palette) ? (looksLight ? 0.55 : 0.66) : (looksLight ? 0.33 : 0.45);
    if (hue == Ink)
        return palette.color(QPalette::Text);
    return hue == Grey ? mixed(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.6)
                       : QColor::fromHslF(float(hue / 360.0), 0.85f, float(lightness));
}

SctpaStyle sctpaLook(const QPalette &palette, sctpa_series_kind_t kind, int number)
{
    const Row &row = Rows[kind];
    const int hue = number == SctpaNoNumber ? row.hue : NumberHues[size_t(number) % std::size(NumberHues)];
    return { sctpaColor(palette, hue), row.shape, row.line, row.width };
}

SctpaStyle sctpaFindingLook(const QPalette &palette, sctpa_level_t level)
{
    const Row &row = Levels[level];
    return { sctpaColor(palette, row.hue), row.shape, row.line, row.width };
}

QString sctpaFindingLabel(sctpa_level_t level)
{
    return QCoreApplication::translate("sctpa_series", Levels[level].label);
}

SctpaShape sctpaShapeOf(int number)
{
    static const SctpaShape shapes[] = { SctpaShape::Dot,   SctpaShape::Up,     SctpaShape::Plus, SctpaShape::Diamond,
                                         SctpaShape::Cross, SctpaShape::Square, SctpaShape::Ring, SctpaShape::Down };
    return shapes[size_t(number) % std::size(shapes)];
}

QString sctpaSeriesLabel(sctpa_series_kind_t kind)
{
    return QCoreApplication::translate("sctpa_series", Rows[kind].label);
}

void sctpaDrawShape(QCPPainter *painter, const SctpaStyle &look, const QPointF &at, double side)
{
    const double radius = side / 2;
    painter->setPen(QPen(look.color, 1.5));
    painter->setBrush(look.color);
    switch (look.shape) {
    case SctpaShape::None:
    case SctpaShape::Bar: break;
    case SctpaShape::Dot:
        painter->fillRect(QRectF(at.x() - radius / 2, at.y() - radius / 2, radius, radius), look.color);
        break;
    case SctpaShape::Up: painter->drawPolygon(polygon(at, { { 0, -1 }, { 0.9, 0.7 }, { -0.9, 0.7 } }, radius)); break;
    case SctpaShape::Down:
        painter->drawPolygon(polygon(at, { { 0, 1 }, { 0.9, -0.7 }, { -0.9, -0.7 } }, radius));
        break;
    case SctpaShape::Diamond:
        painter->drawPolygon(polygon(at, { { 0, -1.1 }, { 1, 0 }, { 0, 1.1 }, { -1, 0 } }, radius));
        break;
    case SctpaShape::Square:
        painter->drawRect(QRectF(at.x() - radius * 0.8, at.y() - radius * 0.8, radius * 1.6, radius * 1.6));
        break;
    case SctpaShape::Plus: drawStrokes(painter, at, { { 1, 0 }, { 0, 1 } }, radius); break;
    case SctpaShape::Star: drawStrokes(painter, at, { { 1, 0 }, { 0.5, 0.87 }, { -0.5, 0.87 } }, radius); break;
    case SctpaShape::Cross: drawStrokes(painter, at, { { 0.75, 0.75 }, { 0.75, -0.75 } }, radius); break;
    case SctpaShape::Ring:
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(at, radius, radius);
        break;
    case SctpaShape::Flag:
    case SctpaShape::OpenFlag: drawFlag(painter, look.shape == SctpaShape::OpenFlag, at, radius); break;
    }
}

void sctpaDrawSample(QCPPainter *painter, const SctpaStyle &look, const QRectF &rect)
{
    if (look.line != Qt::NoPen) {
        painter->setPen(QPen(look.color, look.width + 0.5, look.line));
        painter->drawLine(QLineF(rect.left(), rect.center().y(), rect.right(), rect.center().y()));
    }
    if (look.shape == SctpaShape::Bar)
        painter->fillRect(QRectF(rect.center().x() - 1.5, rect.top(), 3, rect.height()), look.color);
    else
        sctpaDrawShape(painter, look, rect.center(), look.shape == SctpaShape::Dot ? 10 : 8);
}
