/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects what the graphs show: the points of -z sctp,series, times of trouble, events, colours.
#include <QLabel>

#include <algorithm>

#include "dark_palette.h"
#include "dialogs/streams_box.h"
#include "graphs_reading.h"
#include "offscreen_main.h"

class TestUiGraphs : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cleanup();
    void pointsAreThoseOfTheReport_data();
    void pointsAreThoseOfTheReport();
    void anAssociationWithoutDataSaysSo();
    void columnsHoldEveryPointOfAHundredThousand();
    void barsCountEveryRetransmission();
    void tracesOfPathsAddUp();
    void aChosenPathShowsOnlyItsPoints();
    void chosenStreamsShowTheirRowsOfTheReport();
    void aChosenStreamIsShownAlone();
    void closedWindowsBeginWithSacksOfNothing();
    void aPauseHasItsSentence();
    void eventsHaveNamesThatDoNotOverlap();
    void limitsAreThoseOfTheCore();
    void limitsOutOfSightDoNotSetTheScale();
    void pathsHaveColoursOfTheirOwn();
    void redIsFastAndOrangeIsTheTimer();
    void looksDifferByShapeAndColour();
    void paintsInDarkColours();

  private:
    PlayedGraphs graphs_;
};

void TestUiGraphs::cleanup()
{
    graphs_.close();
}

void TestUiGraphs::pointsAreThoseOfTheReport_data()
{
    QTest::addColumn<QByteArray>("capture");
    QTest::addColumn<int>("number");
    QTest::newRow("fast retransmissions") << QByteArray("linux_bulk_loss1_A") << 0;
    QTest::newRow("failover") << QByteArray("usrsctp_mh_failover_A") << 0;
    QTest::newRow("closed window") << QByteArray("linux_zerowin_A") << 0;
    for (int number : { 0, 2, 3, 4, 5 })
        QTest::addRow("demo %d", number) << QByteArray("demo") << number;
}

// Each row once, in pieces of time short enough to be drawn point by point; packet, value and end of each. Findings are
// flags, no points.
void TestUiGraphs::pointsAreThoseOfTheReport()
{
    QFETCH(QByteArray, capture);
    QFETCH(int, number);
    constexpr int Pieces = 8;
    SctpaGraphsWindow *window = graphs_.open(capture.constData(), quint32(number));
    const QStringList rows =
        seriesRows(*graphs_.played, qPrintable(QStringLiteral("%1,%2").arg(number).arg(window->data().end())));
    QStringList expected, shown;
    for (const QString &row : rows) {
        const QStringList cells = row.split(QLatin1Char(','));
        if (cells.at(4) != QLatin1String("finding") && !cells.at(4).endsWith(QLatin1String("_bps")))
            expected.append(QStringList{ cells.at(1), cells.at(4), cells.at(5), cells.at(6) }.join(QLatin1Char(' ')));
    }
    const QCPRange whole = window->stack()->wholeTime();
    for (int piece = 0; piece < Pieces; piece++) {
        const double from = whole.lower + piece * whole.size() / Pieces;
        const qint64 fromNs = window->data().timeOf(from), toNs = window->data().timeOf(from + whole.size() / Pieces);
        window->stack()->showTime(QCPRange(from, from + whole.size() / Pieces));
        window->stack()->replot(QCustomPlot::rpImmediateRefresh);
        quint32 drawn = 0; // in plots before: a series may stand in several
        for (const auto &plot : window->stack()->plots()) {
            const quint32 drawnBefore = drawn;
            for (const SctpaTrace *trace : plot->traces()) {
                drawn |= 1u << trace->shown().kind;
                if (sctpaUnitOf(trace->shown().kind) == SctpaUnit::BitsPerSecond ||
                    (drawnBefore >> trace->shown().kind & 1))
                    continue;
                QVERIFY(trace->isExact());
                for (const sctpa_point_t &point : trace->points()) {
                    if (point.time_ns < fromNs || point.time_ns >= toNs)
                        continue;
                    const bool isTime = sctpaUnitOf(trace->shown().kind) == SctpaUnit::Seconds;
                    const QString value =
                        isTime ? QString::number(double(point.value) / 1e9, 'f', 9) : QString::number(point.value);
                    const QString end =
                        trace->shown().kind == SCTPA_SERIES_GAP ? QString::number(point.value + point.extent)
                        : 1u << trace->shown().kind & SCTPA_SERIES_OF_MESSAGES ? QString::number(point.stream)
                                                                               : QString();
                    shown.append(QStringLiteral("%1 %2 %3 %4")
                                     .arg(window->data().frameOf(point.packet))
                                     .arg(QString::fromUtf8(sctpa_series_word(trace->shown().kind)), value, end));
                }
            }
        }
    }
    expected.sort();
    shown.sort();
    QVERIFY(!expected.isEmpty());
    QCOMPARE(shown.size(), expected.size());
    QCOMPARE(shown, expected);
}

void TestUiGraphs::anAssociationWithoutDataSaysSo()
{
    SctpaGraphsWindow *window = graphs_.open("demo", 1);
    QVERIFY(seriesRows(*graphs_.played, "1").isEmpty());
    for (const auto &plot : window->stack()->plots()) {
        QVERIFY(plot->traces().isEmpty());
        QCOMPARE(plot->legend()->note(), QStringLiteral("the capture shows none"));
        // Their headings remain, and one plot for its events.
        QCOMPARE(plot->isShrunk(), plot != window->stack()->plots().front() || window->data().events().isEmpty());
    }
    const QList<QLabel *> labels = window->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->isVisible() && label->text() == QLatin1String("The capture shows no data of this association.");
    }));
}

void TestUiGraphs::columnsHoldEveryPointOfAHundredThousand()
{
    SctpaGraphsWindow *window = graphs_.open(nullptr);
    for (sctpa_series_kind_t kind : { SCTPA_SERIES_SENT, SCTPA_SERIES_CUM_ACK, SCTPA_SERIES_FLIGHT }) {
        const SctpaTrace *trace = traceOf(window, kind);
        QVERIFY(trace && !trace->isExact());
        quint32 n, held = 0;
        const sctpa_point_t *points = sctpa_series_points(trace->series().get(), &n);
        const auto order = [](const sctpa_point_t &a, const sctpa_point_t &b) { return a.value < b.value; };
        qint64 least = INT64_MAX, most = INT64_MIN;
        for (const sctpa_pixel_t &column : trace->columns()) {
            held += column.count;
            least = column.count ? qMin<qint64>(least, column.min) : least;
            most = column.count ? qMax<qint64>(most, column.max) : most;
        }
        QCOMPARE(held, n);
        QCOMPARE(least, qint64(std::min_element(points, points + n, order)->value));
        QCOMPARE(most, qint64(std::max_element(points, points + n, order)->value));
        QVERIFY(trace->columns().size() <= window->stack()->width() * window->stack()->bufferDevicePixelRatio());
    }
    QVERIFY(traceOf(window, SCTPA_SERIES_FAST));
}

void TestUiGraphs::barsCountEveryRetransmission()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    const SctpaBars *bars = window->stack()->plot(QStringLiteral("resent"))->bars();
    const QStringList rows = seriesRows(*graphs_.played, "0,0");
    QVERIFY(bars->parts().size() >= 2);
    for (const SctpaBars::Part &part : bars->parts()) {
        qint64 firstNs;
        const QVector<quint32> counts = bars->counts(part, window->stack()->wholeTime(), &firstNs);
        const QString cell = QStringLiteral(",%1,").arg(QString::fromUtf8(sctpa_series_word(part.kind)));
        QCOMPARE(std::accumulate(counts.cbegin(), counts.cend(), 0u), quint32(rows.filter(cell).size()));
    }
    QVERIFY(window->stack()->plot(QStringLiteral("resent"))->valueAxis()->range().upper >=
            bars->highest(window->stack()->wholeTime()));
}

void TestUiGraphs::tracesOfPathsAddUp()
{
    SctpaGraphsWindow *window = graphs_.open("usrsctp_mh_failover_A");
    QHash<quint16, double> sums;
    for (const SctpaTrace *trace : window->stack()->plot(QStringLiteral("rates"))->traces())
        for (const sctpa_point_t &point : trace->points())
            if (trace->shown().kind == SCTPA_SERIES_GOODPUT)
                sums[trace->shown().path] += double(point.value);
    const double all = sums.take(SCTPA_SERIES_ANY_PATH);
    QCOMPARE(sums.size(), 2);
    QVERIFY(sums.value(0) > 0 && sums.value(1) > 0);
    // Each value is rounded.
    QVERIFY(qAbs(sums.value(0) + sums.value(1) - all) < 1000);
}

void TestUiGraphs::aChosenPathShowsOnlyItsPoints()
{
    SctpaGraphsWindow *window = graphs_.open("usrsctp_mh_failover_A");
    const QStringList rows = seriesRows(*graphs_.played, qPrintable(QStringLiteral("0,%1").arg(window->data().end())));
    QTest::keyClick(window->stack(), Qt::Key_P);
    QTRY_VERIFY(!window->isLoading());
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
    QCOMPARE(window->bar()->path(), quint16(0));
    quint32 n;
    sctpa_series_points(traceOf(window, SCTPA_SERIES_SENT)->series().get(), &n);
    QCOMPARE(int(n), int(rows.filter(QStringLiteral(",0,sent,")).size()));
    QVERIFY(n > 0 && rows.filter(QStringLiteral(",1,sent,")).size() > 0);
}

// Points of the traces of streams, as "series,value,value2".
static QStringList rowsOfStreams(const SctpaGraphsWindow *window)
{
    QStringList rows;
    for (const auto &plot : window->stack()->plots())
        for (const SctpaTrace *trace : plot->traces()) {
            quint32 n;
            const sctpa_point_t *points = sctpa_series_points(trace->series().get(), &n);
            const bool isTime = sctpaUnitOf(trace->shown().kind) == SctpaUnit::Seconds;
            for (quint32 i = 0; trace->shown().stream != SctpaGraphData::AnyStream && i < n; i++)
                rows.append(QStringLiteral("%1,%2,%3")
                                .arg(QString::fromUtf8(sctpa_series_word(trace->shown().kind)),
                                     isTime ? QString::number(double(points[i].value) / 1e9, 'f', 9)
                                            : QString::number(points[i].value))
                                .arg(trace->shown().stream));
        }
    rows.sort();
    return rows;
}

static QStringList rowsOfStreams(const QStringList &rows)
{
    QStringList found;
    for (const QString &row :
         rows.filter(QRegularExpression(QStringLiteral(",(hol_delay|message_delay|goodput_bps),[^,]*,[0-9]+$"))))
        found.append(row.section(QLatin1Char(','), 4));
    found.sort();
    return found;
}

static void chooseStreams(SctpaGraphsWindow *window, int row)
{
    SctpaStreamsBox *box = window->bar()->streamsBox();
    box->setCurrentIndex(row);
    Q_EMIT box->activated(row);
    QTRY_VERIFY(!window->isLoading());
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
}

void TestUiGraphs::chosenStreamsShowTheirRowsOfTheReport()
{
    SctpaGraphsWindow *window = graphs_.open("linux_prsctp_A");
    QVERIFY(rowsOfStreams(window).isEmpty());
    chooseStreams(window, 1);
    QCOMPARE(window->bar()->streams(), (QVector<quint16>{ 1, 2, 0, 3 }));
    const QStringList expected = rowsOfStreams(seriesRows(*graphs_.played, "0,0,stream=busiest"));
    QVERIFY(expected.size() > 100);
    QCOMPARE(rowsOfStreams(window), expected);
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a.csv")));
    QCOMPARE(window->save(file.fileName()), QString());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(rowsOfStreams(QString::fromUtf8(file.readAll()).trimmed().split(QLatin1Char('\n'))), expected);
}

void TestUiGraphs::aChosenStreamIsShownAlone()
{
    SctpaGraphsWindow *window = graphs_.open("linux_prsctp_A");
    chooseStreams(window, 5);
    QCOMPARE(window->bar()->streamsBox()->currentText(), QStringLiteral("stream 3 · 18,200 bytes"));
    QCOMPARE(rowsOfStreams(window), rowsOfStreams(seriesRows(*graphs_.played, "0,0,stream=3")));
    // The choice stays when the window looks again.
    graphs_.windows->capture()->refresh();
    QTRY_VERIFY(!window->isLoading());
    QCOMPARE(window->bar()->streams(), QVector<quint16>{ 3 });
}

void TestUiGraphs::closedWindowsBeginWithSacksOfNothing()
{
    SctpaGraphsWindow *window = graphs_.open("linux_zerowin_A");
    const QStringList rows = seriesRows(*graphs_.played, "0,0");
    QVERIFY(window->data().closedWindows().size() >= 2);
    for (const SctpaGraphData::Band &band : window->data().closedWindows()) {
        const QString frame = QString::number(window->data().frameOf(band.packet));
        QVERIFY(!rows.filter(QRegularExpression(QStringLiteral("^[^,]*,%1,0,[0-9]*,a_rwnd,0,$").arg(frame))).isEmpty());
        QVERIFY(band.toNs > band.fromNs);
    }
    const QVector<SctpaLegend::Entry> entries = window->stack()->plot(QStringLiteral("bytes"))->legend()->entries();
    QVERIFY(std::any_of(entries.cbegin(), entries.cend(),
                        [](const SctpaLegend::Entry &entry) { return entry.name == QLatin1String("closed"); }));
}

// The shading says why; what lies under it can be gone to.
void TestUiGraphs::aPauseHasItsSentence()
{
    SctpaGraphsWindow *window = graphs_.open("usrsctp_mh_failover_A");
    QTRY_VERIFY(!window->data().pauses().isEmpty());
    const SctpaGraphData::Band pause = window->data().pauses().last();
    const double from = window->data().secondsOf(pause.fromNs), to = window->data().secondsOf(pause.toNs);
    window->stack()->showTime(QCPRange(from, to));
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
    const SctpaPlot *plot = window->stack()->plot(QStringLiteral("bytes"));
    const QPointF middle(plot->timeAxis()->coordToPixel((from + to) / 2), plot->rect()->center().y());
    const SctpaFound found = window->stack()->find(middle);
    QVERIFY(found.isAround);
    QCOMPARE(found.frame, 416u);
    QVERIFY2(found.text.startsWith(QLatin1String(
                 "510.6 ms without ack progress: path without answer\npath to 10.1.1.1 without answer: ")),
             qPrintable(found.text));
}

void TestUiGraphs::eventsHaveNamesThatDoNotOverlap()
{
    SctpaGraphsWindow *window = graphs_.open("usrsctp_mh_failover_A");
    const QStringList names = window->stack()->plots().front()->events()->namesShown();
    QVERIFY2(names.contains(QStringLiteral("path failed 10.1.1.1")), qPrintable(names.join(QLatin1Char('|'))));
    QVERIFY(names.contains(QStringLiteral("path recovered 10.1.1.1")));
    QVERIFY(window->stack()->plots().back()->events()->namesShown().isEmpty());
    // So narrow that two names do not fit beside each other.
    window->stack()->showTime(QCPRange(-2000, 2000));
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
    QCOMPARE(window->stack()->plots().front()->events()->namesShown().size(), 1);
}

void TestUiGraphs::limitsAreThoseOfTheCore()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    const sctpa_view_t view = graphs_.played->view();
    sctpa_measure_t *measure = sctpa_measure(view.sctpa, 0, 0, nullptr);
    const QVector<SctpaLimit> limits = window->stack()->plot(QStringLiteral("rates"))->marks()->limits;
    QCOMPARE(limits.size(), 2);
    QCOMPARE(limits.at(0).value, measure->theory.window_bps);
    QCOMPARE(limits.at(1).value, measure->theory.lossy_headers_bps);
    sctpa_measure_free(measure);
}

void TestUiGraphs::limitsOutOfSightDoNotSetTheScale()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    const SctpaPlot *rates = window->stack()->plot(QStringLiteral("rates"));
    double most = 0;
    for (const SctpaTrace *trace : rates->traces())
        for (const sctpa_point_t &point : trace->points())
            most = qMax(most, double(point.value));
    QVERIFY(most > 0);
    QVERIFY(rates->valueAxis()->range().upper < most * 1.25 * 1.5);
}

void TestUiGraphs::pathsHaveColoursOfTheirOwn()
{
    SctpaGraphsWindow *window = graphs_.open("usrsctp_mh_failover_A");
    QSet<QString> colors;
    for (const SctpaTrace *trace : window->stack()->plot(QStringLiteral("tsn"))->traces())
        if (trace->shown().kind == SCTPA_SERIES_SENT)
            colors.insert(trace->shown().look.color.name());
    QCOMPARE(colors.size(), 2);
}

void TestUiGraphs::redIsFastAndOrangeIsTheTimer()
{
    const QPalette palette(Qt::white);
    const QString red = sctpaLook(palette, SCTPA_SERIES_FAST).color.name(),
                  orange = sctpaLook(palette, SCTPA_SERIES_TIMEOUT).color.name();
    for (int kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
        const QString color = sctpaLook(palette, sctpa_series_kind_t(kind)).color.name();
        const bool isTimer = kind == SCTPA_SERIES_TIMEOUT || kind == SCTPA_SERIES_RTO ||
                             kind == SCTPA_SERIES_RTO_LEAST || kind == SCTPA_SERIES_RTO_MOST;
        QCOMPARE(color == red, kind == SCTPA_SERIES_FAST);
        QCOMPARE(color == orange, isTimer);
    }
    for (int level = 0; level < SCTPA_LEVELS; level++)
        QVERIFY(sctpaFindingLook(palette, sctpa_level_t(level)).color.name() != red);
}

// No two series of a plot have the same shape and line, whatever their colours.
void TestUiGraphs::looksDifferByShapeAndColour()
{
    for (const QPalette &palette : { QPalette(Qt::white), darkPalette() })
        for (const SctpaPlotRow &row : sctpaPlotRows()) {
            QSet<QString> shapes, colors;
            int n = 0;
            for (int kind = 0; kind < SCTPA_SERIES_KINDS; kind++) {
                // The bounds of cwnd and RTO are the edges of a band in their colour.
                const quint32 edges = 1u << SCTPA_SERIES_CWND_MIN | 1u << SCTPA_SERIES_CWND_MAX |
                                      1u << SCTPA_SERIES_RTO_LEAST | 1u << SCTPA_SERIES_RTO_MOST;
                if (!((row.kinds & ~edges) >> kind & 1))
                    continue;
                const SctpaStyle look = sctpaLook(palette, sctpa_series_kind_t(kind));
                shapes.insert(QStringLiteral("%1 %2").arg(int(look.shape)).arg(look.line));
                colors.insert(look.color.name());
                n++;
                const double contrast = qAbs(qGray(look.color.rgb()) - qGray(palette.color(QPalette::Base).rgb()));
                QVERIFY2(contrast > 60, sctpa_series_word(sctpa_series_kind_t(kind)));
            }
            QCOMPARE(colors.size(), n);
            if (row.unit != SctpaUnit::Bytes)
                QCOMPARE(shapes.size(), n);
        }
}

void TestUiGraphs::paintsInDarkColours()
{
    const QPalette light = QApplication::palette();
    SctpaGraphsWindow *window = graphs_.open("linux_zerowin_A");
    const QColor before = traceOf(window, SCTPA_SERIES_SENT)->shown().look.color;
    QApplication::setPalette(darkPalette());
    QCoreApplication::processEvents();
    const QImage image = window->grab().toImage();
    const QColor after = traceOf(window, SCTPA_SERIES_SENT)->shown().look.color;
    QApplication::setPalette(light);
    int bright = 0, looked = 0;
    for (int y = 0; y < image.height(); y += 7)
        for (int x = 0; x < image.width(); x += 7, looked++)
            bright += qGray(image.pixel(x, y)) > 128;
    QVERIFY2(bright * 8 < looked, qPrintable(QStringLiteral("%1 of %2").arg(bright).arg(looked)));
    QVERIFY(qGray(after.rgb()) > qGray(before.rgb()));
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphs>(argc, argv);
}

#include "test_ui_graphs.moc"
