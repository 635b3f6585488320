// Protects how the graphs are used: zoom and its history, the crosshair, clicks that go to packets, keys, the legend, what is remembered.
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>

#include "graphs_reading.h"
#include "offscreen_main.h"
#include "window_reading.h"

class TestUiGraphsInput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void opensFromTheOtherWindows();
    void wheelZoomsAroundTheMouse();
    void valuesFitTheTimeShownUntilTheyAreChosen();
    void historyGoesBackAndForward();
    void wheelStepsAreOneEntryOfTheHistory();
    void draggingMovesOrZooms();
    void keysMoveAndZoom();
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

private:
    QPoint middle() const { return stack_->plots().front()->rect()->rect().center(); }
    void drag(const QPoint &from, const QPoint &to, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
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

void TestUiGraphsInput::drag(const QPoint &from, const QPoint &to, Qt::KeyboardModifiers modifiers)
{
    const auto send = [this, modifiers](QEvent::Type type, const QPoint &at, Qt::MouseButton button) {
        QMouseEvent event(type, at, stack_->mapToGlobal(at), button, type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(stack_, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton);
    send(QEvent::MouseMove, to, Qt::NoButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton);
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
    QVERIFY(!action(list, "Graphs")->isEnabled());
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

void TestUiGraphsInput::wheelZoomsAroundTheMouse()
{
    const QPoint at = middle() + QPoint(100, 0);
    QCPAxis *time = stack_->plots().front()->timeAxis();
    const double seconds = time->pixelToCoord(at.x());
    const QCPRange before = stack_->timeRange();
    turnWheel(stack_, at, 3);
    QVERIFY(stack_->timeRange().size() < before.size() * 0.6);
    QVERIFY(qAbs(time->pixelToCoord(at.x()) - seconds) < 1e-9);
    // All plots show the same time.
    for (const auto &plot : stack_->plots())
        QCOMPARE(plot->timeAxis()->range(), stack_->timeRange());

    const QCPRange zoomed = stack_->timeRange();
    SctpaPlot *first = stack_->plots().front().get();
    const QCPRange values = first->valueAxis()->range();
    turnWheel(stack_, at, 1, Qt::ControlModifier);
    QCOMPARE(stack_->timeRange(), zoomed);
    QVERIFY(first->valueAxis()->range().size() < values.size());
    turnWheel(stack_, at, 1, Qt::ShiftModifier);
    QVERIFY(stack_->timeRange().size() < zoomed.size());
    QVERIFY(!first->isFitted());
}

void TestUiGraphsInput::valuesFitTheTimeShownUntilTheyAreChosen()
{
    SctpaPlot *first = stack_->plots().front().get();
    stack_->showTime(QCPRange(1, 2));
    paint();
    QCPRange values;
    QVERIFY(traceOf(window_, SCTPA_SERIES_SENT)->extremes(QCPRange(1, 2), &values));
    QVERIFY(first->valueAxis()->range().contains(values.lower) && first->valueAxis()->range().contains(values.upper));
    QVERIFY(first->valueAxis()->range().size() < 3 * values.size());
    stack_->showValues(first, QCPRange(100, 200));
    stack_->showTime(QCPRange(2, 3));
    paint();
    QCOMPARE(first->valueAxis()->range(), QCPRange(100, 200));
    stack_->reset();
    paint();
    QVERIFY(first->isFitted() && first->valueAxis()->range().upper > 2000);
}

void TestUiGraphsInput::historyGoesBackAndForward()
{
    const QCPRange whole = stack_->timeRange();
    QVERIFY(!stack_->history().canGoBack() && !action(window_, "←")->isEnabled());
    stack_->showTime(QCPRange(1, 4));
    stack_->showTime(QCPRange(2, 3));
    stack_->showValues(stack_->plots().front().get(), QCPRange(500, 600));
    QTest::keyClick(stack_, Qt::Key_Backspace);
    QVERIFY(stack_->plots().front()->isFitted());
    QCOMPARE(stack_->timeRange(), QCPRange(2, 3));
    action(window_, "←")->trigger();
    QCOMPARE(stack_->timeRange(), QCPRange(1, 4));
    QTest::keyClick(stack_, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(stack_->timeRange(), whole);
    QVERIFY(!stack_->history().canGoBack());
    action(window_, "→")->trigger();
    QTest::keyClick(stack_, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(stack_->timeRange(), QCPRange(2, 3));
    // Elsewhere: what was ahead is gone.
    stack_->showTime(QCPRange(5, 6));
    QVERIFY(!stack_->history().canGoForward());
    stack_->goBack();
    QCOMPARE(stack_->timeRange(), QCPRange(2, 3));
}

void TestUiGraphsInput::wheelStepsAreOneEntryOfTheHistory()
{
    const QCPRange whole = stack_->timeRange();
    for (int i = 0; i < 10; i++)
        turnWheel(stack_, middle(), 1);
    QVERIFY(stack_->timeRange().size() < whole.size() / 5);
    stack_->goBack();
    QCOMPARE(stack_->timeRange(), whole);
    QVERIFY(!stack_->history().canGoBack());
}

void TestUiGraphsInput::draggingMovesOrZooms()
{
    const QCPRange whole = stack_->timeRange();
    const QPoint from = middle(), to = middle() + QPoint(200, 0);
    drag(from, to);
    QVERIFY(qAbs(stack_->timeRange().size() - whole.size()) < 1e-9);
    QVERIFY(stack_->timeRange().lower < whole.lower);
    QVERIFY(played_->frames.isEmpty());
    stack_->reset();
    // With Shift, or after Z, it zooms: a flat band time only, a high one values too.
    QCPAxis *time = stack_->plots().front()->timeAxis();
    const QCPRange band(time->pixelToCoord(from.x()), time->pixelToCoord(to.x()));
    drag(from, to, Qt::ShiftModifier);
    QVERIFY(qAbs(stack_->timeRange().lower - band.lower) < 1e-9 && qAbs(stack_->timeRange().upper - band.upper) < 1e-9);
    QVERIFY(stack_->plots().front()->isFitted());
    stack_->reset();
    QTest::keyClick(stack_, Qt::Key_Z);
    QCOMPARE(stack_->mouse(), SctpaPlotStack::Zooms);
    drag(from, to + QPoint(0, 30));
    QVERIFY(!stack_->plots().front()->isFitted());
    stack_->goBack();
    QVERIFY(stack_->plots().front()->isFitted());
    QCOMPARE(stack_->timeRange(), whole);
}

void TestUiGraphsInput::keysMoveAndZoom()
{
    const QCPRange whole = stack_->timeRange();
    QTest::keyClick(stack_, Qt::Key_Plus);
    QVERIFY(stack_->timeRange().size() < whole.size());
    QTest::keyClick(stack_, Qt::Key_Minus);
    QVERIFY(qAbs(stack_->timeRange().size() - whole.size()) < 1e-6);
    const double pixel = stack_->plots().front()->timeAxis()->pixelToCoord(1) - stack_->plots().front()->timeAxis()->pixelToCoord(0);
    const double lower = stack_->timeRange().lower;
    QTest::keyClick(stack_, Qt::Key_Right);
    QVERIFY(qAbs(stack_->timeRange().lower - lower - 10 * pixel) < pixel / 100);
    QTest::keyClick(stack_, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(qAbs(stack_->timeRange().lower - lower - 9 * pixel) < pixel / 100);
    QTest::keyClick(stack_, Qt::Key_Up);
    QVERIFY(!stack_->plots().front()->isFitted());
    QTest::keyClick(stack_, Qt::Key_Home);
    QCOMPARE(stack_->timeRange(), whole);
    QVERIFY(stack_->plots().front()->isFitted());
    QTest::keyClick(stack_, Qt::Key_Y);
    QVERIFY(!stack_->plots().front()->isFitted());
    QTest::keyClick(stack_, Qt::Key_0);
    QVERIFY(stack_->plots().front()->isFitted());
    QVERIFY(window_->findChild<QLabel *>(QStringLiteral("help"))->text().contains(QStringLiteral("G packet")));
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
    QTest::mouseClick(stack_, Qt::LeftButton, Qt::NoModifier, stack_->plots().front()->rect()->rect().bottomRight() - QPoint(60, 20));
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
    QCOMPARE(stack_->crosshair()->lines(), (QStringList{ QStringLiteral("Packet %1 · %2 s").arg(window_->data().frameOf(point.packet))
                                                             .arg(seconds, 0, 'f', 6),
                                                         QStringLiteral("timeout: TSN %1").arg(point.value) }));
    QTest::keyClick(stack_, Qt::Key_S);
    stack_->point(placeOf(window_, trace, point));
    const quint32 raw = quint32(point.value) + window_->data().initialTsn();
    QCOMPARE(stack_->crosshair()->lines().last(), QStringLiteral("timeout: TSN %1").arg(raw));
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
    QTRY_VERIFY(!window_->isLoading());
    QTest::keyClick(stack_, Qt::Key_T);
    paint();
    const QCPAxis *axis = stack_->plots().back()->timeAxis();
    const QVector<QString> labels = axis->tickVectorLabels();
    const auto utc = [this](double seconds) { return QDateTime::fromMSecsSinceEpoch(window_->data().timeOf(seconds) / 1000000).toUTC(); };
    QVERIFY(labels.size() > 1);
    for (int i = 0; i < labels.size(); i++) {
        const QStringList lines = labels.at(i).split(QLatin1Char('\n'));
        QCOMPARE(lines.first().section(QLatin1Char('.'), 0, 0), utc(axis->tickVector().at(i)).toString(QStringLiteral("HH:mm:ss")));
        // The date stands once.
        QCOMPARE(lines.mid(1), i > 0 ? QStringList() : QStringList{ utc(axis->tickVector().at(i)).toString(QStringLiteral("yyyy-MM-dd")) });
    }
    QCOMPARE(axis->label(), QStringLiteral("Time of the packets, as Wireshark displays it"));
    played_->formatsMoments = false;
    windows_->capture()->refresh();
    QTRY_VERIFY(!window_->isLoading());
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
    QWheelEvent wheel(beside, stack_->mapToGlobal(beside), QPoint(), QPoint(0, -120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
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
    QVERIFY(!labels.isEmpty() && QRegularExpression(QStringLiteral("^\\d\\d:\\d\\d:\\d\\d")).match(labels.first()).hasMatch());
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
    window_->resize(999, 666);
    QCoreApplication::processEvents();
    const QStringList names = stack_->plotNames();
    windows_.reset();
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    QCOMPARE(window_->stack()->plotNames(), names);
    QCOMPARE(names, (QStringList{ QStringLiteral("tsn"), QStringLiteral("rates"), QStringLiteral("resent") }));
    QCOMPARE(window_->size(), QSize(999, 666));
}

void TestUiGraphsInput::filtersTheTimeShown()
{
    stack_->showTime(QCPRange(1.5, 2.25));
    QTest::mouseClick(button(window_, "Filter This Time"), Qt::LeftButton);
    QCOMPARE(played_->filter, QStringLiteral("sctp.analysis.assoc == 0 && frame.time_relative >= 1.500000000 && "
                                             "frame.time_relative <= 2.250000000"));
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsInput>(argc, argv);
}

#include "test_ui_graphs_input.moc"
