/* SPDX-License-Identifier: GPL-2.0-or-later */
// Asks the core for what takes long: walks of all TSNs, transmissions and SACKs. Nothing here is read or written but
// what was taken along.
#include "graph_data.h"

#include <algorithm>

extern "C" {
#include "report/text/pause_text.h"
#include "report/text/text.h"
}

namespace {

// Of an array of Time: each from a packet on, for so long.
template <typename Time>
QVector<SctpaGraphData::Band> bandsOf(const sctpa_t *sctpa, const GArray *times, uint32_t Time::*since,
                                      int64_t Time::*lastedNs)
{
    QVector<SctpaGraphData::Band> bands;
    for (guint i = 0; times && i < times->len; i++) {
        const Time &time = g_array_index(times, Time, i);
        const auto from = qint64(sctpa_packet_time_ns(sctpa, time.*since));
        bands.append({ from, from + time.*lastedNs, time.*since, {} });
    }
    return bands;
}

QVector<SctpaGraphData::Stream> streamsOf(const sctpa_series_source_t &source)
{
    QVector<SctpaGraphData::Stream> found;
    GArray *streams = sctpa_series_streams(&source);
    found.reserve(int(streams->len));
    for (guint i = 0; i < streams->len; i++) {
        const sctpa_busy_stream_t &stream = g_array_index(streams, sctpa_busy_stream_t, i);
        found.append({ stream.stream, stream.user_bytes });
    }
    g_array_unref(streams);
    return found;
}

// Does the rate fall to nothing, and rise again, every few bins?
bool isComb(const sctpa_series_t *rate)
{
    constexpr quint32 BinsPerEdge = 4, FewestBins = 80;
    quint32 n = 0, edges = 0;
    const sctpa_point_t *points = sctpa_series_points(rate, &n);
    for (quint32 i = 1; i < n; i++)
        edges += (points[i].value == 0) != (points[i - 1].value == 0);
    return n >= FewestBins && edges * BinsPerEdge > n;
}

qint64 rateBinOf(const sctpa_series_source_t &source)
{
    constexpr qint64 Wider = 2;
    sctpa_series_t *made[SCTPA_SERIES_KINDS];
    sctpa_series_request_t request{};
    request.path = SCTPA_SERIES_ANY_PATH;
    request.kinds = 1u << SCTPA_SERIES_GOODPUT;
    for (bool isWide = false; !isWide;) {
        sctpa_series_make(&source, &request, made);
        sctpa_series_t *rate = made[SCTPA_SERIES_GOODPUT];
        const qint64 binNs = sctpa_series_bin_ns(rate);
        isWide = !isComb(rate);
        request.bin_ns = isWide ? binNs : binNs * Wider;
        sctpa_series_free(rate);
    }
    return request.bin_ns;
}

// By kind, ready to be painted.
QVector<SctpaSeries> seriesOf(const sctpa_series_source_t &source, const sctpa_series_request_t &request)
{
    sctpa_series_t *made[SCTPA_SERIES_KINDS];
    QVector<SctpaSeries> all(SCTPA_SERIES_KINDS);
    sctpa_series_make(&source, &request, made);
    for (int kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        if (made[kind]) {
            sctpa_series_before(made[kind], 0);
            all[kind] = SctpaSeries(made[kind], sctpa_series_free);
        }
    return all;
}

}

SctpaGraphData::Read SctpaGraphData::readSeries(quint32 kinds, quint16 path, int stream)
{
    sctpa_series_request_t request{};
    request.path = path;
    request.bin_ns = rateBinNs_;
    request.of_stream = stream != AnyStream;
    request.stream = request.of_stream ? quint16(stream) : quint16(0);
    for (int kind = 0; kind < SCTPA_SERIES_KINDS; kind++)
        if ((kinds >> kind & 1) && !series_.contains(keyOf(kind, path, stream)))
            request.kinds |= 1u << kind;
    if (!isThere() || request.kinds == 0)
        return {};
    return [this, request, source = source_, path, stream]() -> Keep {
        return [this, made = seriesOf(source, request), path, stream] {
            for (int kind = 0; kind < made.size(); kind++)
                if (made.at(kind))
                    series_.insert(keyOf(kind, path, stream), made.at(kind));
        };
    };
}

SctpaGraphData::Read SctpaGraphData::readRateBin()
{
    if (rateBinNs_ != 0 || !source_.direction)
        return {};
    return [this, source = source_]() -> Keep { return [this, binNs = rateBinOf(source)] { rateBinNs_ = binNs; }; };
}

SctpaGraphData::Read SctpaGraphData::readStreams()
{
    if (hasStreams_ || !source_.direction)
        return {};
    return [this, source = source_]() -> Keep {
        return [this, streams = streamsOf(source)] {
            hasStreams_ = true;
            streams_ = streams;
        };
    };
}

SctpaGraphData::Read SctpaGraphData::readClosedWindows()
{
    if (hasClosedWindows_ || !source_.direction)
        return {};
    return [this, source = source_, sctpa = sctpa_]() -> Keep {
        sctpa_windows_t *windows = sctpa_windows_measure(&source);
        const QVector<Band> closed =
            bandsOf(sctpa, windows->closed, &sctpa_closed_t::packet, &sctpa_closed_t::closed_ns);
        sctpa_windows_free(windows);
        return [this, closed] {
            hasClosedWindows_ = true;
            closed_ = closed;
        };
    };
}

SctpaGraphData::Read SctpaGraphData::readPauses()
{
    if (hasPauses_ || !source_.direction)
        return {};
    return [this, source = source_, sctpa = sctpa_, lastNs = lastNs_]() -> Keep {
        const QSharedPointer<sctpa_pauses_t> found(sctpa_pauses_measure(&source, lastNs), sctpa_pauses_free);
        const QVector<Band> pauses = bandsOf(sctpa, found->pauses, &sctpa_pause_t::since, &sctpa_pause_t::paused_ns);
        return [this, pauses, found] {
            hasPauses_ = true;
            pauses_ = pauses;
            // Names of addresses are Wireshark's, which belongs to the main thread.
            sctpa_labels_t *labels = sctpa_labels_new_spelled_out(&view_);
            for (int i = 0; i < pauses_.size(); i++)
                pauses_[i].text = pauseText(g_array_index(found->pauses, sctpa_pause_t, i), labels);
            sctpa_labels_free(labels);
        };
    };
}

QString SctpaGraphData::pauseText(const sctpa_pause_t &pause, sctpa_labels_t *labels) const
{
    constexpr unsigned LineColumns = 60;
    return sctpaAppended([&](GString *out) {
        GString *why = g_string_new(nullptr), *head = g_string_new(nullptr);
        sctpa_text_duration(head, pause.paused_ns);
        g_string_append_printf(head, " without ack progress: %s", sctpa_pause_text(sctpa_pause_cause_t(pause.cause)));
        sctpa_pause_append_why(why, &view_, labels, sctpa_assoc(sctpa_, assoc_), end_, &pause);
        g_string_append_printf(out, "%s\n", head->str);
        sctpa_text_wrap(out, "", 0, LineColumns, why->str);
        g_string_truncate(out, out->len - 1);
        g_string_free(head, TRUE);
        g_string_free(why, TRUE);
    });
}

SctpaGraphData::Read SctpaGraphData::readLimits()
{
    if (hasLimits_ || !source_.direction)
        return {};
    return [this, sctpa = sctpa_, assoc = assoc_, end = end_]() -> Keep {
        sctpa_measure_t *measure = sctpa_measure(sctpa, assoc, end, nullptr);
        const sctpa_throughput_limits_t theory = measure->has_theory ? measure->theory : sctpa_throughput_limits_t{};
        sctpa_measure_free(measure);
        return [this, theory] {
            hasLimits_ = true;
            theory_ = theory;
        };
    };
}

SctpaGraphData::Read SctpaGraphData::readRto()
{
    if (hasRto_ || !source_.direction)
        return {};
    return [this, sctpa = sctpa_, assoc = assoc_, end = end_]() -> Keep {
        sctpa_rto_before_ns(sctpa, assoc, end, 0, sctpa_summary(sctpa)->packets);
        return [this] { hasRto_ = true; };
    };
}
