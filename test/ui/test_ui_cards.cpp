/* SPDX-License-Identifier: GPL-2.0-or-later */
// Protects what the cards of the graphs say: the core answers for one packet, one message, one moment what its walks
// of all say; the words; that a card lies beside what is pointed at.
#include "graphs_reading.h"
#include "offscreen_main.h"

extern "C" {
#include "../../plugins/sctp_analysis/core/data/past.h"
}

class TestUiCards : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cleanup() { graphs_.close(); }
    void aMessageIsWhatTheWalkSays_data() { captures(); }
    void aMessageIsWhatTheWalkSays();
    void aPathIsWhatItWasWhenThePacketCame_data() { captures(); }
    void aPathIsWhatItWasWhenThePacketCame();
    void outstandingIsThatOfTheSeries_data() { captures(); }
    void outstandingIsThatOfTheSeries();
    void packetsHoldTheTsnsOfTheSeries_data() { captures(); }
    void packetsHoldTheTsnsOfTheSeries();
    void aRetransmissionSaysWhichItIsAndWhy();
    void aSackSaysWhatItAcknowledges();
    void aGapShowsTheSender();
    void cardsLieBesideWhatIsPointedAt();
    void aLongTransferCostsNoMore();

  private:
    static void captures();
    QStringList pointAt(SctpaGraphsWindow *window, const SctpaTrace *trace, const sctpa_point_t &point) const;

    PlayedGraphs graphs_;
};

void TestUiCards::captures()
{
    QTest::addColumn<QByteArray>("capture");
    QTest::addColumn<int>("number");
    for (const char *name :
         { "linux_bulk_loss1_A", "linux_bulk_loss1_B", "usrsctp_mh_failover_A", "linux_zerowin_A", "linux_prsctp_A" })
        QTest::newRow(name) << QByteArray(name) << 0;
    for (int number : { 0, 3, 7 })
        QTest::addRow("demo %d", number) << QByteArray("demo") << number;
}

void TestUiCards::aMessageIsWhatTheWalkSays()
{
    QFETCH(QByteArray, capture);
    QFETCH(int, number);
    PlayedCapture played(packetsOf(capture.constData()));
    played.open();
    const sctpa_t *sctpa = played.view().sctpa;
    for (quint8 end = 0; end < 2; end++) {
        QVector<sctpa_user_message_t> all;
        sctpa_each_user_message(
            sctpa, quint32(number), end,
            [](void *to, const sctpa_user_message_t *message) {
                static_cast<QVector<sctpa_user_message_t> *>(to)->append(*message);
            },
            &all);
        for (const sctpa_user_message_t &message : std::as_const(all)) {
            sctpa_user_message_t one;
            if (message.fate == SCTPA_FATE_PARTLY_SEEN)
                continue;
            QVERIFY(sctpa_user_message_of(sctpa, quint32(number), end, message.number, &one));
            QCOMPARE(one.fate, message.fate);
            QCOMPARE(one.ppid, message.ppid);
            QCOMPARE(one.sent, message.sent);
            QCOMPARE(one.number, message.number);
            if (message.fate == SCTPA_FATE_ACKED) {
                QCOMPARE(qint64(one.ack_ns), qint64(message.ack_ns));
                QCOMPARE(qint64(one.delivered_least_ns), qint64(message.delivered_least_ns));
                QCOMPARE(qint64(one.delivered_most_ns), qint64(message.delivered_most_ns));
            }
            QCOMPARE(one.has_wait, message.has_wait);
            if (message.has_wait)
                QCOMPARE(qint64(one.delay_least_ns), qint64(message.delay_least_ns));
            QCOMPARE(qint64(one.delay_most_ns), qint64(message.delay_most_ns));
        }
    }
}

namespace {

struct Sender {
    const sctpa_t *sctpa;
    quint8 end;
};

uint16_t pathOf(const void *user, uint32_t packet)
{
    const auto *sender = static_cast<const Sender *>(user);
    sctpa_packet_result_t result;
    if (!sctpa_packet_result(sender->sctpa, packet, &result))
        return SCTPA_NO_PATH;
    return result.from == sender->end ? result.path : result.peer_path;
}

// As the data kept it while packets came.
struct Live {
    quint32 packet;
    quint8 end;
    quint16 path;
    quint64 flight;
    quint32 t3;
};

}

// The timer that is found afterwards is the one that ran.
void TestUiCards::aPathIsWhatItWasWhenThePacketCame()
{
    QFETCH(QByteArray, capture);
    QFETCH(int, number);
    PlayedCapture played(packetsOf(capture.constData()));
    QVector<Live> lives;
    played.open(0);
    for (int i = 0; i < played.size(); i++) {
        played.feed(1);
        const sctpa_t *sctpa = played.view().sctpa;
        for (quint8 end = 0; end < 2 && quint32(number) < sctpa_assoc_count(sctpa); end++) {
            const sctpa_direction_t *direction = sctpa_direction(sctpa, quint32(number), end);
            for (quint32 path = 0; direction && path < direction->paths.len; path++) {
                const sctpa_data_path_t *known = sctpa_direction_known_path(direction, quint16(path));
                lives.append({ quint32(i), end, quint16(path), known->flight_bytes, known->t3_packet });
            }
        }
    }
    const sctpa_t *sctpa = played.view().sctpa;
    int known = 0, timers = 0, otherTimers = 0;
    for (const Live &live : std::as_const(lives)) {
        const Sender sender{ sctpa, live.end };
        sctpa_past_path_t past;
        const sctpa_direction_t *direction = sctpa_direction(sctpa, quint32(number), live.end);
        if (!sctpa_past_path(direction, live.path, live.packet, pathOf, &sender, &past))
            continue;
        known++;
        QVERIFY2(past.flight_bytes == live.flight, qPrintable(QStringLiteral("packet %1 end %2 path %3: %4, was %5")
                                                                  .arg(live.packet)
                                                                  .arg(live.end)
                                                                  .arg(live.path)
                                                                  .arg(past.flight_bytes)
                                                                  .arg(live.flight)));
        timers += past.t3_is_running;
        otherTimers += past.t3_is_running && past.t3_packet != live.t3;
    }
    QVERIFY(lives.isEmpty() || known > 0 || capture.startsWith("linux_prsctp"));
    QVERIFY(lives.isEmpty() || timers > 0 || capture.startsWith("linux_prsctp"));
    QCOMPARE(otherTimers, 0);
}

void TestUiCards::outstandingIsThatOfTheSeries()
{
    QFETCH(QByteArray, capture);
    QFETCH(int, number);
    SctpaGraphsWindow *window = graphs_.open(capture.constData(), quint32(number));
    const sctpa_t *sctpa = graphs_.played->view().sctpa;
    const quint8 end = window->data().end();
    int same = 0;
    for (const SctpaTrace *trace : window->stack()->plot(QStringLiteral("bytes"))->traces()) {
        if (trace->shown().kind != SCTPA_SERIES_FLIGHT)
            continue;
        quint32 n;
        const sctpa_point_t *points = sctpa_series_points(trace->series().get(), &n);
        for (quint32 i = 0; i < n; i++) {
            sctpa_sender_path_t path;
            sctpa_sender_path(sctpa, quint32(number), end, points[i].path, points[i].packet, points[i].time_ns, true,
                              &path);
            if (path.flight_bytes == SCTPA_NO_BYTES)
                continue;
            QCOMPARE(qint64(path.flight_bytes), qint64(points[i].value));
            same++;
        }
    }
    QVERIFY(same > 0 || capture.startsWith("linux_prsctp"));
}

void TestUiCards::packetsHoldTheTsnsOfTheSeries()
{
    QFETCH(QByteArray, capture);
    QFETCH(int, number);
    SctpaGraphsWindow *window = graphs_.open(capture.constData(), quint32(number));
    const sctpa_t *sctpa = graphs_.played->view().sctpa;
    const quint8 end = window->data().end();
    QHash<quint32, QPair<qint64, quint32>> held; // by packet: lowest TSN, how many
    for (const SctpaTrace *trace : window->stack()->plot(QStringLiteral("tsn"))->traces()) {
        if (trace->shown().kind > SCTPA_SERIES_UNKNOWN)
            continue;
        quint32 n;
        const sctpa_point_t *points = sctpa_series_points(trace->series().get(), &n);
        for (quint32 i = 0; i < n; i++) {
            const auto before = held.value(points[i].packet, { INT64_MAX, 0 });
            held.insert(points[i].packet, { qMin<qint64>(before.first, points[i].value), before.second + 1 });
        }
    }
    QVERIFY(!held.isEmpty());
    for (auto it = held.cbegin(); it != held.cend(); ++it) {
        int64_t first = -1;
        uint32_t count = 0;
        QVERIFY(sctpa_packet_tsns(sctpa, quint32(number), end, it.key(), &first, &count));
        QCOMPARE(qint64(first), it.value().first);
        QCOMPARE(count, it.value().second);
    }
}

QStringList TestUiCards::pointAt(SctpaGraphsWindow *window, const SctpaTrace *trace, const sctpa_point_t &point) const
{
    const double seconds = window->data().secondsOf(point.time_ns);
    window->stack()->showTime(QCPRange(seconds - 0.005, seconds + 0.005));
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
    window->stack()->point(placeOf(window, trace, point));
    return window->stack()->crosshair()->lines();
}

// What a person reads of it, checked against the fields of the packets in Wireshark.
void TestUiCards::aRetransmissionSaysWhichItIsAndWhy()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    for (sctpa_series_kind_t kind : { SCTPA_SERIES_FAST, SCTPA_SERIES_TIMEOUT }) {
        const SctpaTrace *trace = traceOf(window, kind);
        QVERIFY(trace);
        const sctpa_point_t point = *sctpa_series_point(trace->series().get(), 0);
        const QString card = pointAt(window, trace, point).join(QLatin1Char('\n'));
        sctpa_tsn_result_t result;
        QVERIFY(sctpa_tsn_result(graphs_.played->view().sctpa, 0, window->data().end(), point.value, point.packet,
                                 &result));
        const QStringList said{
            QStringLiteral("Packet %1 · ").arg(window->data().frameOf(point.packet)),
            QStringLiteral("path: → 10."),
            QStringLiteral("TSN: %1 (raw %2)").arg(point.value).arg(window->data().initialTsn() + quint32(point.value)),
            QStringLiteral("stream: %1, SSN %2").arg(result.tsn->stream).arg(result.tsn->ssn),
            QStringLiteral("length: "),
            QStringLiteral("transmission: 2nd of %1, %2")
                .arg(result.tsn->transmissions)
                .arg(kind == SCTPA_SERIES_FAST ? QStringLiteral("fast") : QStringLiteral("timeout")),
            QStringLiteral("first transmission: packet %1, ").arg(result.sent.first_frame),
            QStringLiteral("acknowledged: in packet %1, after ").arg(window->data().frameOf(result.arrival_packet)),
        };
        for (const QString &each : said)
            QVERIFY2(card.contains(each), qPrintable(each + QStringLiteral(" is missing in\n") + card));
        QVERIFY2(card.contains(QStringLiteral("delivered: after ")), qPrintable(card));
        QCOMPARE(card.contains(QStringLiteral("spurious")), result.sent.spurious);
    }
}

void TestUiCards::aSackSaysWhatItAcknowledges()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    const SctpaTrace *trace = traceOf(window, SCTPA_SERIES_CUM_ACK);
    quint32 n;
    const sctpa_point_t *points = sctpa_series_points(trace->series().get(), &n);
    const sctpa_point_t point = points[n / 2];
    const double seconds = window->data().secondsOf(point.time_ns);
    window->stack()->showTime(QCPRange(seconds - 1e-5, seconds + 1e-5));
    window->stack()->replot(QCustomPlot::rpImmediateRefresh);
    SctpaFound found;
    found.kind = SCTPA_SERIES_CUM_ACK;
    found.packet = point.packet;
    found.point = point.value;
    found.frame = window->data().frameOf(point.packet);
    const QString card = sctpaPacketCard(window->data(), found, QStringLiteral("now")).lines().join(QLatin1Char('\n'));
    QVERIFY2(card.startsWith(QStringLiteral("Packet %1 · now\n").arg(found.frame)), qPrintable(card));
    QVERIFY2(card.contains(QStringLiteral("path: from 10.")), qPrintable(card));
    QVERIFY2(card.contains(QStringLiteral("cum ack: %1 (raw ").arg(point.value)), qPrintable(card));
    QVERIFY2(card.contains(QStringLiteral("a_rwnd: ")) && card.contains(QStringLiteral("newly acked: ")),
             qPrintable(card));
    QVERIFY2(card.contains(QStringLiteral("owed: SACK since packet ")) &&
                 card.contains(QStringLiteral(": answered, after ")),
             qPrintable(card));
}

// In the outage of the failover nothing happens between two timeouts.
void TestUiCards::aGapShowsTheSender()
{
    SctpaGraphsWindow *window = graphs_.open("demo", 0);
    const SctpaGraphData &data = window->data();
    QVERIFY(!data.pauses().isEmpty() && data.hasRto());
    const SctpaGraphData::Band pause = data.pauses().first();
    const QString card =
        sctpaSenderCard(data, pause.fromNs + (pause.toNs - pause.fromNs) / 4, QStringLiteral("now"), {})
            .lines()
            .join(QLatin1Char('\n'));
    for (const char *label : { "outstanding: ", "cwnd (model): ", "RTO left: ", "a_rwnd: ", "last SACK: packet ",
                               "waits for: ack of TSN " })
        QVERIFY2(card.contains(QLatin1String(label)), qPrintable(QLatin1String(label) + QStringLiteral("\n") + card));
    // The last SACK is the one with which the pause began.
    QVERIFY2(card.contains(QStringLiteral("last SACK: packet %1, ").arg(data.frameOf(pause.packet))), qPrintable(card));
    // Before the association there is no sender.
    QCOMPARE(sctpaSenderCard(data, data.startNs() - 1000000000, QStringLiteral("now"), {}).lines(),
             QStringList{ QStringLiteral("Sender at now") });
}

void TestUiCards::cardsLieBesideWhatIsPointedAt()
{
    SctpaGraphsWindow *window = graphs_.open("linux_bulk_loss1_A");
    SctpaPlotStack *stack = window->stack();
    for (const QSize &size : { QSize(1180, 820), QSize(700, 480) }) {
        window->resize(size);
        QCoreApplication::processEvents();
        stack->replot(QCustomPlot::rpImmediateRefresh);
        for (const auto &plot : stack->plots())
            for (int i = 1; i < 40; i += 3) {
                const QRect rect = plot->rect()->rect();
                const QPointF place(rect.left() + rect.width() * i / 40.0, rect.top() + rect.height() * (i % 7) / 7.0);
                stack->point(place);
                stack->replot(QCustomPlot::rpImmediateRefresh);
                const QRectF card = stack->crosshair()->cardRect();
                if (!stack->crosshair()->isShown())
                    continue;
                QVERIFY(!card.isEmpty());
                // The mouse is never where the stack is scrolled out of sight.
                const QRectF seen(stack->visibleRegion().boundingRect());
                if (!seen.contains(stack->crosshair()->at()))
                    continue;
                QVERIFY(card.left() >= seen.left() - 1 && card.right() <= seen.right() + 1);
                QVERIFY(card.top() >= seen.top() - 1 || card.height() > seen.height());
                QVERIFY(!card.contains(stack->crosshair()->at()));
            }
    }
}

// Looking costs the same in a long transfer as in a short one.
void TestUiCards::aLongTransferCostsNoMore()
{
    PlayedCapture played;
    played.open(0);
    played.feedTransfer(300000);
    const sctpa_t *sctpa = played.view().sctpa;
    const quint32 packets = sctpa_summary(sctpa)->packets;
    QElapsedTimer clock;
    clock.start();
    sctpa_rto_before_ns(sctpa, 0, 0, 0, packets);
    qInfo("RTOs are learned in %lld ms", static_cast<long long>(clock.restart()));
    constexpr int Looks = 1000;
    for (int i = 0; i < Looks; i++) {
        const quint32 packet = quint32(qint64(packets) * i / Looks);
        int64_t tsn;
        uint32_t count;
        sctpa_user_message_t message;
        sctpa_sender_state_t state;
        sctpa_sender_path_t path;
        if (sctpa_packet_tsns(sctpa, 0, 0, packet, &tsn, &count))
            QVERIFY(sctpa_user_message_of(sctpa, 0, 0, tsn, &message));
        const int64_t timeNs = sctpa_packet_time_ns(sctpa, packet);
        sctpa_sender_state(sctpa, 0, 0, timeNs, &state);
        sctpa_sender_path(sctpa, 0, 0, 0, state.packet, timeNs, true, &path);
    }
    const double us = double(clock.nsecsElapsed()) / 1000 / Looks;
    qInfo("a look takes %.1f us", us);
    QVERIFY(us < 2000);
}

int main(int argc, char *argv[])
{
    return offscreenMain<TestUiCards>(argc, argv);
}

#include "test_ui_cards.moc"
