/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the windows while the capture grows, is reloaded, closed and replaced, and with very many associations.
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "memory_reading.h"
#include "offscreen_main.h"
#include "played_capture.h"
#include "window_reading.h"

class TestUiLifecycle : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void aGrowingCaptureUpdatesAtMostTwiceASecond();
    void selectionAndScrollingSurviveUpdates();
    void nothingIsLookedAtWithoutWindows();
    void anotherFileLeavesNothingOfTheFirst();
    void outlivesSixtyReloads();
    void hundredThousandAssociationsOpenSortAndScroll();

  private:
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
};

void TestUiLifecycle::init()
{
    played_.reset(new PlayedCapture(qEnvironmentVariable("SCTPA_UI_PACKETS")));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
}

void TestUiLifecycle::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiLifecycle::aGrowingCaptureUpdatesAtMostTwiceASecond()
{
    // One window: with one association its own would open, too.
    played_->open(0);
    SctpaAssocsWindow *list = windows_->showAssociations();
    played_->feed(100);
    const int before = list->model()->rowCount();
    QTest::qWait(50);
    played_->looks = 0;
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 1200) {
        played_->feed(played_->size() / 100);
        QTest::qWait(10);
    }
    QVERIFY(played_->looks >= 1);
    QVERIFY2(played_->looks <= int(clock.elapsed() / SctpaCapture::UpdateEveryMs) + 1,
             qPrintable(QString::number(played_->looks)));
    QTRY_VERIFY(list->model()->rowCount() > before);
    // What stands still is not looked at.
    QTest::qWait(SctpaCapture::UpdateEveryMs + 100);
    played_->looks = 0;
    QTest::qWait(SctpaCapture::UpdateEveryMs + 200);
    QCOMPARE(played_->looks, 0);
}

void TestUiLifecycle::selectionAndScrollingSurviveUpdates()
{
    played_->open(0);
    played_->feedFlood(500);
    SctpaAssocsWindow *list = windows_->showAssociations();
    QTableView *view = list->pane()->view();
    view->sortByColumn(0, Qt::DescendingOrder);
    view->selectRow(100);
    view->scrollTo(view->model()->index(100, 0), QAbstractItemView::PositionAtTop);
    const int selected = list->pane()->selectedRows().first();
    played_->feedFlood(50);
    windows_->capture()->refresh();
    QCOMPARE(list->model()->rowCount(), 550);
    QCOMPARE(list->pane()->selectedRows(), QVector<int>{ selected });
    QCOMPARE(view->model()->index(0, 0).data().toInt(), 549);
    QVERIFY(view->verticalScrollBar()->value() > 0);
}

void TestUiLifecycle::nothingIsLookedAtWithoutWindows()
{
    windows_->showAssociations()->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    played_->open();
    played_->looks = 0;
    QTest::qWait(2 * SctpaCapture::UpdateEveryMs + 100);
    QCOMPARE(played_->looks, 0);
}

void TestUiLifecycle::anotherFileLeavesNothingOfTheFirst()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    SctpaAssocWindow *window = windows_->showAssociation(0);
    windows_->captureClosing();
    played_->close();
    QCOMPARE(list->model()->rowCount(), 0);
    QCOMPARE(list->message(), QStringLiteral("No capture is open."));
    QCOMPARE(window->message(), QStringLiteral("No capture is open."));
    QVERIFY(!button(window, "Apply as Display Filter")->isEnabled());
    for (int page = 0; page < window->tabs()->count(); page++)
        window->tabs()->setCurrentIndex(page);
    list->grab();
    window->grab();

    played_->name = QStringLiteral("/captures/other.pcap");
    played_->open(0);
    played_->feedFlood(3);
    QTRY_COMPARE(list->model()->rowCount(), 3);
    QVERIFY(list->windowTitle().contains(QStringLiteral("other.pcap")));
    QTRY_COMPARE(window->message(), QStringLiteral("This association is not in the open capture."));
    QCOMPARE(window->association()->pages().first().windowTables.first()->rowCount(), 0);
}

void TestUiLifecycle::outlivesSixtyReloads()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    SctpaAssocWindow *window = windows_->showAssociation(0);
    list->pane()->view()->sortByColumn(9, Qt::AscendingOrder);
    size_t early = 0;
    for (int turn = 0; turn < 60; turn++) {
        windows_->captureClosing();
        played_->close();
        if (turn % 3 == 0)
            window->tabs()->setCurrentIndex(turn % 30 % window->tabs()->count());
        played_->open(turn % 5 == 4 ? played_->size() / 2 : -1);
        windows_->capture()->refresh();
        QCOMPARE(window->association()->state(), SctpaAssociation::Shown);
        SctpaAssocWindow *other = windows_->showAssociation(1 + quint32(turn) % 2);
        list->grab();
        window->grab();
        if (turn % 2)
            other->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
        if (turn == 29)
            early = allocatedBytes();
    }
    // All repeats after 30 turns, by then each page has been shown: whole captures but for what caches of fonts may
    // add.
    const qint64 growth = qint64(allocatedBytes()) - qint64(early);
    QVERIFY2(growth < 256 * 1024, qPrintable(QStringLiteral("%1 bytes").arg(growth)));
}

void TestUiLifecycle::hundredThousandAssociationsOpenSortAndScroll()
{
    constexpr int Associations = 100000, Scrolls = 200, Address = SCTPA_ASSOCS_FINDINGS + 2;
    // Far more than it takes, so that only another order of growth fails, under sanitizers too.
    constexpr int OpenMs = 3000, SortMs = 20000, ScrollMs = 100;
    played_->open(0);
    played_->feedFlood(Associations);
    QElapsedTimer clock;
    clock.start();
    SctpaAssocsWindow *list = windows_->showAssociations();
    list->grab();
    const qint64 openMs = clock.restart();
    QCOMPARE(list->model()->rowCount(), Associations);
    list->pane()->view()->sortByColumn(Address, Qt::DescendingOrder);
    list->grab();
    const qint64 sortMs = clock.restart();
    QVERIFY(list->pane()->proxy()->index(0, Address).data().toString().startsWith(QStringLiteral("10.1.134.159:")));
    for (int i = 0; i < Scrolls; i++) {
        list->pane()->view()->verticalScrollBar()->setValue(i * (Associations / Scrolls));
        list->pane()->view()->grab();
    }
    const qint64 scrollMs = clock.elapsed() / Scrolls;
    qInfo("100,000 associations: opened in %lld ms, sorted in %lld ms, scrolled in %lld ms a page", openMs, sortMs,
          scrollMs);
    QVERIFY(openMs < OpenMs && sortMs < SortMs && scrollMs < ScrollMs);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiLifecycle>(argc, argv);
}

#include "test_ui_lifecycle.moc"
