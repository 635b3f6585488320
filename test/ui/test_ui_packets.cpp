/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the way from a packet to the windows: its menu, shortcuts, and the packet selected in each window.
#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSet>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeView>
#include <QtTest>

#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "offscreen_main.h"
#include "played_capture.h"
#include "window_reading.h"

// Named as Wireshark's, and makes its menu as that does.
class PacketList : public QTreeView {
    Q_OBJECT

  public:
    using QTreeView::QTreeView;

    QMenu *openMenu()
    {
        auto *menu = new QMenu(this);
        menu->addAction(QStringLiteral("Mark"));
        menu->addMenu(QStringLiteral("Copy"))->addAction(QStringLiteral("Text"));
        menu->popup(mapToGlobal(QPoint(1, 1)));
        return menu;
    }
};

class TestUiPackets : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init();
    void cleanup();
    void rowsOfThePacketAreSelected();
    void theFirstRowIsSelectedWithoutAPacket();
    void graphsMarkThePacketAndShowWhatItIsAbout();
    void theLadderSelectsThePacket();
    void theSummaryMarksTheAssociation();
    void thePacketMenuHasEntriesForPacketsOfAnAssociation();
    void entriesOfTheMenuBarHaveShortcuts();
    void nothingIsAddedWhereWiresharkDoesIt();

  private:
    QMenu *contextMenuOf(quint32 frame);
    int pageNamed(const SctpaAssocWindow *window, const char *name) const;
    static QMenu *oursIn(const QMenu *menu) { return menu->findChild<QMenu *>(QStringLiteral("sctp_analysis")); }

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
    QScopedPointer<QMainWindow> main_;
    PacketList *list_ = nullptr;
    QAction *graphs_ = nullptr;
};

void TestUiPackets::init()
{
    played_.reset(new PlayedCapture(qEnvironmentVariable("SCTPA_UI_PACKETS")));
    played_->open();
    windows_.reset(new SctpaWindows(played_->host()));
    main_.reset(new QMainWindow);
    list_ = new PacketList(main_.data());
    main_->setCentralWidget(list_);
    QMenu *menu =
        main_->menuBar()->addMenu(QStringLiteral("&Telephony"))->addMenu(QStringLiteral("SCTP Expert Analysis"));
    graphs_ = menu->addAction(QStringLiteral("Graphs of Selected Packet's Association"));
    main_->show();
}

void TestUiPackets::cleanup()
{
    windows_.reset();
    main_.reset();
    played_.reset();
}

int TestUiPackets::pageNamed(const SctpaAssocWindow *window, const char *name) const
{
    const QVector<SctpaAssociation::Page> &pages = window->association()->pages();
    for (int i = 0; i < pages.size(); i++)
        if (pages.at(i).name == QLatin1String(name))
            return i;
    return -1;
}

void TestUiPackets::rowsOfThePacketAreSelected()
{
    SctpaAssocWindow *window = windows_->showAssociation(0);
    const int page = pageNamed(window, "retransmissions"), chunks = page - 1;
    window->tabs()->setCurrentIndex(page);
    SctpaTablePane *pane = window->panes(page).last();
    QVERIFY(pane->proxy()->rowCount() > 2);
    const quint32 frame = pane->proxy()->table()->frameOfRow(2);
    QVERIFY(frame != 0);
    windows_->show(SCTPA_SHOWN_ASSOCIATION, 0, frame);
    const QVector<int> rows = pane->selectedRows();
    QVERIFY(rows.contains(2));
    for (int row : rows)
        QVERIFY(pane->proxy()->table()->frameOfRow(row) == frame);
    QCOMPARE(window->message(), QStringLiteral("Rows that name packet %1 are selected.").arg(frame));
    window->tabs()->setCurrentIndex(chunks);
    QCOMPARE(window->message(), QStringLiteral("No table of this page names packet %1.").arg(frame));
    // They are no selection of the user's.
    QCOMPARE(pane->text(false).count(QLatin1Char('\n')), pane->proxy()->rowCount() + 1);
}

void TestUiPackets::theFirstRowIsSelectedWithoutAPacket()
{
    SctpaAssocWindow *window = windows_->showAssociation(0);
    window->tabs()->setCurrentIndex(pageNamed(window, "events"));
    QCOMPARE(window->panes(window->tabs()->currentIndex()).first()->selectedRows().size(), 1);
    QCOMPARE(window->message(), QString());
}

void TestUiPackets::graphsMarkThePacketAndShowWhatItIsAbout()
{
    constexpr quint32 Data = 9, Sack = 8, FromTheOther = 2;
    windows_->show(SCTPA_SHOWN_GRAPHS, 0, Data);
    SctpaGraphsWindow *window = windows_->showGraphs(0);
    QCOMPARE(window->stack()->markedFrame(), Data);
    QCOMPARE(int(window->data().end()), 0);
    windows_->show(SCTPA_SHOWN_GRAPHS, 0, FromTheOther);
    QCOMPARE(int(window->data().end()), 1);
    // Data of its receiver.
    windows_->show(SCTPA_SHOWN_GRAPHS, 0, Sack);
    QCOMPARE(int(window->data().end()), 0);
    // What is out of sight is brought into it.
    window->stack()->showTime(QCPRange(10, 12));
    windows_->show(SCTPA_SHOWN_GRAPHS, 0, Data);
    QVERIFY(window->stack()->timeRange().contains(0.094));
    // Another packet of the packet list is marked where it is; one of another association is not.
    Q_EMIT windows_->capture()->wentToFrame(Sack);
    QCOMPARE(window->stack()->markedFrame(), Sack);
    Q_EMIT windows_->capture()->wentToFrame(7000);
    QCOMPARE(window->stack()->markedFrame(), 0u);
}

void TestUiPackets::theLadderSelectsThePacket()
{
    constexpr quint32 Frame = 1000;
    windows_->show(SCTPA_SHOWN_LADDER, 0, Frame);
    SctpaLadderWindow *window = windows_->showLadder(0);
    QTRY_VERIFY(!window->isLoading());
    QCOMPARE(window->plot()->selectedFrame(), Frame);
    const qint64 time = window->facts().ofFrame(Frame)->time_ns;
    QVERIFY(window->plot()->fromNs() <= time && time <= window->plot()->toNs());
    QVERIFY2(window->plot()->toNs() - window->plot()->fromNs() <
                 window->plot()->wholeToNs() - window->plot()->wholeFromNs(),
             "it can be told from its neighbours");
}

void TestUiPackets::theSummaryMarksTheAssociation()
{
    SctpaSummaryWindow *window = windows_->showSummary();
    const QString plain = window->text()->toHtml();
    static const QRegularExpression link(QStringLiteral("href=\"association:([0-9]+)\""));
    QSet<quint32> said;
    for (auto links = link.globalMatch(plain); links.hasNext();)
        said.insert(links.next().captured(1).toUInt());
    // The page tells of every association of the demo: the number behind the last stands for one of which it does not.
    const quint32 silent = sctpa_assoc_count(played_->view().sctpa);
    QVERIFY(!said.isEmpty() && !said.contains(silent));
    windows_->show(SCTPA_SHOWN_SUMMARY, *said.constBegin(), 12);
    QVERIFY(window->message().startsWith(QStringLiteral("Marked: ")));
    QVERIFY(window->text()->toHtml().contains(QStringLiteral("background-color:")));
    windows_->show(SCTPA_SHOWN_SUMMARY, silent, 12);
    QCOMPARE(window->message(),
             QStringLiteral("Nothing is said of association %1, to which packet 12 belongs.").arg(silent));
    windows_->show(SCTPA_SHOWN_SUMMARY, SCTPA_NO_ASSOC, 12);
    QCOMPARE(window->message(), QStringLiteral("Packet 12 belongs to no SCTP association."));
    windows_->show(SCTPA_SHOWN_SUMMARY, SCTPA_NO_ASSOC, 0);
    QCOMPARE(window->message(), QString());
    QCOMPARE(window->text()->toHtml(), plain);
}

QMenu *TestUiPackets::contextMenuOf(quint32 frame)
{
    played_->selected = frame;
    QMenu *menu = list_->openMenu();
    return menu;
}

void TestUiPackets::thePacketMenuHasEntriesForPacketsOfAnAssociation()
{
    windows_->joinMainWindow();
    windows_->joinMainWindow();
    QMenu *menu = contextMenuOf(9);
    QMenu *ours = oursIn(menu);
    QVERIFY(ours);
    QCOMPARE(menu->findChildren<QMenu *>(QStringLiteral("sctp_analysis")).size(), 1);
    QStringList labels;
    for (const QAction *action : ours->actions())
        labels.append(action->text());
    QCOMPARE(labels, (QStringList{ QStringLiteral("Summary"), QStringLiteral("Association"), QStringLiteral("Graphs"),
                                   QStringLiteral("Ladder") }));
    ours->actions().at(2)->trigger();
    QCOMPARE(played_->chosen, (QVector<int>{ SCTPA_SHOWN_GRAPHS }));
    menu->close();
    QMenu *other = contextMenuOf(0);
    QVERIFY(!oursIn(other));
    other->close();
}

void TestUiPackets::entriesOfTheMenuBarHaveShortcuts()
{
    QVERIFY(graphs_->shortcut().isEmpty());
    windows_->joinMainWindow();
    QCOMPARE(graphs_->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+Shift+G")));
}

void TestUiPackets::nothingIsAddedWhereWiresharkDoesIt()
{
    sctpa_host_t host = *played_->host();
    host.has_packet_menu = true;
    SctpaWindows windows(&host);
    windows.joinMainWindow();
    QMenu *menu = contextMenuOf(9);
    QVERIFY(!oursIn(menu));
    menu->close();
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiPackets>(argc, argv);
}

#include "test_ui_packets.moc"
