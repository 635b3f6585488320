/* SPDX-License-Identifier: GPL-2.0-or-later */
// Measures what the ladder costs as an association grows: from asking for the window to its first picture, and per step
// of zooming from the whole association to a packet (mean and worst, CPU of the main thread); memory that is added.
// Usage: bench_ladder [TSNs...]; with QT_QPA_PLATFORM=offscreen, on a release build.
#include <QApplication>
#include <QElapsedTimer>

#include <cstdio>

#include "cost_reading.h"
#include "dialogs/windows.h"
#include "played_capture.h"

namespace {

constexpr double Step = 1.3, Closest = 1e-3;

struct Zooming {
    double mean = 0, worst = 0;
    int steps = 0;
};

// From the whole association to the closest and back; a picture each.
Zooming zoomAll(SctpaLadderPlot *plot)
{
    Zooming zooming;
    plot->showTime(plot->wholeFromNs(), plot->wholeToNs());
    const double whole = double(plot->toNs() - plot->fromNs());
    bool isInward = true;
    while (isInward || double(plot->toNs() - plot->fromNs()) < whole * 0.99) {
        const double used = mainThreadMs();
        plot->zoom(isInward ? 1 / Step : Step, plot->height() * 0.53);
        plot->grab();
        const double ms = mainThreadMs() - used;
        zooming.mean += ms;
        zooming.worst = qMax(zooming.worst, ms);
        zooming.steps++;
        isInward &= double(plot->toNs() - plot->fromNs()) > Closest * 1e9;
    }
    zooming.mean /= zooming.steps;
    return zooming;
}

void measure(int tsns)
{
    PlayedCapture played;
    played.open(0);
    played.feedTransfer(tsns);
    SctpaWindows windows(played.host());
    const double before = allocatedMb();
    QElapsedTimer clock;
    clock.start();
    SctpaLadderWindow *window = windows.showLadder(0);
    while (window->isLoading())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window->grab();
    const double painted = double(clock.nsecsElapsed()) / 1e6, added = allocatedMb() - before;
    const quint32 packets = sctpa_ladder_length(window->facts().ladder());
    const Zooming zooming = zoomAll(window->plot());
    std::printf("%10d %10u %14.0f %12.1f %12.1f %8d %10.1f %16.1f\n", tsns, packets, painted, zooming.mean,
                zooming.worst, zooming.steps, added, added * 1e6 / packets);
    std::fflush(stdout);
}

}

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    std::printf("%10s %10s %14s %12s %12s %8s %10s %16s\n", "TSNs", "packets", "painted (ms)", "zoom (ms)",
                "worst (ms)", "steps", "MB", "bytes a packet");
    QStringList sizes = application.arguments().mid(1);
    if (sizes.isEmpty())
        sizes = QStringList{ QStringLiteral("10000"), QStringLiteral("666666"), QStringLiteral("3333333") };
    for (const QString &size : std::as_const(sizes))
        measure(size.toInt());
    return 0;
}
