/* SPDX-License-Identifier: GPL-2.0-or-later */
// Draws a part of a ladder: time downward, a lane for each address, packets as lines, or how many there are where they
// are too many for lines. Made anew for each picture. Leaves what is shown, and the pointer, to SctpaLadderPlot.
#ifndef SCTPA_UI_LADDER_PAINTER_H
#define SCTPA_UI_LADDER_PAINTER_H

#include <QFontMetricsF>
#include <QPainter>

#include "ladder_text.h"

// What is shown of a ladder.
struct SctpaLadderChoice {
    qint64 fromNs = 0, toNs = 1;
    bool isAbsolute = false, isRaw = false; // times of day, TSNs as in the packets
};

class SctpaLadderPainter {
  public:
    enum Detail { Density, Lines, Labels };
    // More packets than so many a pixel row are too many for lines.
    static constexpr int MostPerRow = 3;

    // facts are borrowed, and may hold no ladder.
    SctpaLadderPainter(const SctpaLadderFacts *facts, const SctpaLadderChoice &choice, const QSizeF &size,
                       const QPalette &palette, const QFont &font);

    // Everything but what is pointed at or selected. O(pixel rows * log packets) as density, else O(packets shown).
    void draw(QPainter *painter) const;
    // What is selected, or pointed at: its line, and what it repeats or acknowledges. O(log packets).
    void drawMarked(QPainter *painter, const sctpa_ladder_packet_t &packet, bool isSelected) const;
    // Text beside a place, inside the picture.
    void drawCard(QPainter *painter, const QPointF &place, const QStringList &lines) const;

    Detail detail() const { return detail_; }
    // Where the packets are drawn.
    QRectF body() const { return body_; }
    double yOf(qint64 timeNs) const;
    qint64 timeOf(double y) const;
    double laneX(int end, int lane) const;
    // The packet whose line is nearest to a place, not far from it; of a density row the first. Null: none. O(packets
    // shown).
    const sctpa_ladder_packet_t *packetAt(const QPointF &place) const;
    QString timeText(qint64 timeNs) const;

  private:
    struct Line {
        QPointF from, to;
        double crossing; // part of the way at which the tap is
        double cut;      // part of the way that it went
    };
    // The heaviest are shown where there is no room for all.
    struct MarginText {
        double y, weight; // top of the text; of states, how long they last
        QString text;
        QColor color;
    };
    struct Label {
        QPointF at;
        double width;
    };

    void arrange();
    void findShown();
    Line lineOf(const sctpa_ladder_packet_t &packet) const;
    bool isEstimated(const sctpa_ladder_packet_t &packet, bool ofSender) const;
    double scaleStepNs() const;
    QString timesText(int end) const;
    void drawHead(QPainter *painter) const;
    void drawEndpoint(QPainter *painter, int end) const;
    void drawLegend(QPainter *painter) const;
    void drawTimes(QPainter *painter) const;
    QVector<MarginText> drawStates(QPainter *painter, int end, double barX) const;
    QVector<MarginText> drawEvents(QPainter *painter, int end, double barX) const;
    QVector<MarginText> drawOwed(QPainter *painter, int end) const;
    double placeFor(const MarginText &text, double height, const QVector<QPair<double, double>> &taken) const;
    void drawMargin(QPainter *painter, int end) const;
    void drawDensity(QPainter *painter) const;
    void drawDensityRow(QPainter *painter, double y, int end, const sctpa_ladder_count_t &count, double scale) const;
    void drawLines(QPainter *painter) const;
    bool isInSight(const sctpa_ladder_packet_t &packet) const;
    void drawLine(QPainter *painter, const sctpa_ladder_packet_t &packet, const QPen &pen) const;
    void drawEnds(QPainter *painter, const Line &line, const QColor &color, bool isLost) const;
    void drawTimers(QPainter *painter) const;
    void drawTies(QPainter *painter) const;
    void drawRepeatTie(QPainter *painter, const sctpa_ladder_packet_t &packet, double width) const;
    void drawSackTie(QPainter *painter, const sctpa_ladder_packet_t &packet, double width) const;
    void drawLabels(QPainter *painter) const;
    void drawLabel(QPainter *painter, const sctpa_ladder_packet_t &packet, QVector<Label> *placed) const;
    QString elided(const QString &text, double width) const;

    const SctpaLadderFacts *facts_;
    SctpaLadderChoice choice_;
    QSizeF size_;
    QPalette palette_;
    QFont font_;
    QFontMetricsF metrics_;
    SctpaColors colors_;
    QRectF body_;
    QRectF margins_[2];
    double outerX_[2] = { 0, 0 }, gap_[2] = { 0, 0 }, tieWidth_ = 0;
    Detail detail_ = Density;
    // Positions in order of time of what may be in sight; those whose times are.
    quint32 first_ = 0, last_ = 0, firstInside_ = 0, lastInside_ = 0;
};

#endif
