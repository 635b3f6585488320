/* SPDX-License-Identifier: GPL-2.0-or-later */
// The words of the cards. What is not known is left out.
#include "packet_card.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

extern "C" {
#include "report/text/protocol_names.h"
#include "report/text/text.h"
}

namespace {

constexpr int PathsListed = 4, PathsAsked = 32;

constexpr quint32 SentKinds = 1u << SCTPA_SERIES_SENT | SCTPA_SERIES_OF_RETRANSMISSIONS;

QString tr(const char *text)
{
    return QCoreApplication::translate("sctpa_card", text);
}

QString bytesText(quint64 bytes)
{
    return sctpaValueText(SctpaUnit::Bytes, double(bytes), 0);
}

QString tsnText(const SctpaGraphData &data, qint64 tsn)
{
    return tr("%1 (raw %2)").arg(tsn).arg(quint32(data.initialTsn() + quint64(tsn)));
}

QString packetText(const SctpaGraphData &data, quint32 packet)
{
    return tr("packet %1").arg(data.frameOf(packet));
}

QString ordinal(unsigned number)
{
    static const char *const Ends[] = { "th", "st", "nd", "rd" };
    const unsigned last = number % 100 / 10 == 1 ? 0 : number % 10;
    return QString::number(number) + QLatin1String(Ends[last < 4 ? last : 0]);
}

// Do the rows of the packet say what the point does?
bool isSaidInRows(const SctpaFound &found)
{
    constexpr quint32 Said = SentKinds | 1u << SCTPA_SERIES_CUM_ACK | 1u << SCTPA_SERIES_A_RWND;
    return found.kind >= 0 && Said >> found.kind & 1;
}

// Is it a point of a TSN, at one of its transmissions?
bool isTransmission(const SctpaFound &found)
{
    return found.kind >= 0 && SentKinds >> found.kind & 1;
}

// Fills a card of one packet of the data that is shown, or of its acks.
class PacketCard {
  public:
    PacketCard(const SctpaGraphData &data, const SctpaFound &found, SctpaCard *card)
        : data_(data), sctpa_(data.analysis()), assoc_(sctpa_assoc(sctpa_, data.assoc())), found_(found), card_(card),
          index_(found.kind >= 0 ? found.packet : data.packetOf(found.frame))
    {
    }

    void fill()
    {
        if (!sctpa_packet_result(sctpa_, index_, &packet_) || packet_.assoc != data_.assoc())
            return;
        addPath();
        addData();
        addSack();
        addOwed();
    }

  private:
    void add(const QString &label, const QString &text) { card_->rows.append({ label, text }); }

    void addPath()
    {
        const bool isSent = packet_.from == data_.end();
        const quint16 path = isSent ? packet_.path : packet_.peer_path;
        if (path < data_.pathNames().size())
            add(tr("path"), isSent ? QStringLiteral("→ ") + data_.pathNames().at(path)
                                   : tr("from %1").arg(data_.pathNames().at(path)));
    }

    void addData()
    {
        int64_t tsn = found_.point;
        uint32_t count = 0;
        if (!isTransmission(found_) && !sctpa_packet_tsns(sctpa_, data_.assoc(), data_.end(), index_, &tsn, &count))
            return;
        sctpa_tsn_result_t result;
        if (!sctpa_tsn_result(sctpa_, data_.assoc(), data_.end(), tsn, index_, &result))
            return;
        add(tr("TSN"), tsnText(data_, tsn) + (count > 1 ? tr(", and %1 more").arg(count - 1) : QString()));
        sctpa_user_message_t message;
        const bool hasMessage = sctpa_user_message_of(sctpa_, data_.assoc(), data_.end(), tsn, &message);
        addContent(*result.tsn, hasMessage ? &message : nullptr);
        addTransmission(result);
        addArrival(result);
        if (hasMessage && message.fate == SCTPA_FATE_ACKED)
            addDelivery(*result.tsn, message);
    }

    void addContent(const sctpa_tsn_t &tsn, const sctpa_user_message_t *message)
    {
        const bool isIData = tsn.flags & SCTPA_TSN_I_DATA, begins = tsn.flags & SCTPA_TSN_BEGIN;
        QString place = QString::number(tsn.stream);
        if (isIData)
            place += tr(", MID %1, FSN %2").arg(tsn.ssn).arg(begins ? 0 : tsn.ppid);
        else if (!(tsn.flags & SCTPA_TSN_UNORDERED))
            place += tr(", SSN %1").arg(tsn.ssn);
        if (tsn.flags & SCTPA_TSN_UNORDERED)
            place += tr(", unordered");
        add(tr("stream"), place);
        const quint32 ppid = message ? message->ppid : tsn.ppid;
        if (!isIData || begins || message)
            add(tr("PPID"), sctpaAppended([&](GString *out) { sctpa_ppid_text_append(out, assoc_, ppid); }));
        add(tr("length"), bytesText(tsn.bytes));
    }

    void addTransmission(const sctpa_tsn_result_t &result)
    {
        const sctpa_data_result_t &sent = result.sent;
        if (sent.is_other_message) {
            add(tr("transmission"),
                tr("of another message, by the TSN of %1").arg(tr("packet %1").arg(sent.first_frame)));
            return;
        }
        const unsigned before = result.tsn->state & SCTPA_TSN_EARLIER_UNSEEN ? 1 : 0;
        QString text = tr("%1 of %2").arg(ordinal(sent.transmission)).arg(result.tsn->transmissions);
        if (before)
            text += tr(" captured; an earlier one is missing");
        if (sent.is_retransmission)
            text += QStringLiteral(", ") + sctpaSeriesLabel(sctpa_series_kind_t(SCTPA_SERIES_FAST + sent.kind));
        if (sent.is_retransmission && (sent.spurious || (result.is_needed && result.acked_after_ns >= 0)))
            text += sent.spurious ? tr(", spurious") : tr(", needed");
        add(tr("transmission"), text);
        if (sent.transmission > 1)
            add(tr("first transmission"),
                tr("packet %1, %2 earlier").arg(sent.first_frame).arg(sctpaDurationText(result.since_first_ns)));
    }

    void addArrival(const sctpa_tsn_result_t &result)
    {
        if (result.arrival_packet != SCTPA_NO_PACKET_INDEX)
            add(tr("acknowledged"),
                tr("in %1, after %2")
                    .arg(packetText(data_, result.arrival_packet), sctpaDurationText(result.acked_after_ns)));
        else if (result.tsn->state & SCTPA_TSN_ABANDONED)
            add(tr("acknowledged"), tr("no, abandoned"));
        else
            add(tr("acknowledged"), result.tsn->state & SCTPA_TSN_LATE ? tr("before it was captured") : tr("no"));
    }

    static QString waitText(const sctpa_user_message_t &message)
    {
        const QString least = sctpaDurationText(message.delay_least_ns),
                      most = sctpaDurationText(message.delay_most_ns);
        return least == most                ? least
               : message.delay_least_ns > 0 ? tr("%1 to %2").arg(least, most)
                                            : tr("%1 or less").arg(most);
    }

    void addDelivery(const sctpa_tsn_t &tsn, const sctpa_user_message_t &message)
    {
        const bool isWhole = tsn.flags & SCTPA_TSN_BEGIN && tsn.flags & SCTPA_TSN_END;
        const qint64 least = message.delivered_least_ns, most = message.delivered_most_ns;
        const QString from = sctpaDurationText(least), to = sctpaDurationText(most);
        const QString text = most < 0     ? tr("after %1 or more").arg(from)
                             : from == to ? tr("after %1").arg(from)
                             : least > 0  ? tr("after %1 to %2").arg(from, to)
                                          : tr("after %1 or less").arg(to);
        add(isWhole ? tr("delivered") : tr("message delivered"), text);
        if (message.has_wait && message.delay_most_ns > 0)
            add(tr("head-of-line blocking"), tr("%1 behind TSN %2").arg(waitText(message)).arg(message.behind));
    }

    void addSack()
    {
        sctpa_packet_sack_t sack;
        if (packet_.from == data_.end() || !sctpa_packet_sack(sctpa_, data_.assoc(), data_.end(), index_, &sack))
            return;
        add(tr("cum ack"), tsnText(data_, qint32(sack.cum_tsn - data_.initialTsn())));
        add(tr("a_rwnd"), bytesText(sack.a_rwnd_bytes));
        if (sack.chunks == 0)
            add(tr("newly acked"), tr("nothing"));
        else if (sack.first_packet == sack.last_packet)
            add(tr("newly acked"), tr("data of %1").arg(packetText(data_, sack.first_packet)));
        else
            add(tr("newly acked"), tr("%1 TSNs from packets %2 to %3")
                                       .arg(sack.chunks)
                                       .arg(data_.frameOf(sack.first_packet))
                                       .arg(data_.frameOf(sack.last_packet)));
    }

    // What the packet settles of what an endpoint owed at once.
    void addOwed()
    {
        uint32_t n;
        const sctpa_owed_result_t *owed = sctpa_packet_owed(sctpa_, index_, &n);
        for (uint32_t i = 0; i < n; i++)
            add(tr("owed"), tr("%1 since %2: %3, after %4")
                                .arg(QString::fromUtf8(sctpa_obligation_expected(sctpa_obligation_t(owed[i].what))),
                                     packetText(data_, owed[i].since),
                                     QString::fromUtf8(sctpa_owed_fate_word(sctpa_owed_fate_t(owed[i].fate))),
                                     sctpaDurationText(owed[i].waited_ns)));
    }

    const SctpaGraphData &data_;
    const sctpa_t *sctpa_;
    const sctpa_assoc_t *assoc_;
    const SctpaFound &found_;
    SctpaCard *card_;
    quint32 index_;
    sctpa_packet_result_t packet_{};
};

// Fills a card of the sender at a moment.
class SenderCard {
  public:
    SenderCard(const SctpaGraphData &data, qint64 timeNs, SctpaCard *card) : data_(data), timeNs_(timeNs), card_(card)
    {
    }

    void fill()
    {
        if (!sctpa_sender_state(data_.analysis(), data_.assoc(), data_.end(), timeNs_, &state_))
            return;
        addPaths();
        addWindow();
        addLastSack();
        addWait();
    }

  private:
    void add(const QString &label, const QString &text) { card_->rows.append({ label, text }); }

    QString ago(quint32 packet) const
    {
        return tr("%1 ago").arg(sctpaDurationText(timeNs_ - data_.packetTimeNs(packet)));
    }

    sctpa_sender_path_t pathState(int path) const
    {
        sctpa_sender_path_t state;
        sctpa_sender_path(data_.analysis(), data_.assoc(), data_.end(), quint16(path), state_.packet, timeNs_,
                          data_.hasRto(), &state);
        return state;
    }

    // Of several paths those with data outstanding.
    void addPaths()
    {
        const int paths = int(data_.pathNames().size());
        int listed = 0;
        for (int path = 0; path < std::min(paths, PathsAsked) && listed < PathsListed; path++) {
            const sctpa_sender_path_t state = pathState(path);
            if (paths > 1 && (state.flight_bytes == 0 || state.flight_bytes == SCTPA_NO_BYTES))
                continue;
            if (paths > 1)
                add(tr("path"), QStringLiteral("→ ") + data_.pathNames().at(path));
            addPath(state);
            listed++;
        }
        if (listed == 0)
            add(tr("outstanding"), tr("nothing"));
    }

    void addPath(const sctpa_sender_path_t &state)
    {
        if (state.flight_bytes != SCTPA_NO_BYTES)
            add(tr("outstanding"), bytesText(state.flight_bytes));
        if (state.has_cwnd)
            add(tr("cwnd (model)"), cwndText(state));
        if (state.t3_is_running)
            add(tr("RTO left"), timerText(state));
    }

    static QString cwndText(const sctpa_sender_path_t &state)
    {
        QString text = bytesText(state.cwnd);
        const QLocale locale(QLocale::English);
        if (state.cwnd_most != SCTPA_CWND_UNKNOWN && state.cwnd_least < state.cwnd_most)
            text += tr(" (%1 to %2)").arg(locale.toString(state.cwnd_least), locale.toString(state.cwnd_most));
        return text;
    }

    static QString timerText(const sctpa_sender_path_t &state)
    {
        const QString rto = sctpaDurationText(state.rto_ns);
        if (state.t3_left_ns < 0)
            return (state.t3_may_have_restarted ? tr("expired (RTO %1), unless a retransmission restarted T3")
                                                : tr("expired (RTO %1)"))
                .arg(rto);
        return (state.t3_may_have_restarted ? tr("%1 of %2 or more") : tr("%1 of %2"))
            .arg(sctpaDurationText(state.t3_left_ns), rto);
    }

    void addWindow()
    {
        if (state_.a_rwnd_bytes != SCTPA_NO_BYTES)
            add(tr("a_rwnd"), bytesText(state_.a_rwnd_bytes));
    }

    void addLastSack()
    {
        if (state_.sack != SCTPA_NO_PACKET_INDEX)
            add(tr("last SACK"),
                tr("%1, %2, cum ack %3").arg(packetText(data_, state_.sack), ago(state_.sack)).arg(state_.cum_tsn));
    }

    void addWait()
    {
        if (state_.tsns == 0) {
            add(tr("waits for"), isClosed() ? tr("the window to open") : tr("nothing, as far as the capture shows"));
            return;
        }
        QString text =
            tr("ack of TSN %1, sent in %2, %3")
                .arg(QString::number(state_.oldest), packetText(data_, state_.oldest_first), ago(state_.oldest_first));
        add(tr("waits for"), text);
        if (state_.transmissions > 1)
            add(QString(), tr("transmitted %1 times, last in %2, %3")
                               .arg(QString::number(state_.transmissions), packetText(data_, state_.oldest_last),
                                    ago(state_.oldest_last)));
    }

    bool isClosed() const
    {
        return state_.a_rwnd_bytes != SCTPA_NO_BYTES && sctpa_window_is_closed(state_.a_rwnd_bytes);
    }

    const SctpaGraphData &data_;
    qint64 timeNs_;
    SctpaCard *card_;
    sctpa_sender_state_t state_{};
};

}

QStringList SctpaCard::lines() const
{
    if (isEmpty())
        return {};
    QStringList lines = QStringList{ head } + notes;
    for (const Row &row : rows)
        lines.append(row.label.isEmpty() ? row.text : QStringLiteral("%1: %2").arg(row.label, row.text));
    return lines;
}

SctpaCard sctpaPacketCard(const SctpaGraphData &data, const SctpaFound &found, const QString &when)
{
    SctpaCard card;
    card.head = tr("Packet %1 · %2").arg(found.frame).arg(when);
    if (!isSaidInRows(found))
        card.notes = found.text.split(QLatin1Char('\n'));
    PacketCard(data, found, &card).fill();
    return card;
}

SctpaCard sctpaSenderCard(const SctpaGraphData &data, qint64 timeNs, const QString &when, const QStringList &notes)
{
    SctpaCard card;
    card.head = tr("Sender at %1").arg(when);
    card.notes = notes;
    SenderCard(data, timeNs, &card).fill();
    return card;
}
