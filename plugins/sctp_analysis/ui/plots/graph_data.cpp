// Asks the core; keeps what it made until another look.
#include "graph_data.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

extern "C" {
#include "../../report/broken.h"
#include "../../report/legend.h"
#include "../../report/triage.h"
}

namespace {

constexpr qint64 MsNs = 1000000;

quint64 keyOf(int kind, quint16 path, int stream)
{
    return quint64(kind) << 48 | quint64(path) << 32 | quint32(stream);
}

bool isTrouble(sctpa_event_kind_t kind)
{
    switch (kind) {
    case SCTPA_EVENT_PATH_FAILED:
    case SCTPA_EVENT_FAILOVER:
    case SCTPA_EVENT_ICMP_UNREACHABLE:
    case SCTPA_EVENT_PACKET_TOO_BIG:
    case SCTPA_EVENT_ABORT:
    case SCTPA_EVENT_ERROR:
    case SCTPA_EVENT_RESTART:
    case SCTPA_EVENT_COLLISION:
        return true;
    default:
        return false;
    }
}

}

void SctpaGraphData::look(const sctpa_view_t &view, const sctpa_assoc_t *assoc, quint8 end)
{
    clear();
    sctpa_ = view.sctpa;
    assoc_ = assoc->number;
    end_ = end;
    moments_ = SctpaMoments(view.moment, view.user);
    startNs_ = view.start_ns ? view.start_ns : sctpa_summary(sctpa_)->first_ns;
    firstNs_ = assoc->first_ns;
    lastNs_ = assoc->last_ns;
    source_ = sctpa_series_source(sctpa_, assoc_, end, startNs_);
    initialTsn_ = source_.direction ? source_.direction->initial_tsn : 0;
    sctpa_legend_t *legend = sctpa_legend_new_spelled_out(&view);
    for (int path = 0; path < assoc->ends[end].n_paths; path++)
        pathNames_.append(sctpaAppended([&](GString *out) {
            sctpa_legend_addr(legend, &assoc->ends[end].paths[path].destination, out);
        }));
    QString endNames[2];
    for (int e = 0; e < 2; e++)
        endNames[e] = sctpaAppended([&](GString *out) { sctpa_legend_end(legend, &assoc->ends[e], out); });
    sctpa_legend_free(legend);
    readEvents(assoc);
    readFindings(view, endNames);
    readStreams();
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
        events_.append({ event.time_ns, event.frame, text, isTrouble(event.kind) });
    }
}

void SctpaGraphData::readFindings(const sctpa_view_t &view, const QString (&endNames)[2])
{
    GArray *marks = sctpa_broken_occurrences(&view, assoc_);
    for (guint i = 0; i < marks->len; i++) {
        const sctpa_mark_t &mark = g_array_index(marks, sctpa_mark_t, i);
        const sctpa_rule_info_t *info = sctpa_rule_info(mark.finding->rule);
        const QString text = QCoreApplication::translate("SctpaPlot", "%1 %2 by %3:\n%4")
                                 .arg(QString::fromUtf8(info->id), QString::fromUtf8(sctpa_level_word(mark.finding->level)),
                                      endNames[mark.finding->accused & 1], QString::fromUtf8(info->title));
        auto same = findings_.end();
        while (same != findings_.begin() && (same - 1)->packet == mark.packet && (same == findings_.end() || same->level != mark.finding->level))
            same--;
        if (same != findings_.end() && same->packet == mark.packet && same->level == mark.finding->level)
            same->text += QLatin1Char('\n') + text;
        else
            findings_.append({ packetTimeNs(mark.packet), mark.packet, frameOf(mark.packet), mark.finding->level, text });
    }
    g_array_unref(marks);
}

void SctpaGraphData::readStreams()
{
    GArray *streams = sctpa_series_streams(&source_);
    streams_.reserve(int(streams->len));
    for (guint i = 0; i < streams->len; i++) {
        const sctpa_busy_stream_t &stream = g_array_index(streams, sctpa_busy_stream_t, i);
        streams_.append({ stream.stream, stream.user_bytes });
    }
    g_array_unref(streams);
}

qint64 SctpaGraphData::timeOf(double seconds) const
{
    return startNs_ + qint64(std::llround(seconds * 1e9));
}

quint32 SctpaGraphData::frameOf(quint32 packet) const
{
    return isThere() ? sctpa_packet_frame(sctpa_, packet) : 0;
}

qint64 SctpaGraphData::packetTimeNs(quint32 packet) const
{
    return isThere() ? qint64(sctpa_packet_time_ns(sctpa_, packet)) : 0;
}

void SctpaGraphData::make(quint32 kinds, quint16 path, int stream)
{
    sctpa_series_t *made[SCTPA_SERIES_KINDS];
    sctpa_series_request_t request {};
    request.path = path;
    request.of_stream = stream != AnyStream;
    request.stream = request.of_stream ? quint16(stream) : quint16(0);
    for (int kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        if ((kinds >> kind & 1) && !series_.contains(keyOf(kind, path, stream)))
            request.kinds |= 1u << kind;
    if (!isThere() || request.kinds == 0)
        return;
    sctpa_series_make(&source_, &request, made);
    for (int kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        if (made[kind])
            series_.insert(keyOf(kind, path, stream), SctpaSeries(made[kind], sctpa_series_free));
}

SctpaSeries SctpaGraphData::series(sctpa_series_kind_t kind, quint16 path, int stream) const
{
    const SctpaSeries series = series_.value(keyOf(kind, path, stream));
    quint32 n = 0;
    if (series)
        sctpa_series_points(series.get(), &n);
    return n > 0 ? series : SctpaSeries();
}

// Of an array of Time: each from a packet on, for so long.
template <typename Time>
QVector<SctpaGraphData::Band> SctpaGraphData::bandsOf(const GArray *times, uint32_t Time::*since, int64_t Time::*lastedNs) const
{
    QVector<Band> bands;
    for (guint i = 0; times && i < times->len; i++) {
        const Time &time = g_array_index(times, Time, i);
        const qint64 from = packetTimeNs(time.*since);
        bands.append({ from, from + time.*lastedNs, time.*since });
    }
    return bands;
}

void SctpaGraphData::findClosedWindows()
{
    if (!source_.direction || hasClosedWindows_)
        return;
    hasClosedWindows_ = true;
    sctpa_windows_t *windows = sctpa_windows_measure(&source_);
    closed_ = bandsOf(windows->closed, &sctpa_closed_t::packet, &sctpa_closed_t::closed_ns);
    sctpa_windows_free(windows);
}

void SctpaGraphData::findStalls()
{
    if (!source_.direction || hasStalls_)
        return;
    hasStalls_ = true;
    const qint64 least = std::max<qint64>(SCTPA_STALL_MS * MsNs, SCTPA_STALL_ANSWERS * source_.direction->answer_min_ns);
    sctpa_stalls_t *stalls = sctpa_stalls_measure(&source_, lastNs_, least, SCTPA_STALL_TIMEOUTS);
    stalls_ = bandsOf(stalls->stalls, &sctpa_stall_t::since, &sctpa_stall_t::stalled_ns);
    sctpa_stalls_free(stalls);
}

void SctpaGraphData::findLimits()
{
    if (!source_.direction || hasLimits_)
        return;
    hasLimits_ = true;
    sctpa_measure_t *measure = sctpa_measure(sctpa_, assoc_, end_, nullptr);
    if (measure->has_theory)
        theory_ = measure->theory;
    sctpa_measure_free(measure);
}
