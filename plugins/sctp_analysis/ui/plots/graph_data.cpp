/* SPDX-License-Identifier: GPL-2.0-or-later */
// What is read at once, and what was made. The reading that takes long stands in graph_reads.cpp.
#include "graph_data.h"

#include <QCoreApplication>

#include <cmath>

#include "style.h"

extern "C" {
#include "report/findings_filter.h"
#include "report/text/address_labels.h"
}

void SctpaGraphData::look(const sctpa_view_t &view, const sctpa_assoc_t *assoc, quint8 end)
{
    clear();
    view_ = view;
    sctpa_ = view.sctpa;
    assoc_ = assoc->number;
    end_ = end;
    moments_ = SctpaMoments(view.moment, view.user);
    startNs_ = view.start_ns ? view.start_ns : sctpa_summary(sctpa_)->first_ns;
    firstNs_ = assoc->first_ns;
    lastNs_ = sctpa_outcome(sctpa_, assoc, view.end_ns).last_ns;
    source_ = sctpa_series_source(sctpa_, assoc_, end, startNs_);
    initialTsn_ = source_.direction ? source_.direction->initial_tsn : 0;
    sctpa_labels_t *labels = sctpa_labels_new_spelled_out(&view);
    for (int path = 0; path < assoc->ends[end].n_paths; path++)
        pathNames_.append(sctpaAppended(
            [&](GString *out) { sctpa_labels_addr(labels, assoc->ends[end].paths[path].destination, out); }));
    QString endNames[2];
    for (unsigned e = 0; e < 2; e++)
        endNames[e] = sctpaEndpointName(labels, assoc, e);
    sctpa_labels_free(labels);
    readEvents(assoc);
    readFindings(view, endNames);
}

void SctpaGraphData::clear()
{
    *this = SctpaGraphData();
}

void SctpaGraphData::readEvents(const sctpa_assoc_t *assoc)
{
    for (quint32 i = 0; i < assoc->n_events; i++) {
        const sctpa_event_t &event = assoc->events[i];
        QString text = QString::fromUtf8(sctpa_event_word(event.kind)).replace(QLatin1Char('_'), QLatin1Char(' '));
        const bool hasPath = event.end < 2 && event.path < assoc->ends[event.end].n_paths;
        if (hasPath && event.end == end_)
            text += QLatin1Char(' ') + pathNames_.at(event.path);
        events_.append({ event.time_ns, event.frame, text, sctpaIsTrouble(event.kind) });
    }
}

void SctpaGraphData::readFindings(const sctpa_view_t &view, const QString (&endNames)[2])
{
    GArray *marks = sctpa_findings_filter_occurrences(&view, assoc_);
    for (guint i = 0; i < marks->len; i++) {
        const sctpa_mark_t &mark = g_array_index(marks, sctpa_mark_t, i);
        const sctpa_rule_info_t *info = sctpa_rule_info(mark.finding->rule);
        const QString text =
            QCoreApplication::translate("SctpaPlot", "%1 %2 by %3:\n%4")
                .arg(QString::fromUtf8(info->id), QString::fromUtf8(sctpa_level_word(mark.finding->level)),
                     endNames[mark.finding->accused & 1], QString::fromUtf8(info->title));
        const quint32 rule = quint32(mark.finding->rule) << 1 | (mark.finding->accused & 1);
        auto same = findings_.end();
        while (same != findings_.begin() && (same - 1)->packet == mark.packet &&
               (same == findings_.end() || same->level != mark.finding->level))
            same--;
        if (same != findings_.end() && same->packet == mark.packet && same->level == mark.finding->level) {
            same->text += QLatin1Char('\n') + text;
            same->rules.append(rule);
        } else {
            findings_.append(
                { packetTimeNs(mark.packet), mark.packet, frameOf(mark.packet), mark.finding->level, text, { rule } });
        }
    }
    g_array_unref(marks);
}

QVector<quint32> SctpaGraphData::rulesOf(quint32 frame, const QString &id) const
{
    QVector<quint32> rules;
    for (const Finding &finding : findings_)
        for (quint32 rule : finding.rules)
            if (finding.frame == frame && id == QLatin1String(sctpa_rule_info(sctpa_rule_t(rule >> 1))->id))
                rules.append(rule);
    return rules;
}

qint64 SctpaGraphData::timeOf(double seconds) const
{
    return startNs_ + qint64(std::llround(seconds * 1e9));
}

quint32 SctpaGraphData::frameOf(quint32 packet) const
{
    return isThere() ? sctpa_packet_frame(sctpa_, packet) : 0;
}

quint32 SctpaGraphData::packetOf(quint32 frame) const
{
    sctpa_packet_result_t result;
    for (quint32 nth = 0; sctpa_ && frame != 0; nth++) {
        const quint32 packet = sctpa_packet_find(sctpa_, frame, nth);
        if (!sctpa_packet_result(sctpa_, packet, &result))
            return SCTPA_NO_PACKET_INDEX;
        if (result.assoc == assoc_)
            return packet;
    }
    return SCTPA_NO_PACKET_INDEX;
}

qint64 SctpaGraphData::packetTimeNs(quint32 packet) const
{
    return isThere() ? qint64(sctpa_packet_time_ns(sctpa_, packet)) : 0;
}

quint64 SctpaGraphData::keyOf(int kind, quint16 path, int stream)
{
    return quint64(kind) << 48 | quint64(path) << 32 | quint32(stream);
}

SctpaSeries SctpaGraphData::series(sctpa_series_kind_t kind, quint16 path, int stream) const
{
    const SctpaSeries series = series_.value(keyOf(kind, path, stream));
    quint32 n = 0;
    if (series)
        sctpa_series_points(series.get(), &n);
    return n > 0 ? series : SctpaSeries();
}
