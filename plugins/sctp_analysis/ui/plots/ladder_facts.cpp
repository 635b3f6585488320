/* SPDX-License-Identifier: GPL-2.0-or-later */
// Reads names and events at once, and states when the ladder is made, which has their times.
#include "ladder_facts.h"

#include <QCoreApplication>

#include <algorithm>

#include "style.h"

extern "C" {
#include "report/text/address_labels.h"
}

namespace {

QString wordOf(const char *word)
{
    return QString::fromUtf8(word).replace(QLatin1Char('_'), QLatin1Char(' '));
}

// "ESTABLISHED", and a line for each other state that it may be in; empty: any state.
QString statesText(quint16 states)
{
    QStringList names;
    if (states == SCTPA_ALL_STATES)
        return QString();
    for (int state = 0; state < SCTPA_STATES; state++) {
        const QString name =
            QString::fromUtf8(sctpa_state_word(sctpa_state_t(state))).replace(QLatin1Char('_'), QLatin1Char('-'));
        if (states >> state & 1)
            state == SCTPA_STATE_ESTABLISHED ? names.prepend(name) : names.append(name);
    }
    return names.join(QStringLiteral("\nor "));
}

}

void SctpaLadderFacts::look(const sctpa_view_t &view, const sctpa_assoc_t *assoc)
{
    clear();
    sctpa_ = view.sctpa;
    assoc_ = assoc->number;
    moments_ = SctpaMoments(view.moment, view.user);
    startNs_ = view.start_ns ? view.start_ns : sctpa_summary(sctpa_)->first_ns;
    firstNs_ = assoc->first_ns;
    lastNs_ = sctpa_outcome(sctpa_, assoc, view.end_ns).last_ns;
    sctpa_labels_t *labels = sctpa_labels_new_spelled_out(&view);
    for (int end = 0; end < 2; end++) {
        endNames_[end] = sctpaEndpointName(labels, assoc, unsigned(end));
        readLanes(labels, assoc, end);
        const sctpa_direction_t *sent = sctpa_direction(sctpa_, assoc_, quint8(end));
        initialTsn_[end] = sent ? sent->initial_tsn : 0;
    }
    sctpa_labels_free(labels);
    readEvents(assoc);
}

void SctpaLadderFacts::clear()
{
    *this = SctpaLadderFacts();
}

void SctpaLadderFacts::readLanes(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, int end)
{
    const sctpa_end_t &of = assoc->ends[end];
    for (int i = 0; i < of.n_addrs; i++) {
        const bool isUsed = of.addrs[i].origin & (SCTPA_ADDR_SOURCE | SCTPA_ADDR_DESTINATION);
        laneOf_[end].append(isUsed ? int(lanes_[end].size()) : 0);
        if (isUsed)
            lanes_[end].append(sctpaAppended([&](GString *out) { sctpa_labels_addr(labels, &of.addrs[i].addr, out); }));
    }
    if (lanes_[end].isEmpty())
        lanes_[end].append(QString());
}

void SctpaLadderFacts::readEvents(const sctpa_assoc_t *assoc)
{
    for (quint32 i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t &event = assoc->events[i];
        QString text = wordOf(sctpa_event_word(event.kind));
        const int end = event.end < 2 ? event.end : 0;
        if (event.end < 2 && event.path < assoc->ends[end].n_paths && lanes_[!end].size() > 1) {
            const sctpa_addr_t *to = assoc->ends[end].paths[event.path].destination;
            for (int lane = 0; lane < assoc->ends[!end].n_addrs; lane++)
                if (&assoc->ends[!end].addrs[lane].addr == to)
                    text += QLatin1Char(' ') + lanes_[!end].at(laneOf(!end, lane));
        }
        events_.append({ event.time_ns, event.frame, end, text, sctpaIsTrouble(event.kind) });
    }
}

SctpaLadderFacts::Read SctpaLadderFacts::read() const
{
    if (!isThere())
        return {};
    auto *facts = const_cast<SctpaLadderFacts *>(this);
    return [facts, sctpa = sctpa_, assoc = assoc_]() -> Keep {
        const QSharedPointer<sctpa_ladder_t> made(sctpa_ladder(sctpa, assoc), sctpa_ladder_free);
        return [facts, made] { facts->keep(made); };
    };
}

void SctpaLadderFacts::keep(const QSharedPointer<sctpa_ladder_t> &ladder)
{
    ladder_ = ladder;
    readStates();
    readOwed();
}

void SctpaLadderFacts::readStates()
{
    quint32 n;
    const sctpa_states_change_t *changes = sctpa_state_changes(sctpa_, assoc_, &n);
    for (int end = 0; end < 2; end++)
        states_[end].clear();
    for (quint32 i = 0; i < n; i++) {
        const sctpa_ladder_packet_t *packet = ofPacket(changes[i].packet);
        for (int end = 0; packet && end < 2; end++)
            if (states_[end].isEmpty() || states_[end].last().states != changes[i].states[end])
                states_[end].append(
                    { timeAt(*packet, end), changes[i].states[end], statesText(changes[i].states[end]) });
    }
}

void SctpaLadderFacts::readOwed()
{
    quint32 n;
    const sctpa_owed_result_t *owed = sctpa_owed(sctpa_, assoc_, &n);
    owed_.clear();
    for (quint32 i = 0; i < n; i++) {
        const sctpa_ladder_packet_t *since = ofPacket(owed[i].since), *settledBy = ofPacket(owed[i].settled_by);
        if (!since || !sctpa_owed_is_wanting(&owed[i]))
            continue;
        const int end = sctpa_owed_by(sctpa_, &owed[i]);
        owed_.append({ timeAt(*since, end), settledBy ? timeAt(*settledBy, end) : lastNs_, end,
                       laneOf(end, since->from == end ? since->source : since->destination), owed[i].since,
                       owed[i].settled_by,
                       QCoreApplication::translate("sctpa_ladder", "%1: %2, after %3")
                           .arg(QString::fromUtf8(sctpa_owed_fate_word(sctpa_owed_fate_t(owed[i].fate))),
                                QString::fromUtf8(sctpa_obligation_expected(sctpa_obligation_t(owed[i].what))),
                                sctpaDurationText(owed[i].waited_ns)),
                       owed[i].fate == SCTPA_OWED_FATE_OPEN });
    }
}

quint32 SctpaLadderFacts::frameOf(quint32 packet) const
{
    return isThere() ? sctpa_packet_frame(sctpa_, packet) : 0;
}

const sctpa_ladder_packet_t *SctpaLadderFacts::ofPacket(quint32 packet) const
{
    return isMade() ? sctpa_ladder_find(ladder(), packet) : nullptr;
}

const sctpa_ladder_packet_t *SctpaLadderFacts::ofFrame(quint32 frame) const
{
    if (!isMade())
        return nullptr;
    for (quint32 nth = 0;; nth++) {
        const quint32 packet = sctpa_packet_find(sctpa_, frame, nth);
        if (packet == UINT32_MAX)
            return nullptr;
        if (const sctpa_ladder_packet_t *found = ofPacket(packet))
            return found;
    }
}
