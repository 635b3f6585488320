/* SPDX-License-Identifier: GPL-2.0-or-later */
// One plot of the stack: heading, axes, and what it shows of the data. Which plots there are stands in a table.
// Leaves the time axis, which all share, to the stack.
#ifndef SCTPA_UI_PLOT_H
#define SCTPA_UI_PLOT_H

#include <QSet>

#include "bars.h"
#include "legend.h"
#include "event_markers.h"

// A plot that can be chosen.
struct SctpaPlotRow {
    const char *name; // of its settings
    const char *title;
    quint32 kinds; // its series, bits 1 << SCTPA_SERIES_...
    SctpaUnit unit;
    bool perPath;      // a series per path, when there are several
    bool withTotal;    // and one of all
    bool perStream;    // a series per stream, when streams are chosen
    bool countsBars;   // series are counted, not drawn
    bool isLog;        // of its values some are a thousand times as large as others
    double height;     // against others
    bool showsTrouble; // closed windows and pauses
    bool showsLimits;
};

const QVector<SctpaPlotRow> &sctpaPlotRows();

class SctpaPlot {
  public:
    // What is shown, for all plots.
    struct Choice {
        quint16 path = SCTPA_SERIES_ANY_PATH;
        QVector<quint16> streams; // each by itself; none: all together
        bool isRawTsn = false;
        bool isFirst = false; // names of events stand in the first plot
        QSet<QString> off;    // names of entries of legends that are switched off
    };

    // Series that are shown with the same suffix and colour.
    struct Part {
        quint32 kinds;
        quint16 path;
        int stream;
        QString suffix;
        int number; // that the colour tells, or SctpaNoNumber
    };

    // Makes its layout elements in the plot's layout at row. data is borrowed.
    SctpaPlot(QCustomPlot *parent, int row, const SctpaPlotRow *what, SctpaGraphData *data);
    // Takes them away.
    ~SctpaPlot();
    SctpaPlot(const SctpaPlot &) = delete;
    SctpaPlot &operator=(const SctpaPlot &) = delete;

    const SctpaPlotRow *what() const { return what_; }
    QCPAxisRect *rect() const { return rect_; }
    SctpaLegend *legend() const { return legend_; }
    // Behind the series, and before them.
    SctpaEventMarkers *marks() const { return marks_; }
    SctpaEventMarkers *events() const { return events_; }
    const QVector<SctpaTrace *> &traces() const { return traces_; }
    SctpaBars *bars() const { return bars_; }
    QCPAxis *timeAxis() const { return rect_->axis(QCPAxis::atBottom); }
    QCPAxis *valueAxis() const { return rect_->axis(QCPAxis::atLeft); }
    quint32 firstTsn() const { return choice_.isRawTsn ? data_->initialTsn() : 0; }

    // What it shows of the data by a choice.
    QVector<Part> parts(const Choice &choice) const;
    // Takes up those of its series, limits and times of trouble that are there. isAll: no others will come.
    void load(const Choice &choice, bool isAll);
    bool isWhole() const { return isWhole_; }
    // Has neither points nor bars.
    bool isEmpty() const { return traces_.isEmpty() && (!bars_ || bars_->parts().isEmpty()); }
    // Only its heading is shown. False: it is as it was.
    bool setShrunk(bool isShrunk);
    bool isShrunk() const { return isShrunk_; }
    // Shows nothing, and holds nothing.
    void clear();
    // Applies colours, names and switches anew.
    void restyle(const Choice &choice);

    // Values that fit the time range shown; unless the user chose some. False: they are what they were.
    bool fitValues();
    bool isFitted() const { return isFitted_; }
    // lower == upper: fitted again.
    void chooseValues(const QCPRange &range);
    // Values between other places of the screen, and around one of them.
    void moveValues(double pixels);
    void zoomValues(double factor, double aroundPixel);

    void findNear(const QPointF &place, SctpaFound *found) const;

  private:
    QString labelOf(const Part &part, sctpa_series_kind_t kind) const;
    void addTraces(const Part &part);
    void addBars(const Part &part);
    void addLimits();
    void fillLegend();
    void addFindingsTo(QVector<SctpaLegend::Entry> *entries) const;
    static QString nameOf(sctpa_level_t level);
    bool isOn(const QString &name) const;
    QString nameOf(sctpa_series_kind_t kind, quint16 path, int stream = SctpaGraphData::AnyStream) const;
    // The edges of the band around an RTO are switched with it, and have no entry in the legend.
    static bool isEdgeOfRto(const SctpaTrace *trace)
    {
        return trace->shown().kind == SCTPA_SERIES_RTO_LEAST || trace->shown().kind == SCTPA_SERIES_RTO_MOST;
    }
    QString nameOf(const SctpaTrace *trace) const
    {
        return nameOf(isEdgeOfRto(trace) ? SCTPA_SERIES_RTO : trace->shown().kind, trace->shown().path,
                      trace->shown().stream);
    }
    void removePlottables();
    void setUpAxes();
    QCPRange valuesInSight() const;
    double roomForNames() const;

    QCustomPlot *parent_;
    const SctpaPlotRow *what_;
    SctpaGraphData *data_;
    QCPLayoutGrid *grid_;
    SctpaLegend *legend_;
    QCPAxisRect *rect_;
    SctpaEventMarkers *marks_, *events_;
    QVector<SctpaTrace *> traces_;
    SctpaBars *bars_ = nullptr;
    QVector<SctpaLimit> allLimits_;
    QSharedPointer<SctpaValueTicker> ticker_; // null: the axis is logarithmic
    Choice choice_;
    bool isFitted_ = true;
    bool isShrunk_ = false;
    bool isWhole_ = false; // no more of its data will come
};

#endif
