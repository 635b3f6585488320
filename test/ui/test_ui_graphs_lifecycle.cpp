/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the graphs while the capture grows, is reloaded, closed and replaced, and with very many TSNs.
#include <QLabel>

#include "graphs_reading.h"
#include "memory_reading.h"
#include "offscreen_main.h"

class TestUiGraphsLifecycle : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void growsWithTheCapture();
    void zoomIsKeptWhileTheCaptureGrows();
    void updatesAtMostTwiceASecond();
    void whatTookLongIsReadOnce();
    void nothingIsShownOfAClosedCapture();
    void anotherFileDoesNotHaveTheAssociation();
    void closingWhileMuchIsReadIsSafe();
    void growingWhileMuchIsReadWaitsForIt();
    void theWindowAnswersWhileMuchIsRead();
    void outlivesFiftyReloads();
    void aMillionTsnsOpenAndZoomQuickly();

  private:
    void open(int packets);
    quint32 sent() const;

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    SctpaGraphsWindow *window_ = nullptr;
};

void TestUiGraphsLifecycle::init()
{
    played_.reset(new PlayedCapture(packetsOf("linux_bulk_loss1_A")));
}

void TestUiGraphsLifecycle::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiGraphsLifecycle::open(int packets)
{
    played_->open(packets);
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    QTRY_VERIFY(!window_->isLoading());
    window_->grab();
}

quint32 TestUiGraphsLifecycle::sent() const
{
    quint32 n = 0;
    const SctpaTrace *trace = traceOf(window_, SCTPA_SERIES_SENT);
    if (trace)
        sctpa_series_points(trace->series().get(), &n);
    return n;
}

void TestUiGraphsLifecycle::growsWithTheCapture()
{
    open(500);
    const quint32 before = sent();
    const double until = window_->stack()->timeRange().upper;
    QVERIFY(before > 0);
    played_->feed(1000);
    QTRY_VERIFY(sent() > before);
    QVERIFY(window_->stack()->timeRange().upper > until);
}

void TestUiGraphsLifecycle::zoomIsKeptWhileTheCaptureGrows()
{
    open(500);
    const quint32 before = sent();
    window_->stack()->showTime(QCPRange(0.2, 0.4));
    window_->stack()->showValues(window_->stack()->plots().front().get(), QCPRange(10, 20));
    played_->feed(1000);
    QTRY_VERIFY(sent() > before);
    QCOMPARE(window_->stack()->timeRange(), QCPRange(0.2, 0.4));
    QCOMPARE(window_->stack()->plots().front()->valueAxis()->range(), QCPRange(10, 20));
    QVERIFY(window_->stack()->history().canGoBack());
}

void TestUiGraphsLifecycle::updatesAtMostTwiceASecond()
{
    open(100);
    QTest::qWait(SctpaCapture::UpdateEveryMs);
    played_->looks = 0;
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 1600) {
        played_->feed(10);
        QTest::qWait(10);
    }
    QVERIFY(played_->looks >= 1);
    QVERIFY2(played_->looks <= int(clock.elapsed() / SctpaCapture::UpdateEveryMs) + 1,
             qPrintable(QString::number(played_->looks)));
}

void TestUiGraphsLifecycle::whatTookLongIsReadOnce()
{
    QElapsedTimer clock;
    played_->open(0);
    played_->feedTransfer(300000);
    windows_.reset(new SctpaWindows(played_->host()));
    clock.start();
    window_ = windows_->showGraphs(0);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->isLoading(), 60000);
    const int looks = played_->looks;
    QTest::qWait(int(clock.elapsed()) * 5 + 2 * SctpaCapture::UpdateEveryMs);
    QVERIFY(!window_->isLoading());
    QCOMPARE(played_->looks, looks);
    // Growth is followed still.
    played_->feedTransfer(10);
    QTRY_VERIFY(played_->looks > looks);
}

void TestUiGraphsLifecycle::nothingIsShownOfAClosedCapture()
{
    open(-1);
    const SctpaTrace *trace = traceOf(window_, SCTPA_SERIES_TIMEOUT);
    const QPoint place = placeOf(window_, trace, trace->points().first());
    windows_->captureClosing();
    played_->close();
    QCOMPARE(window_->message(), QStringLiteral("No capture is open."));
    for (const auto &plot : window_->stack()->plots())
        QVERIFY(plot->traces().isEmpty());
    // Nothing of what can be done reads what is gone.
    window_->grab();
    QTest::mouseClick(window_->stack(), Qt::LeftButton, Qt::NoModifier, place);
    turnWheel(window_->stack(), place, 2);
    for (int key : { Qt::Key_Plus, Qt::Key_0, Qt::Key_D, Qt::Key_S, Qt::Key_T, Qt::Key_G, Qt::Key_4, Qt::Key_5,
                     Qt::Key_P, Qt::Key_L, Qt::Key_PageUp, Qt::Key_PageDown })
        QTest::keyClick(window_->stack(), Qt::Key(key));
    QTemporaryDir folder;
    QVERIFY(!window_->save(folder.filePath(QStringLiteral("a.csv"))).isEmpty());
    window_->stack()->point(place);
    window_->grab();
    QVERIFY(played_->frames.isEmpty());
}

void TestUiGraphsLifecycle::anotherFileDoesNotHaveTheAssociation()
{
    open(-1);
    windows_->captureClosing();
    played_->close();
    played_->open(0);
    played_->feedFlood(3);
    QTRY_COMPARE(window_->message(), QStringLiteral("This association is not in the open capture."));
    QVERIFY(!traceOf(window_, SCTPA_SERIES_SENT));
    // And comes back with its file.
    windows_->captureClosing();
    played_->close();
    played_->open();
    QTRY_VERIFY(sent() > 1000);
}

void TestUiGraphsLifecycle::closingWhileMuchIsReadIsSafe()
{
    played_->open(0);
    played_->feedTransfer(300000);
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    QVERIFY(window_->isLoading());
    windows_->captureClosing();
    played_->close();
    QVERIFY(!window_->isLoading());
    QTest::qWait(50);
    window_->grab();
    QVERIFY(!traceOf(window_, SCTPA_SERIES_SENT));
    // As safe is closing the window.
    played_->open(0);
    played_->feedTransfer(300000);
    windows_->capture()->refresh();
    delete window_;
    QTest::qWait(50);
}

void TestUiGraphsLifecycle::growingWhileMuchIsReadWaitsForIt()
{
    played_->open(0);
    played_->feedTransfer(300000);
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    QTRY_VERIFY(played_->isRead());
    played_->feedTransfer(10);
    QVERIFY(!played_->isRead());
    QTRY_VERIFY(played_->isRead());
    // Another window only looks, and need not wait.
    windows_->showAssociations();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->isLoading(), 60000);
    QCOMPARE(sent(), 300000u);
    QVERIFY(!played_->isRead());
}

// Between two answers lie a walk of the records in another thread, and nothing that grows with them in this one.
void TestUiGraphsLifecycle::theWindowAnswersWhileMuchIsRead()
{
    played_->open(0);
    played_->feedTransfer(300000);
    windows_.reset(new SctpaWindows(played_->host()));
    window_ = windows_->showGraphs(0);
    int answers = 0;
    while (window_->isLoading()) {
        QCoreApplication::processEvents();
        answers += played_->isRead();
    }
    QVERIFY2(answers > 20, qPrintable(QString::number(answers)));
}

void TestUiGraphsLifecycle::outlivesFiftyReloads()
{
    open(-1);
    showAllPlots(window_);
    size_t early = 0;
    for (int turn = 0; turn < 50; turn++) {
        windows_->captureClosing();
        played_->close();
        if (turn % 3 == 0 && turn < 48)
            QTest::keyClick(window_->stack(), Qt::Key_D);
        played_->open(turn % 5 == 4 ? played_->size() / 2 : -1);
        windows_->capture()->refresh();
        QCOMPARE(window_->association()->state(), SctpaAssociation::Shown);
        window_->stack()->showTime(QCPRange(turn % 5, turn % 5 + 1));
        window_->grab();
        QCoreApplication::processEvents();
        if (turn == 19)
            early = allocatedBytes();
    }
    QVERIFY(sent() > 0);
    const qint64 growth = qint64(allocatedBytes()) - qint64(early);
    QVERIFY2(growth < 512 * 1024, qPrintable(QStringLiteral("%1 bytes").arg(growth)));
}

void TestUiGraphsLifecycle::aMillionTsnsOpenAndZoomQuickly()
{
    constexpr int Tsns = 1000000, Steps = 20;
    // Far more than it takes, so that only another order of growth fails, under sanitizers too.
    constexpr int OpenMs = 4000, StepMs = 250;
    played_->open(0);
    played_->feedTransfer(Tsns);
    windows_.reset(new SctpaWindows(played_->host()));
    QElapsedTimer clock;
    clock.start();
    window_ = windows_->showGraphs(0);
    QTRY_VERIFY_WITH_TIMEOUT(traceOf(window_, SCTPA_SERIES_SENT), 60000);
    window_->stack()->replot(QCustomPlot::rpImmediateRefresh);
    const qint64 openMs = clock.elapsed();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->isLoading(), 60000);
    clock.restart();
    for (int i = 0; i < Steps; i++) {
        window_->stack()->zoomIn();
        window_->stack()->replot(QCustomPlot::rpImmediateRefresh);
    }
    const qint64 stepMs = clock.elapsed() / Steps;
    qInfo("1,000,000 TSNs: painted in %lld ms, zoomed in %lld ms a step", openMs, stepMs);
    QCOMPARE(sent(), quint32(Tsns));
    QVERIFY(openMs < OpenMs && stepMs < StepMs);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiGraphsLifecycle>(argc, argv);
}

#include "test_ui_graphs_lifecycle.moc"
