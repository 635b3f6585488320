/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects the ladder: lanes, what it says of packets that two taps saw or one, zoom, selection both ways, files. What
// was lost is counted from the captures at both ends, packet by packet, which the plugin has no part in.
#include <QScrollBar>
#include <QXmlStreamReader>

#include <cstring>

#include "graphs_reading.h"
#include "offscreen_main.h"
#include "window_reading.h"

#include "../replay/stored_packet.h"

namespace {

using Detail = SctpaLadderPainter::Detail;

// The packets of a file that an address sent, by identification and bytes.
QMultiHash<QByteArray, quint32> sentBy(const char *capture, quint8 lastByte, quint8 network)
{
    QMultiHash<QByteArray, quint32> packets;
    QFile file(packetsOf(capture));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no packets of %s", capture);
    const QByteArray bytes = file.readAll();
    for (int at = 0; at + int(sizeof(stored_packet_t)) <= bytes.size();) {
        stored_packet_t head;
        std::memcpy(&head, bytes.constData() + at, sizeof head);
        at += int(sizeof head);
        // Ports and checksum aside, which offloading may leave open.
        const QByteArray content = QByteArray::number(head.ip_id) + bytes.mid(at + 12, int(head.captured_bytes) - 12);
        if (head.source[3] == lastByte && head.source[2] == network)
            packets.insert(content, head.frame);
        at += int(head.captured_bytes);
    }
    return packets;
}

// Frames of what passed the tap near its sender and not the other one.
QSet<quint32> lostFrames(const char *nearSender, const char *far, quint8 lastByte, quint8 network)
{
    const QMultiHash<QByteArray, quint32> sent = sentBy(nearSender, lastByte, network),
                                          arrived = sentBy(far, lastByte, network);
    QSet<quint32> lost;
    for (auto each = sent.cbegin(); each != sent.cend(); ++each)
        if (!arrived.contains(each.key()))
            lost.insert(each.value());
    return lost;
}

QSet<quint32> framesWith(const SctpaLadderWindow *window, quint16 flag, int from)
{
    QSet<quint32> frames;
    const sctpa_ladder_t *ladder = window->facts().ladder();
    for (quint32 i = 0; i < sctpa_ladder_length(ladder); i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(ladder, i);
        if (packet->flags & flag && packet->from == from)
            frames.insert(window->facts().frameOf(packet->packet));
    }
    return frames;
}

QStringList textsOf(const QString &svg)
{
    QFile file(svg);
    QStringList texts;
    if (!file.open(QIODevice::ReadOnly))
        return texts;
    QXmlStreamReader reader(&file);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            texts.append(reader.readElementText());
    return reader.hasError() ? QStringList() : texts;
}

// Half way along the line of a packet.
QPoint placeOf(const SctpaLadderWindow *window, const sctpa_ladder_packet_t &packet)
{
    const SctpaLadderPainter painter = window->plot()->painter();
    const SctpaLadderFacts &facts = window->facts();
    const double x = painter.laneX(packet.from, facts.laneOf(packet.from, packet.source)) +
                     painter.laneX(!packet.from, facts.laneOf(!packet.from, packet.destination));
    return QPointF(x / 2, (painter.yOf(packet.sent_ns) + painter.yOf(packet.arrived_ns)) / 2).toPoint();
}

}

class TestUiLadder : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cleanup();
    void hasALaneForEachAddress();
    void showsBothEndsOfTwoTaps();
    void findsWhatWasLostBehindOneTap();
    void marksWhatIsEstimated();
    void showsWhatWasOwed();
    void zoomsFromTheWholeToAPacket();
    void goesToThePacketThatIsClicked();
    void followsOtherWindowsAndThePacketList();
    void isUsedByKeys();
    void savesFiles();
    void letsGoOfACaptureThatCloses();
    void growsWithTheCapture();
    void opensFromTheAssociation();

  private:
    SctpaLadderWindow *open(const char *capture, quint32 number = 0);

    QScopedPointer<PlayedCapture> played_;
    QScopedPointer<SctpaWindows> windows_;
};

SctpaLadderWindow *TestUiLadder::open(const char *capture, quint32 number)
{
    played_.reset(new PlayedCapture(capture ? packetsOf(capture) : QString()));
    played_->open(capture ? -1 : 0);
    if (!capture)
        played_->feedTransfer(100000);
    windows_.reset(new SctpaWindows(played_->host()));
    SctpaLadderWindow *window = windows_->showLadder(number);
    window->resize(1000, 800);
    for (int turns = 0; window->isLoading() && turns < 1000; turns++)
        QTest::qWait(10);
    QCoreApplication::processEvents();
    return window;
}

void TestUiLadder::cleanup()
{
    windows_.reset();
    played_.reset();
}

void TestUiLadder::hasALaneForEachAddress()
{
    SctpaLadderWindow *window = open("usrsctp_mh_failover_A");
    const SctpaLadderFacts &facts = window->facts();
    QVERIFY(facts.isMade());
    for (int end = 0; end < 2; end++)
        QCOMPARE(facts.lanes(end).size(), 2);
    const SctpaLadderPainter painter = window->plot()->painter();
    const double xs[] = { painter.laneX(0, 0), painter.laneX(0, 1), painter.laneX(1, 1), painter.laneX(1, 0) };
    QVERIFY(xs[0] < xs[1] && xs[1] < xs[2] && xs[2] < xs[3]);
    sctpa_packet_result_t result;
    const sctpa_view_t view = played_->view();
    QSet<int> used;
    for (quint32 i = 0; i < sctpa_ladder_length(facts.ladder()); i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(facts.ladder(), i);
        QVERIFY(sctpa_packet_result(view.sctpa, packet->packet, &result) && result.from == packet->from);
        const sctpa_end_t &sender = sctpa_assoc(view.sctpa, 0)->ends[packet->from];
        const sctpa_end_t &receiver = sctpa_assoc(view.sctpa, 0)->ends[!packet->from];
        QCOMPARE(&receiver.addrs[packet->destination].addr, sender.paths[result.path].destination);
        used.insert(packet->from * 2 + facts.laneOf(packet->from, packet->source));
        used.insert(!packet->from * 2 + facts.laneOf(!packet->from, packet->destination));
    }
    QCOMPARE(used.size(), 4);
}

void TestUiLadder::showsBothEndsOfTwoTaps()
{
    SctpaLadderWindow *window = open("two_taps");
    const sctpa_ladder_t *ladder = window->facts().ladder();
    const sctpa_view_t view = played_->view();
    QCOMPARE(int(sctpa_ladder_far(ladder)), int(SCTPA_LADDER_TWO_TAPS));
    QVERIFY(!sctpa_ladder_is_aligned(ladder));
    int both = 0;
    for (quint32 i = 0; i < sctpa_ladder_length(ladder); i++) {
        const sctpa_ladder_packet_t *packet = sctpa_ladder_at(ladder, i);
        if (packet->again == SCTPA_NO_PACKET_INDEX)
            continue;
        both++;
        QCOMPARE(packet->sent_ns, sctpa_packet_time_ns(view.sctpa, packet->packet));
        QCOMPARE(packet->arrived_ns, sctpa_packet_time_ns(view.sctpa, packet->again));
        QVERIFY(packet->arrived_ns > packet->sent_ns);
    }
    QVERIFY(both > 1000);
    const QSet<quint32> lost = lostFrames("linux_bulk_loss1_A", "linux_bulk_loss1_B", 1, 0),
                        lostBack = lostFrames("linux_bulk_loss1_B", "linux_bulk_loss1_A", 1, 1);
    QVERIFY(lost.size() > 10);
    QCOMPARE(framesWith(window, SCTPA_LADDER_LOST, 0).size(), lost.size());
    QCOMPARE(framesWith(window, SCTPA_LADDER_LOST, 1).size(), lostBack.size());
}

// Every packet with data that the far capture lacks, and no other: each had to be retransmitted.
void TestUiLadder::findsWhatWasLostBehindOneTap()
{
    const QSet<quint32> lost = lostFrames("linux_bulk_loss1_A", "linux_bulk_loss1_B", 1, 0);
    SctpaLadderWindow *window = open("linux_bulk_loss1_A");
    QSet<quint32> lostData;
    for (quint32 frame : lost)
        if (window->facts().ofFrame(frame)->flags & SCTPA_LADDER_HAS_TSN)
            lostData.insert(frame);
    QVERIFY(lostData.size() > 10);
    QCOMPARE(framesWith(window, SCTPA_LADDER_LOST, 0), lostData);
    for (quint32 frame : framesWith(window, SCTPA_LADDER_REPEATS, 0)) {
        const sctpa_ladder_packet_t *packet = window->facts().ofFrame(frame);
        const sctpa_ladder_packet_t *first = window->facts().ofPacket(packet->repeats);
        QVERIFY(first && first->time_ns < packet->time_ns && first->flags & SCTPA_LADDER_HAS_TSN);
        QVERIFY(qint32(packet->first_tsn - first->first_tsn) >= 0 && qint32(first->last_tsn - packet->first_tsn) >= 0);
    }
}

// No estimate has a number.
void TestUiLadder::marksWhatIsEstimated()
{
    QTemporaryDir folder;
    const QString svg = folder.filePath(QStringLiteral("a.svg"));
    for (const bool hasTwoTaps : { false, true }) {
        SctpaLadderWindow *window = open(hasTwoTaps ? "two_taps" : "linux_bulk_loss1_A");
        QCOMPARE(window->save(svg), QString());
        QCOMPARE(textsOf(svg).contains(QStringLiteral("estimated")), !hasTwoTaps);
        const auto *times = window->findChild<QLabel *>(QStringLiteral("times"));
        QCOMPARE(times->text().contains(QStringLiteral("estimated")), !hasTwoTaps);
        const QString card =
            sctpaLadderCard(window->facts(), *window->facts().ofFrame(5), false, QString()).join(QLatin1Char('\n'));
        QCOMPARE(card.contains(QStringLiteral("estimated")), !hasTwoTaps);
        QVERIFY(!card.contains(QStringLiteral(" ms")));
        cleanup();
    }
}

// HEARTBEATs of the demo that no HEARTBEAT ACK answered, and INITs, the last of which nothing followed.
void TestUiLadder::showsWhatWasOwed()
{
    QTemporaryDir folder;
    const QString svg = folder.filePath(QStringLiteral("a.svg"));
    SctpaLadderWindow *window = open("demo", 0);
    QList<quint32> frames;
    for (const SctpaLadderFacts::Owed &owed : window->facts().owed()) {
        const sctpa_ladder_packet_t *since = window->facts().ofPacket(owed.since);
        frames.append(window->facts().frameOf(owed.since));
        QVERIFY(since->from == 0 && owed.end == 1 && owed.fromNs == since->arrived_ns && owed.toNs > owed.fromNs);
    }
    QCOMPARE(frames, QList<quint32>({ 438, 661, 809, 1454, 1947, 2628 }));
    const auto cardOf = [window](quint32 frame) {
        const sctpa_ladder_packet_t *packet = window->facts().ofFrame(frame);
        return sctpaLadderCard(window->facts(), *packet, false, QString()).join(QLatin1Char('\n'));
    };
    QVERIFY2(cardOf(438).contains(QStringLiteral("Owed for it, missing: HEARTBEAT ACK, after 566.7 ms")),
             qPrintable(cardOf(438)));
    QVERIFY2(cardOf(589).contains(QStringLiteral("Owed since packet 438, missing: HEARTBEAT ACK, after 566.7 ms")),
             qPrintable(cardOf(589)));
    QVERIFY(!cardOf(437).contains(QStringLiteral("Owed")));
    QCOMPARE(window->save(svg), QString());
    QVERIFY(!textsOf(svg).filter(QStringLiteral("missing: ")).isEmpty());

    cleanup();
    window = open("demo", 1);
    QCOMPARE(window->facts().owed().size(), 5);
    QCOMPARE(window->facts().owed().last().settledBy, SCTPA_NO_PACKET_INDEX);
}

void TestUiLadder::zoomsFromTheWholeToAPacket()
{
    SctpaLadderWindow *window = open(nullptr);
    SctpaLadderPlot *plot = window->plot();
    QCOMPARE(plot->fromNs(), plot->wholeFromNs());
    QCOMPARE(plot->toNs(), plot->wholeToNs());
    QCOMPARE(plot->painter().detail(), Detail::Density);
    QCOMPARE(window->bar()->maximum(), 0);
    QSet<int> details;
    const double y = std::floor(plot->painter().body().center().y());
    const qint64 middle = plot->painter().timeOf(y);
    for (int i = 0; i < 80; i++) {
        turnWheel(plot, QPoint(500, int(y)), 1);
        details.insert(plot->painter().detail());
        QVERIFY(qAbs(plot->painter().yOf(middle) - y) < 3);
    }
    QCOMPARE(details.size(), 3);
    QCOMPARE(plot->painter().detail(), Detail::Labels);
    QVERIFY(plot->toNs() - plot->fromNs() < 100000);
    QVERIFY(window->bar()->maximum() > 0);
    const qint64 before = plot->fromNs();
    turnWheel(plot, QPoint(500, int(y)), -1, Qt::ShiftModifier);
    QVERIFY(plot->fromNs() > before);
    window->bar()->setValue(0);
    QVERIFY(plot->fromNs() < before);
    QTest::keyClick(plot, Qt::Key_0);
    QCOMPARE(plot->toNs(), plot->wholeToNs());
}

void TestUiLadder::goesToThePacketThatIsClicked()
{
    SctpaLadderWindow *window = open("two_taps");
    SctpaLadderPlot *plot = window->plot();
    // The first INIT and its answer: their lines do not meet.
    const sctpa_ladder_packet_t *answer = sctpa_ladder_at(window->facts().ladder(), 1);
    plot->showTime(window->facts().firstNs(), window->facts().firstNs() + 100000000);
    QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, placeOf(window, *answer));
    QCOMPARE(played_->frames, QVector<quint32>{ window->facts().frameOf(answer->packet) });
    QCOMPARE(plot->selectedFrame(), window->facts().frameOf(answer->packet));
    QTest::mouseClick(plot, Qt::LeftButton, Qt::NoModifier, QPoint(5, 5));
    QCOMPARE(played_->frames.size(), 1);
    played_->hidden.insert(window->facts().frameOf(answer->packet));
    QTest::keyClick(plot, Qt::Key_G);
    QVERIFY(window->message().contains(QStringLiteral("hidden by the display filter")));
}

void TestUiLadder::followsOtherWindowsAndThePacketList()
{
    SctpaLadderWindow *window = open("linux_bulk_loss1_A");
    SctpaLadderPlot *plot = window->plot();
    QCOMPARE(plot->selectedFrame(), 0u);
    QCOMPARE(windows_->capture()->goToFrame(2000), QString());
    QCOMPARE(plot->selectedFrame(), 2000u);
    const sctpa_ladder_packet_t *packet = window->facts().ofFrame(2000);
    QVERIFY(plot->fromNs() <= packet->sent_ns && plot->toNs() >= packet->arrived_ns);
    QVERIFY(plot->painter().detail() != Detail::Density);
    played_->selected = 17;
    QTRY_COMPARE(plot->selectedFrame(), 17u);
    QVERIFY(plot->fromNs() <= window->facts().ofFrame(17)->time_ns);
    QVERIFY(plot->toNs() >= window->facts().ofFrame(17)->time_ns);
    QVERIFY(plot->accessibleDescription().startsWith(QStringLiteral("Packet 17")));
}

void TestUiLadder::isUsedByKeys()
{
    SctpaLadderWindow *window = open("linux_bulk_loss1_A");
    SctpaLadderPlot *plot = window->plot();
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(plot->selectedFrame(), window->facts().frameOf(sctpa_ladder_at(window->facts().ladder(), 0)->packet));
    QTest::keyClick(plot, Qt::Key_Right);
    QCOMPARE(plot->selectedFrame(), window->facts().frameOf(sctpa_ladder_at(window->facts().ladder(), 1)->packet));
    QTest::keyClick(plot, Qt::Key_Left);
    QCOMPARE(plot->selectedFrame(), window->facts().frameOf(sctpa_ladder_at(window->facts().ladder(), 0)->packet));
    QTest::keyClick(plot, Qt::Key_L);
    QVERIFY(window->facts().ofFrame(plot->selectedFrame())->flags & SCTPA_LADDER_LOST);
    QTest::keyClick(plot, Qt::Key_R);
    QVERIFY(window->facts().ofFrame(plot->selectedFrame())->flags & SCTPA_LADDER_REPEATS);
    QTest::keyClick(plot, Qt::Key_Return);
    QCOMPARE(played_->frames, QVector<quint32>{ plot->selectedFrame() });
    const qint64 length = plot->toNs() - plot->fromNs(), from = plot->fromNs();
    QTest::keyClick(plot, Qt::Key_PageDown);
    QVERIFY(plot->fromNs() > from + length / 2 && plot->fromNs() < from + length);
    QTest::keyClick(plot, Qt::Key_Minus);
    QVERIFY(plot->toNs() - plot->fromNs() > length);
    QTest::keyClick(plot, Qt::Key_Home);
    QCOMPARE(plot->fromNs(), plot->wholeFromNs());
    QTest::keyClick(plot, Qt::Key_End);
    QCOMPARE(plot->toNs(), plot->wholeToNs());
}

void TestUiLadder::savesFiles()
{
    SctpaLadderWindow *window = open("two_taps");
    QTemporaryDir folder;
    window->plot()->showTime(window->facts().firstNs(), window->facts().firstNs() + 100000000);
    for (const char *name : { "a.png", "a.svg", "a.pdf" })
        QCOMPARE(window->save(folder.filePath(QLatin1String(name))), QString());
    const QImage image(folder.filePath(QStringLiteral("a.png")));
    QCOMPARE(image.width(), 2 * window->plot()->width());
    const QStringList texts = textsOf(folder.filePath(QStringLiteral("a.svg")));
    for (const char *text : { "INIT", "INIT ACK", "COOKIE ACK", "10.1.0.1", "10.1.1.1", "ESTABLISHED" })
        QVERIFY2(texts.contains(QLatin1String(text)), text);
    QFile pdf(folder.filePath(QStringLiteral("a.pdf")));
    QVERIFY(pdf.open(QIODevice::ReadOnly));
    const QByteArray document = pdf.readAll();
    QVERIFY(document.startsWith("%PDF-") && document.trimmed().endsWith("%%EOF"));
    QVERIFY(window->save(QStringLiteral("/nonexistent/a.pdf")).startsWith(QStringLiteral("/nonexistent/a.pdf could")));
}

void TestUiLadder::letsGoOfACaptureThatCloses()
{
    SctpaLadderWindow *window = open("linux_zerowin_A");
    window->plot()->point(QPointF(300, 300));
    windows_->captureClosing();
    played_->close();
    QVERIFY(!window->facts().isThere());
    window->grab();
    QTest::keyClick(window->plot(), Qt::Key_Plus);
    QCOMPARE(window->message(), QStringLiteral("No capture is open."));
    played_->open();
    windows_->capture()->refresh();
    QTRY_VERIFY(window->facts().isMade());
    window->grab();
}

void TestUiLadder::growsWithTheCapture()
{
    played_.reset(new PlayedCapture(packetsOf("linux_bulk_loss1_A")));
    played_->open(500);
    windows_.reset(new SctpaWindows(played_->host()));
    SctpaLadderWindow *window = windows_->showLadder(0);
    QTRY_VERIFY(window->facts().isMade());
    const quint32 before = sctpa_ladder_length(window->facts().ladder());
    played_->feed(500);
    QTRY_VERIFY(window->facts().isMade() && sctpa_ladder_length(window->facts().ladder()) >= before + 400);
    QCOMPARE(window->plot()->toNs(), window->plot()->wholeToNs());
}

void TestUiLadder::opensFromTheAssociation()
{
    open("linux_zerowin_A");
    SctpaAssocWindow *window = windows_->showAssociation(0);
    QSignalSpy wanted(window, &SctpaAssocWindow::ladderWanted);
    button(window, "Ladder")->click();
    QCOMPARE(wanted.size(), 1);
    SctpaLadderWindow *ladder = windows_->showLadder(0);
    button(ladder, "Filter Visible Range")->click();
    QVERIFY(played_->filter.startsWith(QStringLiteral("sctp.analysis.assoc == 0 && frame.time_epoch >= ")));
    button(ladder, "Statistics for Visible Range")->click();
    QVERIFY(window->association()->hasTime());
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiLadder>(argc, argv);
}

#include "test_ui_ladder.moc"
