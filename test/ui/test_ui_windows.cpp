/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the windows: what clicks and keys ask of Wireshark, what is copied, what they remember, and their colours.
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTableView>
#include <QtTest>

#include "dark_palette.h"
#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "offscreen_main.h"
#include "played_capture.h"
#include "window_reading.h"

namespace {

QPoint middleOf(const QTableView *view, int row, int column)
{
    return view->visualRect(view->model()->index(row, column)).center();
}

}

class TestUiWindows : public QObject {
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
    void paintsInDarkColours();
    void noWindowIsLargerThanTheScreen();
    void titlesNameTheFileOfTheirAssociation();
    void headsHaveTheRoomOfCells();
    void theSummaryLeadsToAssociationsGraphsAndPackets();
    void theOnlyAssociationOpens();
    void oneButtonHasTheMenuOfTheTableInUse();
    void manyRowsShowWholeNumbersAndBeginAtTheTop();

  private:
    SctpaAssocsWindow *listed();

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

// In order of numbers, whatever is found in the capture.
SctpaAssocsWindow *TestUiWindows::listed()
{
    SctpaAssocsWindow *list = windows_->showAssociations();
    list->pane()->sortAtFirst(0, Qt::AscendingOrder);
    return list;
}

void TestUiWindows::enterOpensTheAssociation()
{
    SctpaAssocsWindow *list = listed();
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
    SctpaAssocsWindow *list = listed();
    const int first = columnNamed(*list->model(), "first frame");
    QTableView *view = list->pane()->view();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, middleOf(view, 2, 1));
    QVERIFY(played_->frames.isEmpty());
    view->scrollTo(view->model()->index(2, first));
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
    SctpaAssocsWindow *list = listed();
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
    // So does a filter that is cleared.
    played_->hidden.insert(frame);
    QTest::mouseClick(button(list, "Go to First Packet"), Qt::LeftButton);
    QVERIFY(list->message().contains(QStringLiteral("hidden")));
    QTest::qWait(SctpaCapture::UpdateEveryMs + 200);
    QVERIFY(list->message().contains(QStringLiteral("hidden")));
    played_->hidden.clear();
    QTRY_VERIFY(!list->message().contains(QStringLiteral("hidden")));
}

void TestUiWindows::appliesAFilterOfTheSelectedAssociations()
{
    SctpaAssocsWindow *list = listed();
    QPushButton *apply = button(list, "Apply as Display Filter");
    // The first row is selected when a window opens.
    QVERIFY(apply->isEnabled());
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
    SctpaAssocsWindow *list = listed();
    list->pane()->view()->selectRow(1);
    list->pane()->view()->setFocus();
    action(list, "Copy as Text")->trigger();
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines.at(0).startsWith(QStringLiteral("#\toutcome\tretransmitted %\ttimeouts")));
    QVERIFY(lines.at(1).startsWith(QStringLiteral("1\t")));
    action(list, "Copy as CSV")->trigger();
    QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("#,outcome,retransmitted %,timeouts")));
}

void TestUiWindows::exportsWhatIsShown()
{
    SctpaAssocsWindow *list = listed();
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("out.csv")));
    list->pane()->view()->hideColumn(2);
    QCOMPARE(list->pane()->exportCsv(file.fileName()), QString());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), list->model()->rowCount() + 2);
    QVERIFY(lines.first().startsWith("#,outcome,timeouts,"));
}

void TestUiWindows::saysWhyAFileCannotBeWritten()
{
    const QString failure = windows_->showAssociations()->pane()->exportCsv(QStringLiteral("/nonexistent/out.csv"));
    QVERIFY(failure.contains(QStringLiteral("/nonexistent/out.csv could not be written: ")));
}

void TestUiWindows::filterLineLeavesRowsThatFit()
{
    SctpaAssocsWindow *list = listed();
    auto *line = list->findChild<QLineEdit *>(QStringLiteral("filter"));
    QTest::keyClicks(line, QStringLiteral("abort"));
    QTRY_COMPARE(list->pane()->proxy()->rowCount(), 1);
    QVERIFY(list->message().startsWith(QStringLiteral("1 of ")));
    line->clear();
    QTRY_COMPARE(list->pane()->proxy()->rowCount(), list->model()->rowCount());
}

void TestUiWindows::columnsCanBeHiddenAndAreRemembered()
{
    SctpaAssocsWindow *list = listed();
    const int tag = columnNamed(*list->model(), "tag of 0"), first = columnNamed(*list->model(), "first frame");
    QVERIFY(!list->pane()->view()->isColumnHidden(tag));
    action(list, "tag of 0")->setChecked(false);
    QVERIFY(list->pane()->view()->isColumnHidden(tag));
    list->pane()->view()->setColumnWidth(1, 333);
    list->pane()->view()->sortByColumn(first, Qt::DescendingOrder);
    windows_.reset();
    windows_.reset(new SctpaWindows(played_->host()));
    list = windows_->showAssociations();
    QVERIFY(list->pane()->view()->isColumnHidden(tag));
    QCOMPARE(list->pane()->view()->columnWidth(1), 333);
    QCOMPARE(list->pane()->proxy()->sortColumn(), first);
    // Sorted again, not only marked so.
    const int shownLast = list->pane()->proxy()->index(0, first).data(SctpaTableModel::ExactRole).toInt();
    for (int row = 0; row < list->model()->rowCount(); row++)
        QVERIFY(list->model()->index(row, first).data(SctpaTableModel::ExactRole).toInt() <= shownLast);
}

void TestUiWindows::widthsFitRowsThatComeUntilTheUserChoosesThem()
{
    const int number = 0, first = 8;
    played_->open(0);
    played_->feedFlood(1);
    SctpaAssocsWindow *list = listed();
    QTableView *view = list->pane()->view();
    const int before = view->columnWidth(number);
    played_->feedFlood(20000);
    windows_->capture()->refresh();
    QVERIFY(view->columnWidth(number) > before);
    QWidget *head = view->horizontalHeader()->viewport();
    QTest::mousePress(head, Qt::LeftButton);
    view->horizontalHeader()->resizeSection(first, 77);
    QTest::mouseRelease(head, Qt::LeftButton);
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
    window->resize(900, 486);
    QCOMPARE(window->tabs()->count(), window->association()->pages().size());
    for (int page = 0; page < window->tabs()->count(); page++) {
        int rows = 0;
        window->tabs()->setCurrentIndex(page);
        QCoreApplication::processEvents();
        for (SctpaTablePane *pane : window->panes(page)) {
            QCOMPARE(pane->isVisible(), pane->proxy()->rowCount() > 0);
            rows += pane->proxy()->rowCount();
            // No cell is cut, but where one is very long, in the last column that takes what room is left, or where few
            // columns are all in sight.
            QTableView *view = pane->view();
            const bool isInSight = view->horizontalHeader()->sectionResizeMode(1) == QHeaderView::Stretch;
            QVERIFY2(!isInSight || view->horizontalHeader()->length() <= view->viewport()->width(),
                     qPrintable(QStringLiteral("%1: %2 > %3")
                                    .arg(pane->objectName())
                                    .arg(view->horizontalHeader()->length())
                                    .arg(view->viewport()->width())));
            const int columns = view->model()->columnCount() - view->horizontalHeader()->stretchLastSection();
            const int longest = 40 * view->fontMetrics().averageCharWidth();
            for (int row = 0; pane->isVisible() && !isInSight && row < qMin(20, pane->proxy()->rowCount()); row++)
                for (int column = 0; column < columns; column++) {
                    const QString text = view->model()->index(row, column).data().toString();
                    QVERIFY2(view->isColumnHidden(column) ||
                                 view->columnWidth(column) > qMin(longest, view->fontMetrics().horizontalAdvance(text)),
                             qPrintable(text));
                }
            // No gap between the heading and the table.
            const QRect head = pane->findChild<QLabel *>()->geometry();
            QVERIFY2(!pane->isVisible() || view->y() - head.bottom() < 2 * head.height() + 10,
                     qPrintable(window->tabs()->tabText(page)));
        }
        const bool needsMessages = !window->association()->pages().at(page).withoutMessages.isEmpty();
        QVERIFY2(rows > 0 || needsMessages, qPrintable(window->tabs()->tabText(page)));
    }
}

void TestUiWindows::paintsInDarkColours()
{
    const QPalette light = QApplication::palette();
    QApplication::setPalette(darkPalette());
    SctpaAssocsWindow *list = listed();
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

// At a scale of 2 a screen of 1920 x 1080 has 960 x 540.
void TestUiWindows::noWindowIsLargerThanTheScreen()
{
    const QSize room = QGuiApplication::primaryScreen()->availableSize(), small(960, 540);
    for (QWidget *window :
         QVector<QWidget *>{ windows_->showAssociations(), windows_->showFindings(), windows_->showAssociation(0),
                             windows_->showGraphs(0), windows_->showReport(0) }) {
        QCoreApplication::processEvents();
        QVERIFY2(window->width() <= room.width() && window->height() <= room.height(),
                 qPrintable(window->windowTitle()));
        const QSize least = window->minimumSizeHint();
        QVERIFY2(
            least.width() <= small.width() * 0.9 && least.height() <= small.height() * 0.9,
            qPrintable(QStringLiteral("%1: %2 x %3").arg(window->objectName()).arg(least.width()).arg(least.height())));
    }
}

void TestUiWindows::manyRowsShowWholeNumbersAndBeginAtTheTop()
{
    PlayedCapture many;
    many.open();
    many.feedFlood(20000);
    SctpaWindows windows(many.host());
    SctpaAssocsWindow *list = windows.showAssociations();
    list->resize(700, 500);
    QCoreApplication::processEvents();
    QTableView *view = list->pane()->view();
    QCOMPARE(list->model()->rowCount(), 20000);
    const QModelIndex last = list->model()->index(19999, 0);
    QVERIFY(view->columnWidth(0) >
            view->fontMetrics().horizontalAdvance(QStringLiteral(" %1 ").arg(last.data().toString())));
    view->scrollToBottom();
    QTest::mouseClick(view->horizontalHeader()->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(10, 10));
    QCOMPARE(view->rowAt(1), 0);
    view->scrollToBottom();
    list->pane()->findChild<QLineEdit *>(QStringLiteral("filter"))->setText(QStringLiteral("1999"));
    QTRY_VERIFY(list->pane()->proxy()->rowCount() < 20000);
    QCOMPARE(view->rowAt(1), 0);
}

void TestUiWindows::titlesNameTheFileOfTheirAssociation()
{
    const QVector<SctpaWindow *> opened = { windows_->showAssociation(0), windows_->showGraphs(0) };
    QStringList before;
    for (const SctpaWindow *window : opened) {
        before.append(window->windowTitle());
        QVERIFY(before.last().endsWith(QStringLiteral("demo.pcapng")));
    }
    windows_->captureClosing();
    played_->name = QStringLiteral("/captures/other.pcapng");
    played_->open(0);
    windows_->capture()->refresh();
    for (int i = 0; i < opened.size(); i++) {
        QCOMPARE(opened.at(i)->windowTitle(), before.at(i));
        QVERIFY(opened.at(i)->message().contains(QStringLiteral("is not in the open capture")));
    }
}

void TestUiWindows::headsHaveTheRoomOfCells()
{
    SctpaTablePane *pane = listed()->pane();
    for (int column = 0; column < pane->proxy()->columnCount(); column++) {
        const QString head = pane->proxy()->headerData(column, Qt::Horizontal).toString();
        QVERIFY(head.startsWith(SctpaSortProxy::Room) && head.endsWith(SctpaSortProxy::Room));
    }
    // Only on the screen.
    QVERIFY(!pane->text(false).section(QLatin1Char('\n'), 0, 0).contains(SctpaSortProxy::Room));
    QVERIFY(!pane->text(true).contains(SctpaSortProxy::Room));
}

void TestUiWindows::theSummaryLeadsToAssociationsGraphsAndPackets()
{
    SctpaSummaryWindow *summary = windows_->showSummary();
    // Every sentence of the report's topics is there, and each has an association.
    const QString said = summary->text()->toPlainText().simplified(), report = played_->report("triage").simplified();
    QVERIFY(said.contains(QStringLiteral("Violations: ")) && report.contains(QStringLiteral("Violations: ")));
    const QString html = summary->text()->toHtml();
    static const QRegularExpression link(QStringLiteral("href=\"(association|graphs|frame):([0-9]+)\""));
    QHash<QString, quint32> first;
    QRegularExpressionMatchIterator links = link.globalMatch(html);
    while (links.hasNext()) {
        const QRegularExpressionMatch match = links.next();
        if (!first.contains(match.captured(1)))
            first.insert(match.captured(1), match.captured(2).toUInt());
    }
    QCOMPARE(first.size(), 3);
    Q_EMIT summary->text()->anchorClicked(QUrl(QStringLiteral("frame:%1").arg(first.value(QStringLiteral("frame")))));
    QCOMPARE(played_->frames, QVector<quint32>{ first.value(QStringLiteral("frame")) });
    const quint32 number = first.value(QStringLiteral("association"));
    Q_EMIT summary->text()->anchorClicked(QUrl(QStringLiteral("association:%1").arg(number)));
    QVERIFY(windows_->showAssociation(number)->isVisible());
    windows_->captureClosing();
    played_->close();
    QVERIFY(summary->text()->toPlainText().isEmpty());
}

void TestUiWindows::theOnlyAssociationOpens()
{
    PlayedCapture one(qEnvironmentVariable("SCTPA_UI_PACKETS"));
    one.open(4);
    SctpaWindows windows(one.host());
    SctpaAssocsWindow *list = windows.showAssociations();
    QCOMPARE(list->model()->rowCount(), 1);
    int opened = 0;
    for (QWidget *window : QApplication::topLevelWidgets())
        opened += qobject_cast<SctpaAssocWindow *>(window) && window->isVisible();
    QCOMPARE(opened, 1);
}

void TestUiWindows::oneButtonHasTheMenuOfTheTableInUse()
{
    constexpr int Paths = 2, Events = 9;
    SctpaAssocWindow *window = windows_->showAssociation(0);
    window->tabs()->setCurrentIndex(Paths);
    QVector<SctpaTablePane *> shown;
    for (SctpaTablePane *pane : window->panes(Paths))
        if (pane->isVisible())
            shown.append(pane);
    QVERIFY(shown.size() > 2);
    for (const SctpaTablePane *pane : std::as_const(shown))
        for (const QToolButton *button : pane->findChildren<QToolButton *>())
            QVERIFY2(!button->menu() || !button->isVisible(), "a button of its own");
    QCOMPARE(window->tableInUse(), shown.first());
    QApplication::setActiveWindow(window);
    shown.at(2)->view()->setFocus();
    QTRY_COMPARE(window->tableInUse(), shown.at(2));
    QCOMPARE(window->tableButton()->menu(), shown.at(2)->menu());
    QVERIFY(shown.at(2)->title().startsWith(window->tableButton()->text().mid(7)));
    window->tabs()->setCurrentIndex(Events);
    QCOMPARE(window->tableInUse(), window->panes(Events).first());
    windows_->captureClosing();
    QVERIFY(!window->tableInUse());
    QVERIFY(!window->tableButton()->isEnabled());
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiWindows>(argc, argv);
}

#include "test_ui_windows.moc"
