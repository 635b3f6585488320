/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects how the graphs are moved and zoomed, by wheel, mouse and keys, and the history of that.
#include <QLabel>

#include "graphs_reading.h"
#include "offscreen_main.h"
#include "window_reading.h"

class TestUiGraphsZoom : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void wheelZoomsAroundTheMouse();
    void valuesFitTheTimeShownUntilTheyAreChosen();
    void historyGoesBackAndForward();
    void wheelStepsAreOneEntryOfTheHistory();
    void draggingMovesOrZooms();
    void keysMoveAndZoom();

  private:
    QPoint middle() const { return stack_->plots().front()->rect()->rect().center(); }
    void drag(const QPoint &from, const QPoint &to, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void paint() { stack_->replot(QCustomPlot::rpImmediateRefresh); }

    PlayedGraphs graphs_;
    SctpaGraphsWindow *window_ = nullptr;
    SctpaPlotStack *stack_ = nullptr;
};

void TestUiGraphsZoom::init()
{
    window_ = graphs_.open("linux_bulk_loss1_A");
    stack_ = window_->stack();
}

void TestUiGraphsZoom::cleanup()
{
    graphs_.close();
}

void TestUiGraphsZoom::drag(const QPoint &from, const QPoint &to, Qt::KeyboardModifiers modifiers)
{
    const auto send = [this, modifiers](QEvent::Type type, const QPoint &at, Qt::MouseButton button) {
        QMouseEvent event(type, at, stack_->mapToGlobal(at), button,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(stack_, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton);
    send(QEvent::MouseMove, to, Qt::NoButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton);
}

void TestUiGraphsZoom::wheelZoomsAroundTheMouse()
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

void TestUiGraphsZoom::valuesFitTheTimeShownUntilTheyAreChosen()
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

void TestUiGraphsZoom::historyGoesBackAndForward()
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

void TestUiGraphsZoom::wheelStepsAreOneEntryOfTheHistory()
{
    const QCPRange whole = stack_->timeRange();
    for (int i = 0; i < 10; i++)
        turnWheel(stack_, middle(), 1);
    QVERIFY(stack_->timeRange().size() < whole.size() / 5);
    stack_->goBack();
    QCOMPARE(stack_->timeRange(), whole);
    QVERIFY(!stack_->history().canGoBack());
}

void TestUiGraphsZoom::draggingMovesOrZooms()
{
    const QCPRange whole = stack_->timeRange();
    const QPoint from = middle(), to = middle() + QPoint(200, 0);
    drag(from, to);
    QVERIFY(qAbs(stack_->timeRange().size() - whole.size()) < 1e-9);
    QVERIFY(stack_->timeRange().lower < whole.lower);
    QVERIFY(graphs_.played->frames.isEmpty());
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

void TestUiGraphsZoom::keysMoveAndZoom()
{
    const QCPRange whole = stack_->timeRange();
    QTest::keyClick(stack_, Qt::Key_Plus);
    QVERIFY(stack_->timeRange().size() < whole.size());
    QTest::keyClick(stack_, Qt::Key_Minus);
    QVERIFY(qAbs(stack_->timeRange().size() - whole.size()) < 1e-6);
    const double pixel =
        stack_->plots().front()->timeAxis()->pixelToCoord(1) - stack_->plots().front()->timeAxis()->pixelToCoord(0);
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
    QVERIFY(window_->findChild<QLabel *>(QStringLiteral("help"))->text().contains(QStringLiteral("right-click")));
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsZoom>(argc, argv);
}

#include "test_ui_graphs_zoom.moc"
