// Protects the windows: what clicks and keys ask of Wireshark, what they remember, and that they outlive every change of the capture.
#include <QAction>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

#include <malloc.h>

#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "offscreen_main.h"
#include "played_capture.h"

// Of AddressSanitizer, when it is there.
extern "C" __attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes();

namespace {

size_t allocatedBytes()
{
    return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes() : mallinfo2().uordblks;
}

QPoint middleOf(const QTableView *view, int row, int column)
{
    return view->visualRect(view->model()->index(row, column)).center();
}

QPushButton *button(const QWidget *window, const char *text)
{
    for (QPushButton *button : window->findChildren<QPushButton *>())
        if (button->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
            return button;
    QTest::qFail(text, __FILE__, __LINE__);
    return nullptr;
}

QAction *action(const QWidget *window, const char *text)
{
    for (QAction *action : window->findChildren<QAction *>())
        if (action->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
            return action;
    QTest::qFail(text, __FILE__, __LINE__);
    return nullptr;
}

// Colours of a dark desktop.
QPalette darkPalette()
{
    QPalette dark;
    const QColor ground(0x20, 0x22, 0x26), raised(0x2c, 0x2f, 0x34), ink(0xee, 0xee, 0xee);
    for (QPalette::ColorRole role : { QPalette::Window, QPalette::Base })
        dark.setColor(role, ground);
    for (QPalette::ColorRole role : { QPalette::AlternateBase, QPalette::Button, QPalette::ToolTipBase })
        dark.setColor(role, raised);
    for (QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText })
        dark.setColor(role, ink);
    dark.setColor(QPalette::PlaceholderText, QColor(0x99, 0x99, 0x99));
    dark.setColor(QPalette::Highlight, QColor(0x2a, 0x6f, 0xb8));
    dark.setColor(QPalette::HighlightedText, Qt::white);
    dark.setColor(QPalette::Link, QColor(0x6c, 0xb6, 0xff));
    for (QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        dark.setColor(QPalette::Disabled, role, QColor(0x80, 0x80, 0x80));
    return dark;
}

}

class TestUiWindows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void enterOpensTheAssociation();
    void aClickOnAFrameGoesThere();
    void saysWhenTheDisplayFilterHidesThePacket();
    void appliesAFilterOfTheSelectedAssociations();
    void goesToTheFirstPacket();
    void copiesWhatIsSelected();
    void exportsWhatIsShown();
    void saysWhyAFileCannotBeWritten();
    void filterLineLeavesRowsThatFit();
    void columnsCanBeHiddenAndAreRemembered();
    void widthsFitRowsThatComeUntilTheUserChoosesThem();
    void remembersItsSizeAndPage();
    void tabsShowEveryPage();
    void aGrowingCaptureUpdatesAtMostTwiceASecond();
    void selectionAndScrollingSurviveUpdates();
    void nothingIsLookedAtWithoutWindows();
    void anotherFileLeavesNothingOfTheFirst();
    void outlivesFiftyReloads();
    void hundredThousandAssociationsOpenSortAndScroll();
    void paintsInDarkColours();

private:
    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
};

void TestUiWindows::init()
{
    played_.reset(new PlayedCapture(qEnvironmentVariable("SCTPA_UI_PACKETS")));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
}

void TestUiWindows::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiWindows::enterOpensTheAssociation()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    list->pane()->view()->selectRow(3);
    QTest::keyClick(list->pane()->view(), Qt::Key_Return);
    SctpaAssocWindow *opened = nullptr;
    for (QWidget *window : QApplication::topLevelWidgets())
        if (auto *found = qobject_cast<SctpaAssocWindow *>(window))
            opened = found;
    QVERIFY(opened && opened->isVisible());
    QCOMPARE(opened->association()->number(), 3u);
    QVERIFY(opened->windowTitle().contains(QStringLiteral("demo.pcapng")));
    // Again: the same window.
    QCOMPARE(windows_->showAssociation(3), opened);
    QVERIFY(windows_->showAssociation(4) != opened);
}

void TestUiWindows::aClickOnAFrameGoesThere()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    const int first = 8;    // "first frame"
    QTableView *view = list->pane()->view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, middleOf(view, 2, 1));
    QVERIFY(played_->frames.isEmpty());
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, middleOf(view, 2, first));
    QCOMPARE(played_->frames, QVector<quint32>{ list->model()->frameOfRow(2) });
    QVERIFY(list->message().contains(QStringLiteral("associations")));

    SctpaAssocWindow *window = windows_->showAssociation(0);
    window->tabs()->setCurrentIndex(window->tabs()->count() - 1);
    SctpaTablePane *events = window->panes(window->tabs()->count() - 1).first();
    events->view()->selectRow(1);
    QTest::keyClick(events->view(), Qt::Key_Return);
    QCOMPARE(played_->frames.last(), events->proxy()->table()->frameOfRow(1));
    QVERIFY(played_->frames.last() > 4);
}

void TestUiWindows::saysWhenTheDisplayFilterHidesThePacket()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    const quint32 frame = list->model()->frameOfRow(1);
    played_->hidden.insert(frame);
    list->pane()->view()->selectRow(1);
    QTest::mouseClick(button(list, "Go to First Packet"), Qt::LeftButton);
    QVERIFY(played_->frames.isEmpty());
    QCOMPARE(list->message(), QStringLiteral("Packet %1 is hidden by the display filter.").arg(frame));
    // The next one that works takes the complaint away.
    played_->hidden.clear();
    QTest::mouseClick(button(list, "Go to First Packet"), Qt::LeftButton);
    QCOMPARE(played_->frames, QVector<quint32>{ frame });
    QVERIFY(!list->message().contains(QStringLiteral("hidden")));
}

void TestUiWindows::appliesAFilterOfTheSelectedAssociations()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    QPushButton *apply = button(list, "Apply as Display Filter");
    QVERIFY(!apply->isEnabled());
    list->pane()->view()->selectRow(5);
    QVERIFY(apply->isEnabled());
    QTest::mouseClick(apply, Qt::LeftButton);
    QCOMPARE(played_->filter, QStringLiteral("sctp.analysis.assoc == 5"));
    // By number, whatever the order shown.
    list->pane()->view()->sortByColumn(0, Qt::DescendingOrder);
    list->pane()->view()->selectRow(0);
    QTest::mouseClick(apply, Qt::LeftButton);
    QCOMPARE(played_->filter, QStringLiteral("sctp.analysis.assoc == %1").arg(list->model()->rowCount() - 1));
    list->pane()->view()->selectAll();
    QTest::mouseClick(apply, Qt::LeftButton);
    QCOMPARE(played_->filter, QStringLiteral("sctp.analysis.assoc in {0 .. %1}").arg(list->model()->rowCount() - 1));

    SctpaAssocWindow *window = windows_->showAssociation(2);
    QTest::mouseClick(button(window, "Apply as Display Filter"), Qt::LeftButton);
    QCOMPARE(played_->filter, QStringLiteral("sctp.analysis.assoc == 2"));
}

void TestUiWindows::goesToTheFirstPacket()
{
    SctpaAssocWindow *window = windows_->showAssociation(2);
    QTest::mouseClick(button(window, "Go to First Packet"), Qt::LeftButton);
    QCOMPARE(played_->frames, QVector<quint32>{ window->association()->firstFrame() });
}

void TestUiWindows::copiesWhatIsSelected()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    list->pane()->view()->selectRow(1);
    list->pane()->view()->setFocus();
    action(list, "Copy as Text")->trigger();
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines.at(0).startsWith(QStringLiteral("#\tendpoint 0\tendpoint 1")));
    QVERIFY(lines.at(1).startsWith(QStringLiteral("1\t")));
    action(list, "Copy as CSV")->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("#,endpoint 0,endpoint 1")));
}

void TestUiWindows::exportsWhatIsShown()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("out.csv")));
    list->pane()->view()->hideColumn(1);
    QCOMPARE(list->pane()->exportCsv(file.fileName()), QString());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), list->model()->rowCount() + 2);
    QVERIFY(lines.first().startsWith("#,endpoint 1,"));
}

void TestUiWindows::saysWhyAFileCannotBeWritten()
{
    const QString failure = windows_->showAssociations()->pane()->exportCsv(QStringLiteral("/nonexistent/out.csv"));
    QVERIFY(failure.contains(QStringLiteral("/nonexistent/out.csv could not be written: ")));
}

void TestUiWindows::filterLineLeavesRowsThatFit()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    auto *line = list->findChild<QLineEdit *>(QStringLiteral("filter"));
    QTest::keyClicks(line, QStringLiteral("abort"));
    QTRY_COMPARE(list->pane()->proxy()->rowCount(), 1);
    QVERIFY(list->message().startsWith(QStringLiteral("1 of ")));
    line->clear();
    QTRY_COMPARE(list->pane()->proxy()->rowCount(), list->model()->rowCount());
}

void TestUiWindows::columnsCanBeHiddenAndAreRemembered()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    QVERIFY(!list->pane()->view()->isColumnHidden(3));
    action(list, "tag of 0")->setChecked(false);
    QVERIFY(list->pane()->view()->isColumnHidden(3));
    list->pane()->view()->setColumnWidth(1, 333);
    list->pane()->view()->sortByColumn(9, Qt::DescendingOrder);
    windows_.reset();
    windows_.reset(new SctpaWindows(played_->host()));
    list = windows_->showAssociations();
    QVERIFY(list->pane()->view()->isColumnHidden(3));
    QCOMPARE(list->pane()->view()->columnWidth(1), 333);
    QCOMPARE(list->pane()->proxy()->sortColumn(), 9);
    // Sorted again, not only marked so.
    const int shownLast = list->pane()->proxy()->index(0, 9).data(SctpaTableModel::ExactRole).toInt();
    for (int row = 0; row < list->model()->rowCount(); row++)
        QVERIFY(list->model()->index(row, 9).data(SctpaTableModel::ExactRole).toInt() <= shownLast);
}

void TestUiWindows::widthsFitRowsThatComeUntilTheUserChoosesThem()
{
    const int number = 0, first = 8;
    played_->open(0);
    played_->feedFlood(1);
    SctpaAssocsWindow *list = windows_->showAssociations();
    QTableView *view = list->pane()->view();
    const int before = view->columnWidth(number);
    played_->feedFlood(20000);
    windows_->capture()->refresh();
    QVERIFY(view->columnWidth(number) > before);
    view->horizontalHeader()->resizeSection(first, 77);
    played_->feedFlood(30000);
    windows_->capture()->refresh();
    QCOMPARE(view->columnWidth(first), 77);
}

void TestUiWindows::remembersItsSizeAndPage()
{
    SctpaAssocWindow *window = windows_->showAssociation(0);
    window->resize(777, 555);
    window->tabs()->setCurrentIndex(3);
    QCoreApplication::processEvents();
    const QSize size = window->size();
    window->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    windows_.reset();
    windows_.reset(new SctpaWindows(played_->host()));
    window = windows_->showAssociation(1);
    QCOMPARE(window->size(), size);
    QCOMPARE(window->tabs()->currentIndex(), 3);
}

void TestUiWindows::tabsShowEveryPage()
{
    SctpaAssocWindow *window = windows_->showAssociation(0);
    QCOMPARE(window->tabs()->count(), 7);
    for (int page = 0; page < window->tabs()->count(); page++) {
        int rows = 0;
        window->tabs()->setCurrentIndex(page);
        QCoreApplication::processEvents();
        for (SctpaTablePane *pane : window->panes(page)) {
            QCOMPARE(pane->isVisible(), pane->proxy()->rowCount() > 0);
            rows += pane->proxy()->rowCount();
        }
        QVERIFY2(rows > 0, qPrintable(window->tabs()->tabText(page)));
    }
}

void TestUiWindows::aGrowingCaptureUpdatesAtMostTwiceASecond()
{
    played_->open(100);
    SctpaAssocsWindow *list = windows_->showAssociations();
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
    QVERIFY2(played_->looks <= int(clock.elapsed() / SctpaCapture::UpdateEveryMs) + 1, qPrintable(QString::number(played_->looks)));
    QTRY_VERIFY(list->model()->rowCount() > before);
    // What stands still is not looked at.
    QTest::qWait(SctpaCapture::UpdateEveryMs + 100);
    played_->looks = 0;
    QTest::qWait(SctpaCapture::UpdateEveryMs + 200);
    QCOMPARE(played_->looks, 0);
}

void TestUiWindows::selectionAndScrollingSurviveUpdates()
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

void TestUiWindows::nothingIsLookedAtWithoutWindows()
{
    windows_->showAssociations()->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    played_->open();
    played_->looks = 0;
    QTest::qWait(2 * SctpaCapture::UpdateEveryMs + 100);
    QCOMPARE(played_->looks, 0);
}

void TestUiWindows::anotherFileLeavesNothingOfTheFirst()
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
    QTRY_COMPARE(window->message(), QStringLiteral("The open capture does not have this association."));
    QCOMPARE(window->association()->pages().first().sheets.first()->rowCount(), 0);
}

void TestUiWindows::outlivesFiftyReloads()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    SctpaAssocWindow *window = windows_->showAssociation(0);
    list->pane()->view()->sortByColumn(8, Qt::AscendingOrder);
    size_t early = 0;
    for (int turn = 0; turn < 50; turn++) {
        windows_->captureClosing();
        played_->close();
        if (turn % 3 == 0)
            window->tabs()->setCurrentIndex(turn % window->tabs()->count());
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
        if (turn == 19)
            early = allocatedBytes();
    }
    // Turns 19 and 49 end alike: whole captures but for what caches of fonts may add.
    const qint64 growth = qint64(allocatedBytes()) - qint64(early);
    QVERIFY2(growth < 512 * 1024, qPrintable(QStringLiteral("%1 bytes").arg(growth)));
}

void TestUiWindows::hundredThousandAssociationsOpenSortAndScroll()
{
    constexpr int Associations = 100000, Scrolls = 200;
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
    list->pane()->view()->sortByColumn(1, Qt::DescendingOrder);
    list->grab();
    const qint64 sortMs = clock.restart();
    QVERIFY(list->pane()->proxy()->index(0, 1).data().toString().startsWith(QStringLiteral("10.1.134.159:")));
    for (int i = 0; i < Scrolls; i++) {
        list->pane()->view()->verticalScrollBar()->setValue(i * (Associations / Scrolls));
        list->pane()->view()->grab();
    }
    const qint64 scrollMs = clock.elapsed() / Scrolls;
    qInfo("100,000 associations: opened in %lld ms, sorted in %lld ms, scrolled in %lld ms a page", openMs, sortMs, scrollMs);
    QVERIFY(openMs < OpenMs && sortMs < SortMs && scrollMs < ScrollMs);
}

void TestUiWindows::paintsInDarkColours()
{
    const QPalette light = QApplication::palette();
    QApplication::setPalette(darkPalette());
    SctpaAssocsWindow *list = windows_->showAssociations();
    SctpaAssocWindow *window = windows_->showAssociation(0);
    QCoreApplication::processEvents();
    const QString folder = qEnvironmentVariable("SCTPA_UI_SHOTS");
    if (!folder.isEmpty()) {
        list->pane()->view()->selectRow(2);
        list->grab().save(folder + QStringLiteral("/dark_associations.png"));
    }
    for (int page = 0; page < window->tabs()->count(); page++) {
        window->tabs()->setCurrentIndex(page);
        QCoreApplication::processEvents();
        const QImage image = window->grab().toImage();
        if (!folder.isEmpty())
            image.save(folder + QStringLiteral("/dark_association_%1.png").arg(page));
        // Mostly dark: nothing is painted in colours of its own.
        int bright = 0, looked = 0;
        for (int y = 0; y < image.height(); y += 7)
            for (int x = 0; x < image.width(); x += 7, looked++)
                bright += qGray(image.pixel(x, y)) > 128;
        QVERIFY2(bright * 10 < looked, qPrintable(window->tabs()->tabText(page)));
    }
    QApplication::setPalette(light);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiWindows>(argc, argv);
}

#include "test_ui_windows.moc"
