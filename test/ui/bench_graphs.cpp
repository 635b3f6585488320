/* SPDX-License-Identifier: GPL-2.0-or-later */
// Measures what graphs cost as an association grows: from asking for the window to its first points, until everything
// is read, the longest time without an answer meanwhile (by the clock, and the main thread's share, which tells on a
// busy machine, too), and per step of zooming. Usage: bench_graphs [TSNs...]; with QT_QPA_PLATFORM=offscreen, on a
// release build.
#include <QApplication>
#include <QElapsedTimer>

#include <cstdio>

#include "cost_reading.h"
#include "dialogs/windows.h"
#include "played_capture.h"

namespace {

constexpr int Steps = 40;

// Zooms in around the middle, then back out; mean and worst of the times until the picture is there.
void zoomSteps(SctpaGraphsWindow *window, double *meanMs, double *worstMs)
{
    QElapsedTimer clock;
    *meanMs = *worstMs = 0;
    for (int i = 0; i < Steps; i++) {
        clock.start();
        i < Steps / 2 ? window->stack()->zoomIn() : window->stack()->zoomOut();
        window->stack()->replot(QCustomPlot::rpImmediateRefresh);
        window->grab();
        const double ms = double(clock.nsecsElapsed()) / 1e6;
        *meanMs += ms / Steps;
        *worstMs = qMax(*worstMs, ms);
    }
}

void measure(int tsns)
{
    PlayedCapture played;
    played.open(0);
    played.feedTransfer(tsns);
    SctpaWindows windows(played.host());
    const double before = allocatedMb();
    QElapsedTimer clock;
    double used = mainThreadMs();
    clock.start();
    SctpaGraphsWindow *window = windows.showGraphs(0);
    double painted = 0, longest = double(clock.nsecsElapsed()) / 1e6, busiest = mainThreadMs() - used;
    while (window->isLoading() || painted == 0) {
        QElapsedTimer step;
        step.start();
        used = mainThreadMs();
        QCoreApplication::processEvents(QEventLoop::AllEvents);
        if (painted == 0 && !window->stack()->plots().front()->traces().isEmpty()) {
            window->stack()->replot(QCustomPlot::rpImmediateRefresh);
            window->grab();
            painted = double(clock.nsecsElapsed()) / 1e6;
        }
        longest = qMax(longest, double(step.nsecsElapsed()) / 1e6);
        busiest = qMax(busiest, mainThreadMs() - used);
    }
    window->grab();
    const double all = double(clock.nsecsElapsed()) / 1e6;
    double mean, worst;
    zoomSteps(window, &mean, &worst);
    std::printf("%10d %14.0f %14.0f %14.0f %14.0f %12.1f %12.1f %10.0f\n", tsns, painted, all, longest, busiest, mean,
                worst, allocatedMb() - before);
    std::fflush(stdout);
}

}

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    std::printf("%10s %14s %14s %14s %14s %12s %12s %10s\n", "TSNs", "painted (ms)", "all read (ms)", "longest (ms)",
                "its CPU (ms)", "zoom (ms)", "worst (ms)", "MB");
    QStringList sizes = application.arguments().mid(1);
    if (sizes.isEmpty())
        sizes = QStringList{ QStringLiteral("10000"), QStringLiteral("1000000"), QStringLiteral("5000000") };
    for (const QString &size : std::as_const(sizes))
        measure(size.toInt());
    return 0;
}
