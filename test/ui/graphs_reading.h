/* SPDX-License-Identifier: GPL-2.0-or-later */
// What tests of the graphs share: a window over a played capture, and the rows of -z sctp,series that it is compared
// with.
#ifndef SCTPA_TEST_UI_GRAPHS_READING_H
#define SCTPA_TEST_UI_GRAPHS_READING_H

#include <QMultiMap>
#include <QtTest>

#include "dialogs/graphs_bar.h"
#include "dialogs/windows.h"
#include "played_capture.h"

extern "C" {
#include "../../plugins/sctp_analysis/report/tables/series_csv.h"
}

// The packets of a capture of the list in CMakeLists.txt.
inline QString packetsOf(const char *capture)
{
    return QFileInfo(qEnvironmentVariable("SCTPA_UI_PACKETS"))
        .dir()
        .filePath(QLatin1String(capture) + QStringLiteral(".packets"));
}

// Rows of the series report of one endpoint, without its head, as "time_s,frame,endpoint,path,series,value,value2".
inline QStringList seriesRows(const PlayedCapture &played, const char *choice)
{
    sctpa_series_choice_t read;
    const sctpa_view_t view = played.view();
    QByteArray text;
    if (!sctpa_series_choice_read(choice, &read))
        return {};
    sctpa_series_write(
        &view, &read,
        [](void *to, const GString *piece) { static_cast<QByteArray *>(to)->append(piece->str, int(piece->len)); },
        &text);
    QStringList rows = QString::fromUtf8(text).split(QLatin1Char('\n'));
    rows.removeFirst();
    rows.removeLast();
    return rows;
}

// What fits beside what depends on it; the offscreen desktop is small.
inline void makeRoom(SctpaGraphsWindow *window)
{
    window->resize(1180, 820);
    QCoreApplication::processEvents();
}

inline void showAllPlots(SctpaGraphsWindow *window)
{
    QStringList names;
    for (const SctpaPlotRow &row : sctpaPlotRows())
        names.append(QString::fromUtf8(row.name));
    if (window->bar()->plots() != names)
        for (int i = 0; i < names.size(); i++)
            if (!window->bar()->plots().contains(names.at(i)))
                QTest::keyClick(window->stack(), char('1' + i));
    QTRY_VERIFY(!window->isLoading());
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
}

// A window over a capture of that list, or (NULL) over a long transfer; of one test.
struct PlayedGraphs {
    QScopedPointer<PlayedCapture> played;
    QScopedPointer<SctpaWindows> windows;

    SctpaGraphsWindow *open(const char *capture, quint32 number = 0)
    {
        played.reset(new PlayedCapture(capture ? packetsOf(capture) : QString()));
        played->open(capture ? -1 : 0);
        if (!capture)
            played->feedTransfer(100000);
        windows.reset(new SctpaWindows(played->host()));
        SctpaGraphsWindow *window = windows->showGraphs(number);
        makeRoom(window);
        showAllPlots(window);
        return window;
    }

    void close()
    {
        windows.reset();
        played.reset();
    }
};

inline SctpaTrace *traceOf(const SctpaGraphsWindow *window, sctpa_series_kind_t kind)
{
    for (const auto &plot : window->stack()->plots())
        for (SctpaTrace *trace : plot->traces())
            if (trace->shown().kind == kind)
                return trace;
    return nullptr;
}

// Where a point lies on the screen.
inline QPoint placeOf(const SctpaGraphsWindow *window, const SctpaTrace *trace, const sctpa_point_t &point)
{
    return QPointF(trace->keyAxis()->coordToPixel(window->data().secondsOf(point.time_ns)),
                   trace->valueAxis()->coordToPixel(sctpaAxisValue(sctpaUnitOf(trace->shown().kind), point.value)))
        .toPoint();
}

inline void turnWheel(QWidget *widget, const QPoint &place, int steps, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWheelEvent event(place, widget->mapToGlobal(place), QPoint(), QPoint(0, 120 * steps), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget, &event);
}

#endif
