/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects that the tables of a range of time count what a filter of that time selects, say so, and count everything
// again on request.
#include <QLabel>
#include <QTabWidget>

#include "dialogs/table_pane.h"
#include "graphs_reading.h"
#include "offscreen_main.h"
#include "sheet_reading.h"
#include "window_reading.h"

class TestUiTimeRange : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void tablesCountWhatAFilterOfThatTimeSelects_data();
    void tablesCountWhatAFilterOfThatTimeSelects();
    void graphsSetTheTimeOfTheTables();
    void allPacketsAreCountedAgainOnRequest();
    void theTimeStaysAfterAReload();
};

namespace {

QStringList rowsOf(const QAbstractItemModel &model, const QString &without = QString())
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); row++) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); column++)
            if (model.headerData(column, Qt::Horizontal, SctpaTableModel::ExactRole).toString() != without)
                cells.append(model.index(row, column).data().toString());
        rows.append(cells.join(QLatin1Char('|')));
    }
    return rows;
}

}

void TestUiTimeRange::tablesCountWhatAFilterOfThatTimeSelects_data()
{
    QTest::addColumn<QByteArray>("capture");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("losses") << QByteArray("linux_bulk_loss1_A") << 1.0 << 2.5;
    QTest::newRow("failover") << QByteArray("usrsctp_mh_failover_A") << 5.0 << 30.0;
    QTest::newRow("streams") << QByteArray("linux_prsctp_A") << 5.5 << 9.8;
    QTest::newRow("nothing") << QByteArray("linux_prsctp_A") << -5.0 << -4.0;
    QTest::newRow("everything") << QByteArray("linux_zerowin_A") << -1.0 << 1e6;
}

void TestUiTimeRange::tablesCountWhatAFilterOfThatTimeSelects()
{
    QFETCH(QByteArray, capture);
    QFETCH(double, from);
    QFETCH(double, to);
    PlayedCapture played(packetsOf(capture.constData()));
    played.open();
    SctpaCapture shown(played.host());
    sctpa_view_t view = played.view();
    const qint64 startNs = sctpa_summary(view.sctpa)->first_ns, fromNs = startNs + qint64(from * 1e9),
                 toNs = startNs + qint64(to * 1e9);
    SctpaAssociation association(&shown, 0);
    association.setTime(fromNs, toNs);
    refreshAll(association);

    const SctpaTally tally = played.tallyOf(fromNs, toNs);
    view.tally = tally.get();
    const SctpaSource filtered(sctpa_window_table_source_new(&view));
    int followed = 0;
    for (const SctpaAssociation::Page &page : association.pages())
        for (const SctpaWindowTableModel *windowTable : page.windowTables) {
            const bool isEvents = qstrcmp(windowTable->windowTable()->name, "events") == 0;
            if (windowTable->windowTable()->is_whole || isEvents)
                continue;
            SctpaWindowTableModel expected(windowTable->windowTable());
            expected.refresh(filtered.get(), sctpa_assoc(view.sctpa, 0));
            // HEARTBEATs are not kept.
            QCOMPARE(rowsOf(*windowTable, QStringLiteral("HB")), rowsOf(expected, QStringLiteral("HB")));
            followed += windowTable->rowCount() > 0;
        }
    QVERIFY(followed >= 1);
    const SctpaWindowTableModel *events = windowTable(association, "events");
    for (int row = 0; row < events->rowCount(); row++)
        QVERIFY(number(*events, row, "time s") >= from && number(*events, row, "time s") <= to);
}

void TestUiTimeRange::graphsSetTheTimeOfTheTables()
{
    PlayedCapture played(packetsOf("linux_bulk_loss1_A"));
    played.open();
    SctpaWindows windows(played.host());
    SctpaAssocWindow *tables = windows.showAssociation(0);
    tables->tabs()->setCurrentIndex(3);
    const double all = number(*windowTable(*tables->association(), "streams"), 0, "bytes");
    SctpaGraphsWindow *graphs = windows.showGraphs(0);
    QTRY_VERIFY(!graphs->isLoading());
    graphs->stack()->showTime(QCPRange(2, 3));
    QTest::mouseClick(button(graphs, "Statistics for Visible Range"), Qt::LeftButton);
    const double counted = number(*windowTable(*tables->association(), "streams"), 0, "bytes");
    QVERIFY2(counted > 0 && counted < all / 2, qPrintable(QString::number(counted)));
    const auto *line = tables->findChild<QWidget *>(QStringLiteral("time"));
    QVERIFY(line->isVisible());
    QVERIFY(line->findChild<QLabel *>()->text().contains(QStringLiteral("2.000000 s to 3.000000 s")));
    // What cannot follow says so.
    for (int page = 0; page < tables->tabs()->count(); page++) {
        tables->tabs()->setCurrentIndex(page);
        for (const SctpaTablePane *pane : tables->panes(page)) {
            const bool isMarked = pane->findChild<QLabel *>()->text().endsWith(QStringLiteral("whole association"));
            QCOMPARE(isMarked, pane->proxy()->table()->windowTable()->is_whole);
        }
    }
}

void TestUiTimeRange::allPacketsAreCountedAgainOnRequest()
{
    PlayedCapture played(packetsOf("linux_bulk_loss1_A"));
    played.open();
    SctpaWindows windows(played.host());
    SctpaAssocWindow *tables = windows.showAssociation(0);
    tables->tabs()->setCurrentIndex(0);
    const QStringList before = rowsOf(*windowTable(*tables->association(), "endpoints"));
    const qint64 startNs = sctpa_summary(played.view().sctpa)->first_ns;
    tables->showTime(startNs, startNs + 1000000000);
    QVERIFY(rowsOf(*windowTable(*tables->association(), "endpoints")) != before);
    QTest::mouseClick(button(tables, "Show Whole Capture"), Qt::LeftButton);
    QCOMPARE(rowsOf(*windowTable(*tables->association(), "endpoints")), before);
    QVERIFY(!tables->findChild<QWidget *>(QStringLiteral("time"))->isVisible());
}

void TestUiTimeRange::theTimeStaysAfterAReload()
{
    PlayedCapture played(packetsOf("linux_bulk_loss1_A"));
    played.open();
    SctpaWindows windows(played.host());
    SctpaAssocWindow *tables = windows.showAssociation(0);
    tables->tabs()->setCurrentIndex(0);
    const qint64 startNs = sctpa_summary(played.view().sctpa)->first_ns;
    tables->showTime(startNs, startNs + 1000000000);
    const QStringList before = rowsOf(*windowTable(*tables->association(), "endpoints"));
    windows.captureClosing();
    played.open();
    windows.capture()->refresh();
    QCOMPARE(rowsOf(*windowTable(*tables->association(), "endpoints")), before);
    QVERIFY(tables->findChild<QWidget *>(QStringLiteral("time"))->isVisible());
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiTimeRange>(argc, argv);
}

#include "test_ui_time_range.moc"
