/* SPDX-License-Identifier: GPL-2.0-or-later */
// What a plot shows besides its series: times of trouble and limits behind them; and before them events, in the first
// plot with their names and with what the model found.
#ifndef SCTPA_UI_EVENT_MARKERS_H
#define SCTPA_UI_EVENT_MARKERS_H

#include "trace.h"

// A value that theory sets.
struct SctpaLimit {
    double value;
    QString label;
    SctpaStyle look;
};

class SctpaEventMarkers : public QCPLayerable {
    Q_OBJECT

  public:
    // data is borrowed.
    SctpaEventMarkers(QCPAxisRect *rect, const SctpaGraphData *data, const QString &layer);

    // Which of them are shown.
    struct Choice {
        bool events = false, eventNames = false, closedWindows = false, pauses = false;
        quint32 findings = 0; // bits 1 << sctpa_level_t
    };
    Choice choice;
    QVector<SctpaLimit> limits;

    // The event or finding at a place of the screen, if nearer than found.
    void findNear(const QPointF &place, SctpaFound *found) const;
    // Where the occurrences of rules are, in seconds.
    QVector<double> secondsOf(const QVector<quint32> &rules) const;
    // The pause in which a place of the screen lies, if shown.
    void findPause(const QPointF &place, SctpaFound *found) const;
    // Names that found room when last painted.
    const QStringList &namesShown() const { return namesShown_; }
    // Where a finding is marked.
    QPointF placeOf(const SctpaGraphData::Finding &finding) const;

  protected:
    void draw(QCPPainter *painter) override;
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override
    {
        applyAntialiasingHint(painter, false, QCP::aeOther);
    }
    QRect clipRect() const override { return rect_->rect(); }

  private:
    void drawBands(QCPPainter *painter, const QVector<SctpaGraphData::Band> &bands, const QBrush &brush) const;
    void drawEvents(QCPPainter *painter, const SctpaColors &colors);
    void drawFindings(QCPPainter *painter, sctpa_level_t level) const;
    double xOf(qint64 timeNs) const { return rect_->axis(QCPAxis::atBottom)->coordToPixel(data_->secondsOf(timeNs)); }

    QCPAxisRect *rect_;
    const SctpaGraphData *data_;
    QStringList namesShown_;
};

#endif
