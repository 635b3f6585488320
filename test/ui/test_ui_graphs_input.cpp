/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects how the graphs are used: the crosshair, clicks that go to packets, keys, the legend, what is remembered;
// leaves zoom to test_ui_graphs_zoom.cpp.
#include <QScrollArea>

#include "graphs_reading.h"
#include "offscreen_main.h"
#include "window_reading.h"

class TestUiGraphsInput : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void opensFromTheOtherWindows();
    void aClickGoesToThePacket();
    void saysWhenTheDisplayFilterHidesThePacket();
    void crosshairNamesTheNearestPacket();
    void eventsCanBeClicked();
    void legendSwitchesSeriesOffAndRemembers();
    void keysSwitchEndTimeTsnAndPlots();
    void timesFollowTheFormatOfWireshark();
    void aSmallWindowScrollsItsPlots();
    void remembersPlotsAndSize();
    void filtersTheTimeShown();
    void escapeCostsNoZoom();

  private:
    void paint() { stack_->replot(QCustomPlot::rpImmediateRefresh); }

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    SctpaGraphsWindow *window_ = nullptr;
    SctpaPlotStack *stack_ = nullptr;
};

void TestUiGraphsInput::init()
{
    played_.reset(new PlayedCapture(packetsOf("linux_bulk_loss1_A")));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    stack_ = window_->stack();
    QTRY_VERIFY(!window_->isLoading());
    makeRoom(window_);
    paint();
}

void TestUiGraphsInput::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiGraphsInput::opensFromTheOtherWindows()
{
    // One window each.
    SctpaAssocWindow *association = windows_->showAssociation(0);
    QTest::mouseClick(button(association, "Graphs"), Qt::LeftButton);
    QCOMPARE(windows_->showGraphs(0), window_);
    window_->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    SctpaAssocsWindow *list = windows_->showAssociations();
    QVERIFY(action(list, "Graphs")->isEnabled());
    list->findChild<QTableView *>()->selectRow(0);
    action(list, "Graphs")->trigger();
    int windows = 0;
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *graphs = qobject_cast<SctpaGraphsWindow *>(widget)) {
            QVERIFY(graphs->isVisible() && graphs->windowTitle().contains(QStringLiteral("10.1.0.1:35751")));
            windows++;
        }
    QCOMPARE(windows, 1);
}

void TestUiGraphsInput::aClickGoesToThePacket()
{
    for (sctpa_series_kind_t kind : { SCTPA_SERIES_FAST, SCTPA_SERIES_TIMEOUT }) {
        const SctpaTrace *trace = traceOf(window_, kind);
        const sctpa_point_t point = *sctpa_series_point(trace->series().get(), 0);
        const double seconds = window_->data().secondsOf(point.time_ns);
        stack_->showTime(QCPRange(seconds - 0.05, seconds + 0.05));
        paint();
        QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier, placeOf(window_, trace, point));
        QCOMPARE(played_->frames.last(), window_->data().frameOf(point.packet));
    }
    // A SACK, zoomed in so that it is the nearest.
    stack_->showTime(QCPRange(2, 2.2));
    paint();
    const SctpaTrace *acks = traceOf(window_, SCTPA_SERIES_CUM_ACK);
    const sctpa_point_t point = acks->points().at(acks->points().size() / 2);
    QTest::mouseMove(stack_, placeOf(window_, acks, point));
    stack_->point(placeOf(window_, acks, point));
    QTest::keyClick(stack_, Qt::Key_G);
    QCOMPARE(played_->frames.last(), window_->data().frameOf(point.packet));
    const int clicks = played_->frames.size();
    // Where nothing is.
    QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier,
                      stack_->plots().front()->rect()->rect().bottomRight() - QPoint(60, 20));
    QCOMPARE(played_->frames.size(), clicks);
}

void TestUiGraphsInput::saysWhenTheDisplayFilterHidesThePacket()
{
    const SctpaTrace *trace = traceOf(window_, SCTPA_SERIES_TIMEOUT);
    const sctpa_point_t point = trace->points().first();
    const quint32 frame = window_->data().frameOf(point.packet);
    played_->hidden.insert(frame);
    QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier, placeOf(window_, trace, point));
    QVERIFY(played_->frames.isEmpty());
    QCOMPARE(window_->message(), QStringLiteral("Packet %1 is hidden by the display filter.").arg(frame));
}

void TestUiGraphsInput::crosshairNamesTheNearestPacket()
{
    const SctpaTrace *trace = traceOf(window_, SCTPA_SERIES_TIMEOUT);
    const sctpa_point_t point = trace->points().first();
    stack_->point(placeOf(window_, trace, point) + QPoint(3, -4));
    QVERIFY(stack_->crosshair()->isShown());
    const double seconds = window_->data().secondsOf(point.time_ns);
    const quint32 raw = quint32(point.value) + window_->data().initialTsn();
    const QStringList lines = stack_->crosshair()->lines();
    QCOMPARE(lines.first(),
             QStringLiteral("Packet %1 · %2 s").arg(window_->data().frameOf(point.packet)).arg(seconds, 0, 'f', 6));
    QVERIFY(lines.contains(QStringLiteral("TSN: %1 (raw %2)").arg(point.value).arg(raw)));
    QTest::keyClick(stack_, Qt::Key_Space);
    QVERIFY(!stack_->crosshair()->isShown());
}

void TestUiGraphsInput::eventsCanBeClicked()
{
    const SctpaGraphData::Event event = window_->data().events().last();
    const SctpaPlot *plot = stack_->plots().front().get();
    const int x = qRound(plot->timeAxis()->coordToPixel(window_->data().secondsOf(event.timeNs)));
    QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier, QPoint(x, plot->rect()->bottom() - 8));
    QCOMPARE(played_->frames, QVector<quint32>{ event.frame });
}

void TestUiGraphsInput::legendSwitchesSeriesOffAndRemembers()
{
    const SctpaPlot *plot = stack_->plots().front().get();
    int at = -1;
    for (int i = 0; i < plot->legend()->entries().size(); i++)
        at = plot->legend()->entries().at(i).label == QLatin1String("fast") ? i : at;
    QVERIFY(at >= 0 && traceOf(window_, SCTPA_SERIES_FAST)->visible());
    const QPoint place = (plot->legend()->rectOf(at).center() + plot->legend()->outerRect().topLeft()).toPoint();
    QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier, place);
    QVERIFY(!traceOf(window_, SCTPA_SERIES_FAST)->visible());
    QVERIFY(!(stack_->kindsShown() & 1u << SCTPA_SERIES_FAST));
    windows_.reset();
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    stack_ = window_->stack();
    QTRY_VERIFY(!window_->isLoading());
    QVERIFY(!traceOf(window_, SCTPA_SERIES_FAST)->visible());
    QTest::qWait(20);
    QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier, place);
    QVERIFY(traceOf(window_, SCTPA_SERIES_FAST)->visible());
}

void TestUiGraphsInput::timesFollowTheFormatOfWireshark()
{
    played_->formatsMoments = true;
    windows_->capture()->refresh();
    QTRY_VERIFY(window_->data().moments().areOfWireshark() && !window_->isLoading());
    QTest::keyClick(stack_, Qt::Key_T);
    paint();
    const QCPAxis *axis = stack_->plots().back()->timeAxis();
    const QVector<QString> labels = axis->tickVectorLabels();
    const auto utc = [this](double seconds) {
        return QDateTime::fromMSecsSinceEpoch(window_->data().timeOf(seconds) / 1000000).toUTC();
    };
    QVERIFY(labels.size() > 1);
    for (int i = 0; i < labels.size(); i++) {
        const QStringList lines = labels.at(i).split(QLatin1Char('\n'));
        QCOMPARE(lines.first().section(QLatin1Char('.'), 0, 0),
                 utc(axis->tickVector().at(i)).toString(QStringLiteral("HH:mm:ss")));
        // The date stands once.
        QCOMPARE(lines.mid(1),
                 i > 0 ? QStringList()
                       : QStringList{ utc(axis->tickVector().at(i)).toString(QStringLiteral("yyyy-MM-dd")) });
    }
    QCOMPARE(axis->label(), QStringLiteral("Time of the packets, as Wireshark displays it"));
    played_->formatsMoments = false;
    windows_->capture()->refresh();
    QTRY_VERIFY(!window_->data().moments().areOfWireshark() && !window_->isLoading());
    paint();
    QVERIFY(!stack_->plots().back()->timeAxis()->tickVectorLabels().first().contains(QLatin1Char('\n')));
}

void TestUiGraphsInput::aSmallWindowScrollsItsPlots()
{
    showAllPlots(window_);
    window_->resize(700, 420);
    QCoreApplication::processEvents();
    paint();
    const auto *scroll = window_->findChild<QScrollArea *>();
    QVERIFY(window_->height() <= 500 && scroll->viewport()->height() < stack_->height());
    for (const auto &plot : stack_->plots()) {
        QVERIFY2(plot->rect()->height() >= 40, plot->what()->name);
        QVERIFY(plot->timeAxis()->tickLabels());
    }
    // Beside the plots the wheel is left to the scroll area, on them it zooms.
    const QCPRange time = stack_->timeRange();
    const QPoint beside(3, stack_->plots().front()->rect()->top() + 5);
    QWheelEvent wheel(beside, stack_->mapToGlobal(beside), QPoint(), QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    static_cast<QObject *>(stack_)->event(&wheel);
    QVERIFY(!wheel.isAccepted());
    QCOMPARE(stack_->timeRange(), time);
    turnWheel(stack_, stack_->plots().front()->rect()->center(), 1);
    QVERIFY(stack_->timeRange() != time);
    window_->resize(1180, 1400);
    QCoreApplication::processEvents();
    QCOMPARE(stack_->height(), scroll->viewport()->height());
    QVERIFY(!stack_->plots().front()->timeAxis()->tickLabels());
}

void TestUiGraphsInput::keysSwitchEndTimeTsnAndPlots()
{
    const int end = window_->data().end();
    QTest::keyClick(stack_, Qt::Key_D);
    QTRY_VERIFY(!window_->isLoading());
    QCOMPARE(int(window_->data().end()), 1 - end);
    QCOMPARE(window_->bar()->ends()->currentIndex(), 1 - end);
    QTest::keyClick(stack_, Qt::Key_D);
    QTRY_VERIFY(!window_->isLoading());
    QVERIFY(!stack_->isTimeAbsolute());
    QTest::keyClick(stack_, Qt::Key_T);
    QVERIFY(stack_->isTimeAbsolute());
    paint();
    const QVector<QString> labels = stack_->plots().back()->timeAxis()->tickVectorLabels();
    QVERIFY(!labels.isEmpty() &&
            QRegularExpression(QStringLiteral("^\\d\\d:\\d\\d:\\d\\d")).match(labels.first()).hasMatch());
    QTest::keyClick(stack_, Qt::Key_S);
    paint();
    QCOMPARE(stack_->plots().front()->firstTsn(), window_->data().initialTsn());
    const QVector<QString> tsns = stack_->plots().front()->valueAxis()->tickVectorLabels();
    QVERIFY(tsns.first().toULongLong() > 100000);
    const QStringList before = stack_->plotNames();
    QTest::keyClick(stack_, Qt::Key_4);
    QTRY_VERIFY(!window_->isLoading());
    QVERIFY(!before.contains(QStringLiteral("times")) && stack_->plotNames().contains(QStringLiteral("times")));
    QVERIFY(traceOf(window_, SCTPA_SERIES_RTT));
}

void TestUiGraphsInput::remembersPlotsAndSize()
{
    QTest::keyClick(stack_, Qt::Key_2);
    QTest::keyClick(stack_, Qt::Key_5);
    // Of a window larger than the screen Qt 6 remembers less.
    window_->resize(765, 563);
    QCoreApplication::processEvents();
    const QStringList names = stack_->plotNames();
    windows_.reset();
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    QCOMPARE(window_->stack()->plotNames(), names);
    QCOMPARE(names, (QStringList{ QStringLiteral("tsn"), QStringLiteral("rates"), QStringLiteral("resent") }));
    QCOMPARE(window_->size(), QSize(765, 563));
}

void TestUiGraphsInput::filtersTheTimeShown()
{
    stack_->showTime(QCPRange(1.5, 2.25));
    QTest::mouseClick(button(window_, "Filter Visible Range"), Qt::LeftButton);
    // No time reference of Wireshark moves what is filtered.
    const qint64 startNs = sctpa_summary(played_->view().sctpa)->first_ns;
    const auto epoch = [startNs](qint64 ms) {
        const QString digits = QString::number(startNs + ms * 1000000);
        return digits.chopped(9) + QLatin1Char('.') + digits.right(9);
    };
    QCOMPARE(played_->filter,
             QStringLiteral("sctp.analysis.assoc == 0 && frame.time_epoch >= %1 && frame.time_epoch <= %2")
                 .arg(epoch(1500), epoch(2250)));
}

void TestUiGraphsInput::escapeCostsNoZoom()
{
    stack_->showTime(QCPRange(1.5, 2.25));
    QTest::keyClick(stack_, Qt::Key_Escape);
    QVERIFY(window_->isVisible());
    QCOMPARE(stack_->timeRange(), QCPRange(1.5, 2.25));
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsInput>(argc, argv);
}

#include "test_ui_graphs_input.moc"
