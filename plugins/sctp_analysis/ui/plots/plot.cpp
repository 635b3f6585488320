/* SPDX-License-Identifier: GPL-2.0-or-later */
// Fills a plot, and fits its axis of values.
#include "plot.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace {

constexpr quint32 bit(int kind)
{
    return 1u << kind;
}

constexpr quint32 Resent = SCTPA_SERIES_OF_RETRANSMISSIONS;
constexpr quint32 Acked = bit(SCTPA_SERIES_CUM_ACK) | bit(SCTPA_SERIES_GAP) | bit(SCTPA_SERIES_DUPLICATE);
// What belongs to a path alone, and to all paths together.
constexpr quint32 WindowsOfPaths = bit(SCTPA_SERIES_FLIGHT) | bit(SCTPA_SERIES_CWND) | bit(SCTPA_SERIES_CWND_MIN) |
                                   bit(SCTPA_SERIES_CWND_MAX) | bit(SCTPA_SERIES_SSTHRESH);
constexpr quint32 WindowsOfAll =
    bit(SCTPA_SERIES_A_RWND) | bit(SCTPA_SERIES_FLIGHT_TOTAL) | bit(SCTPA_SERIES_PEER_WINDOW);
constexpr quint32 Windows = WindowsOfPaths | WindowsOfAll;
constexpr quint32 OfPaths = WindowsOfPaths | bit(SCTPA_SERIES_SENT), OfAll = WindowsOfAll | Resent | Acked;
constexpr quint32 Accumulated = bit(SCTPA_SERIES_SENT_BYTES) | bit(SCTPA_SERIES_ACKED_BYTES) | bit(SCTPA_SERIES_A_RWND);
// Belongs to the direction, whatever path is chosen.
constexpr quint32 OfDirection = bit(SCTPA_SERIES_SENT_BYTES) | bit(SCTPA_SERIES_ACKED_BYTES);
constexpr quint32 Rates = bit(SCTPA_SERIES_GOODPUT) | bit(SCTPA_SERIES_THROUGHPUT);
constexpr quint32 Delays = bit(SCTPA_SERIES_HOL_DELAY) | bit(SCTPA_SERIES_MESSAGE_DELAY);
constexpr quint32 Times = bit(SCTPA_SERIES_RTT) | bit(SCTPA_SERIES_HEARTBEAT_RTT) | bit(SCTPA_SERIES_HEARTBEAT_LOST) |
                          bit(SCTPA_SERIES_RTO) | bit(SCTPA_SERIES_RTO_LEAST) | bit(SCTPA_SERIES_RTO_MOST);

constexpr int PathsDrawn = 8;
constexpr int LeastWidth = 100, LeastHeight = 40; // pixels
// A limit further above what was reached would flatten it; the legend has its value.
constexpr double LimitInSight = 1.25;
constexpr double Headroom = 0.06;
constexpr double LeastLog = 1e-7;

// What is in front is drawn last.
const sctpa_series_kind_t DrawingOrder[] = {
    SCTPA_SERIES_GAP,           SCTPA_SERIES_CUM_ACK,        SCTPA_SERIES_SENT,      SCTPA_SERIES_DUPLICATE,
    SCTPA_SERIES_UNKNOWN,       SCTPA_SERIES_HANDOVER,       SCTPA_SERIES_REPORT,    SCTPA_SERIES_PROBE,
    SCTPA_SERIES_EARLY,         SCTPA_SERIES_FAST,           SCTPA_SERIES_TIMEOUT,   SCTPA_SERIES_PEER_WINDOW,
    SCTPA_SERIES_CWND_MIN,      SCTPA_SERIES_CWND_MAX,       SCTPA_SERIES_SSTHRESH,  SCTPA_SERIES_CWND,
    SCTPA_SERIES_A_RWND,        SCTPA_SERIES_FLIGHT_TOTAL,   SCTPA_SERIES_FLIGHT,    SCTPA_SERIES_RTT,
    SCTPA_SERIES_HEARTBEAT_RTT, SCTPA_SERIES_HEARTBEAT_LOST, SCTPA_SERIES_RTO_LEAST, SCTPA_SERIES_RTO_MOST,
    SCTPA_SERIES_SENT_BYTES,    SCTPA_SERIES_ACKED_BYTES,    SCTPA_SERIES_RTO,       SCTPA_SERIES_MESSAGE_DELAY,
    SCTPA_SERIES_HOL_DELAY,     SCTPA_SERIES_THROUGHPUT,     SCTPA_SERIES_GOODPUT,
};
static_assert(sizeof DrawingOrder / sizeof *DrawingOrder == SCTPA_SERIES_KINDS, "every series is drawn");

// Least and most of the same thing: what lies between them is filled.
bool isBand(sctpa_series_kind_t least, sctpa_series_kind_t most)
{
    return (least == SCTPA_SERIES_CWND_MIN && most == SCTPA_SERIES_CWND_MAX) ||
           (least == SCTPA_SERIES_RTO_LEAST && most == SCTPA_SERIES_RTO_MOST);
}

QString tr(const char *text)
{
    return QCoreApplication::translate("SctpaPlot", text);
}

}

const QVector<SctpaPlotRow> &sctpaPlotRows()
{
    static const QVector<SctpaPlotRow> rows = {
        { "tsn", QT_TRANSLATE_NOOP("SctpaPlot", "TSN"), bit(SCTPA_SERIES_SENT) | Resent | Acked, SctpaUnit::Tsn, true,
          true, false, false, false, 2, true, false },
        { "bytes", QT_TRANSLATE_NOOP("SctpaPlot", "Bytes and windows"), Windows, SctpaUnit::Bytes, true, true, false,
          false, false, 1, true, false },
        { "rates", QT_TRANSLATE_NOOP("SctpaPlot", "Throughput"), Rates, SctpaUnit::BitsPerSecond, true, true, true,
          false, false, 1, false, true },
        { "times", QT_TRANSLATE_NOOP("SctpaPlot", "Round trips"), Times, SctpaUnit::Seconds, true, false, false, false,
          true, 1, false, false },
        { "resent", QT_TRANSLATE_NOOP("SctpaPlot", "Retransmissions"), Resent, SctpaUnit::Count, false, false, false,
          true, false, 0.7, false, false },
        { "delays", QT_TRANSLATE_NOOP("SctpaPlot", "Messages: time to their ack, wait for earlier ones"), Delays,
          SctpaUnit::Seconds, false, false, true, false, false, 1, false, false },
        { "accumulated", QT_TRANSLATE_NOOP("SctpaPlot", "Bytes sent and acknowledged so far"), Accumulated,
          SctpaUnit::Bytes, false, false, false, false, false, 1, true, false },
    };
    return rows;
}

SctpaPlot::SctpaPlot(QCustomPlot *parent, int row, const SctpaPlotRow *what, SctpaGraphData *data)
    : parent_(parent), what_(what), data_(data), grid_(new QCPLayoutGrid),
      legend_(new SctpaLegend(parent, tr(what->title))), rect_(new QCPAxisRect(parent))
{
    parent->plotLayout()->addElement(row, 0, grid_);
    parent->plotLayout()->setRowStretchFactor(row, what->height);
    grid_->addElement(0, 0, legend_);
    grid_->addElement(1, 0, rect_);
    grid_->setRowStretchFactor(0, 0.001);
    grid_->setRowSpacing(0);
    rect_->setMinimumSize(LeastWidth, LeastHeight);
    setUpAxes();
    marks_ = new SctpaEventMarkers(rect_, data, QStringLiteral("marks"));
    events_ = new SctpaEventMarkers(rect_, data, QStringLiteral("events"));
}

void SctpaPlot::setUpAxes()
{
    for (QCPAxis *axis : rect_->axes())
        axis->setLayer(QStringLiteral("axes"));
    for (QCPAxis::AxisType type : { QCPAxis::atTop, QCPAxis::atRight }) {
        rect_->axis(type)->setVisible(true);
        rect_->axis(type)->setTicks(false);
        rect_->axis(type)->setTickLabels(false);
    }
    for (QCPAxis *axis : { timeAxis(), valueAxis() })
        axis->grid()->setLayer(QStringLiteral("grid"));
    if (what_->isLog) {
        valueAxis()->setScaleType(QCPAxis::stLogarithmic);
        valueAxis()->setTicker(QSharedPointer<QCPAxisTicker>(new SctpaLogSecondsTicker));
    } else {
        ticker_.reset(new SctpaValueTicker(what_->unit));
        valueAxis()->setTicker(ticker_);
    }
}

SctpaPlot::~SctpaPlot()
{
    removePlottables();
    delete marks_;
    delete events_;
    parent_->plotLayout()->remove(grid_);
    parent_->plotLayout()->simplify();
}

void SctpaPlot::removePlottables()
{
    for (SctpaTrace *trace : std::as_const(traces_))
        parent_->removePlottable(trace);
    traces_.clear();
    if (bars_)
        parent_->removePlottable(bars_);
    bars_ = nullptr;
    allLimits_.clear();
}

QString SctpaPlot::nameOf(sctpa_series_kind_t kind, quint16 path, int stream) const
{
    QString name =
        QStringLiteral("%1/%2").arg(QString::fromUtf8(what_->name), QString::fromUtf8(sctpa_series_word(kind)));
    if (path != SCTPA_SERIES_ANY_PATH && what_->perPath)
        name += QStringLiteral("/%1").arg(path);
    if (stream != SctpaGraphData::AnyStream)
        name += QStringLiteral("/stream%1").arg(stream);
    return name;
}

QString SctpaPlot::nameOf(sctpa_level_t level)
{
    return QStringLiteral("finding/%1").arg(QString::fromUtf8(sctpa_level_word(level)));
}

bool SctpaPlot::isOn(const QString &name) const
{
    return !choice_.off.contains(name);
}

QVector<SctpaPlot::Part> SctpaPlot::parts(const Choice &choice) const
{
    constexpr int Any = SctpaGraphData::AnyStream;
    QVector<Part> parts;
    const int paths = data_->pathNames().size();
    const bool isPerStream = what_->perStream && !choice.streams.isEmpty();
    // Of more paths than are drawn no TSN may be missing: they share one colour.
    const bool areTooMany = what_->unit == SctpaUnit::Tsn && paths > PathsDrawn;
    const bool isPerPath =
        what_->perPath && !isPerStream && choice.path == SCTPA_SERIES_ANY_PATH && paths > 1 && !areTooMany;
    if ((!isPerPath && !isPerStream) || what_->withTotal)
        parts.append({ isPerPath ? what_->kinds & ~OfPaths : what_->kinds,
                       what_->kinds & OfDirection ? quint16(SCTPA_SERIES_ANY_PATH) : choice.path, Any, QString(),
                       SctpaNoNumber });
    for (int path = 0; isPerPath && path < std::min(paths, PathsDrawn); path++)
        parts.append(
            { what_->kinds & ~OfAll, quint16(path), Any, QStringLiteral(" → ") + data_->pathNames().at(path), path });
    for (int i = 0; isPerStream && i < choice.streams.size(); i++)
        parts.append({ what_->kinds & SCTPA_SERIES_OF_STREAMS, choice.path, choice.streams.at(i),
                       tr(" · stream %1").arg(choice.streams.at(i)), i });
    return parts;
}

// Where all have the same kind, the heading says which.
QString SctpaPlot::labelOf(const Part &part, sctpa_series_kind_t kind) const
{
    const bool isOneOfMany = part.stream != SctpaGraphData::AnyStream && !what_->withTotal;
    if (isOneOfMany)
        return tr("stream %1").arg(part.stream);
    const bool isByTheRfc = kind == SCTPA_SERIES_RTO && !data_->series(SCTPA_SERIES_RTO_LEAST, part.path);
    return (isByTheRfc ? tr("RTO (RFC defaults)") : sctpaSeriesLabel(kind)) + part.suffix;
}

void SctpaPlot::addTraces(const Part &part)
{
    for (sctpa_series_kind_t kind : DrawingOrder) {
        const SctpaSeries series = part.kinds & bit(kind) ? data_->series(kind, part.path, part.stream) : SctpaSeries();
        if (!series)
            continue;
        SctpaStyle look = sctpaLook(parent_->palette(), kind, part.number);
        if (part.stream != SctpaGraphData::AnyStream && look.shape != SctpaShape::None)
            look.shape = sctpaShapeOf(part.number);
        auto *trace = new SctpaTrace(timeAxis(), valueAxis(), data_,
                                     { kind, part.path, part.stream, labelOf(part, kind), look }, series);
        trace->setLayer(QStringLiteral("main"));
        if (!traces_.isEmpty() && isBand(traces_.last()->shown().kind, kind))
            trace->setFloor(traces_.last());
        traces_.append(trace);
    }
}

void SctpaPlot::addBars(const Part &part)
{
    QVector<SctpaBars::Part> parts;
    for (int i = 0; i < SCTPA_SERIES_KINDS; i++) {
        const auto kind = sctpa_series_kind_t(i);
        const SctpaSeries series = part.kinds & bit(kind) ? data_->series(kind, part.path, part.stream) : SctpaSeries();
        if (series)
            parts.append({ kind, sctpaLook(parent_->palette(), kind), series, true });
    }
    bars_ = new SctpaBars(timeAxis(), valueAxis(), data_);
    bars_->setLayer(QStringLiteral("main"));
    bars_->setParts(parts);
}

void SctpaPlot::addLimits()
{
    const sctpa_throughput_limits_t &theory = data_->theory();
    const auto add = [this](double value, const QString &label, Qt::PenStyle line) {
        if (value > 0)
            allLimits_.append({ value,
                                label.arg(sctpaValueText(SctpaUnit::BitsPerSecond, value, 0, 3)),
                                { SctpaColors(parent_->palette()).ink, SctpaShape::None, line, 1.5 } });
    };
    add(theory.window_bps, tr("limit by window %1"), Qt::DashDotLine);
    add(theory.lossy_headers_bps, tr("limit by loss %1"), Qt::DotLine);
}

void SctpaPlot::load(const Choice &choice, bool isAll)
{
    removePlottables();
    choice_ = choice;
    isWhole_ = isAll;
    for (const Part &part : parts(choice))
        what_->countsBars ? addBars(part) : addTraces(part);
    if (what_->showsLimits && choice.path == SCTPA_SERIES_ANY_PATH)
        addLimits();
    legend_->setNote(isAll && isEmpty() ? tr("the capture shows none") : QString());
    restyle(choice);
}

bool SctpaPlot::setShrunk(bool isShrunk)
{
    constexpr double NoHeight = 0.001;
    if (isShrunk == isShrunk_)
        return false;
    isShrunk_ = isShrunk;
    rect_->setVisible(!isShrunk);
    for (QCPAxis *axis : rect_->axes()) {
        axis->setVisible(!isShrunk);
        axis->grid()->setVisible(!isShrunk);
    }
    rect_->setMinimumSize(LeastWidth, isShrunk ? 0 : LeastHeight);
    rect_->setMaximumSize(QWIDGETSIZE_MAX, isShrunk ? 0 : QWIDGETSIZE_MAX);
    for (int row = 0; row < parent_->plotLayout()->rowCount(); row++)
        if (parent_->plotLayout()->element(row, 0) == grid_)
            parent_->plotLayout()->setRowStretchFactor(row, isShrunk ? NoHeight : what_->height);
    return true;
}

void SctpaPlot::clear()
{
    isWhole_ = false;
    removePlottables();
    legend_->setNote(QString());
    fillLegend();
}

void SctpaPlot::restyle(const Choice &choice)
{
    choice_ = choice;
    for (SctpaTrace *trace : std::as_const(traces_))
        trace->setVisible(isOn(nameOf(trace)));
    if (bars_) {
        QVector<SctpaBars::Part> parts = bars_->parts();
        for (SctpaBars::Part &part : parts)
            part.isOn = isOn(nameOf(part.kind, SCTPA_SERIES_ANY_PATH));
        bars_->setParts(parts);
    }
    if (ticker_)
        ticker_->setFirstTsn(firstTsn());
    events_->choice.eventNames = choice.isFirst;
    events_->choice.events = isOn(QStringLiteral("events"));
    events_->choice.findings = 0;
    for (int level = 0; choice.isFirst && level < SCTPA_LEVELS; level++)
        events_->choice.findings |= isOn(nameOf(sctpa_level_t(level))) ? 1u << level : 0;
    marks_->choice.closedWindows = what_->showsTrouble && isOn(QStringLiteral("closed"));
    marks_->choice.pauses = what_->showsTrouble && isOn(QStringLiteral("pauses"));
    fillLegend();
}

void SctpaPlot::fillLegend()
{
    QVector<SctpaLegend::Entry> entries;
    const SctpaColors colors(parent_->palette());
    QVector<SctpaTrace *> traces = traces_;
    std::stable_sort(traces.begin(), traces.end(), [](const SctpaTrace *a, const SctpaTrace *b) {
        const quint16 all = SCTPA_SERIES_ANY_PATH, aPath = a->shown().path, bPath = b->shown().path;
        return aPath != bPath ? aPath == all || (bPath != all && aPath < bPath) : a->shown().kind < b->shown().kind;
    });
    traces.erase(std::remove_if(traces.begin(), traces.end(), isEdgeOfRto), traces.end());
    for (const SctpaTrace *trace : std::as_const(traces))
        entries.append({ nameOf(trace), trace->shown().label, trace->shown().look, QBrush(), trace->visible() });
    for (int i = 0; bars_ && i < bars_->parts().size(); i++) {
        const SctpaBars::Part &part = bars_->parts().at(i);
        entries.append(
            { nameOf(part.kind, SCTPA_SERIES_ANY_PATH), sctpaSeriesLabel(part.kind), part.look, QBrush(), part.isOn });
    }
    marks_->limits.clear();
    for (int i = 0; i < allLimits_.size(); i++) {
        const QString name = QStringLiteral("%1/limit%2").arg(QString::fromUtf8(what_->name)).arg(i);
        entries.append({ name, allLimits_.at(i).label, allLimits_.at(i).look, QBrush(), isOn(name) });
        if (isOn(name))
            marks_->limits.append(allLimits_.at(i));
    }
    if (what_->showsTrouble && !data_->closedWindows().isEmpty())
        entries.append(
            { QStringLiteral("closed"), tr("window closed"), {}, colors.closed, marks_->choice.closedWindows });
    if (what_->showsTrouble && !data_->pauses().isEmpty())
        entries.append({ QStringLiteral("pauses"), tr("pauses"), {}, colors.paused, marks_->choice.pauses });
    if (choice_.isFirst && !data_->events().isEmpty())
        entries.append({ QStringLiteral("events"),
                         tr("events"),
                         { colors.event, SctpaShape::None, Qt::DotLine, 1 },
                         QBrush(),
                         events_->choice.events });
    addFindingsTo(&entries);
    legend_->setEntries(entries);
}

// The levels that were found.
void SctpaPlot::addFindingsTo(QVector<SctpaLegend::Entry> *entries) const
{
    quint32 levels = 0;
    for (const SctpaGraphData::Finding &finding : data_->findings())
        levels |= 1u << finding.level;
    for (int i = 0; choice_.isFirst && i < SCTPA_LEVELS; i++) {
        const auto level = sctpa_level_t(i);
        if (levels >> i & 1)
            entries->append({ nameOf(level), sctpaFindingLabel(level), sctpaFindingLook(parent_->palette(), level),
                              QBrush(), bool(events_->choice.findings >> i & 1) });
    }
}

QCPRange SctpaPlot::valuesInSight() const
{
    QCPRange all;
    bool isAny = false;
    for (const SctpaTrace *trace : traces_) {
        QCPRange values;
        if (!trace->visible() || !trace->extremes(timeAxis()->range(), &values))
            continue;
        if (isAny)
            all.expand(values);
        else
            all = values;
        isAny = true;
    }
    if (bars_)
        all = QCPRange(0, bars_->highest(timeAxis()->range()));
    const double reached = all.upper;
    for (const SctpaLimit &limit : std::as_const(marks_->limits))
        if (limit.value < LimitInSight * reached)
            all.expand(limit.value);
    return all;
}

// The part of the height that names of events take.
double SctpaPlot::roomForNames() const
{
    const bool hasNames = events_->choice.events && events_->choice.eventNames && !data_->events().isEmpty();
    return hasNames ? std::min(0.4, QFontMetricsF(parent_->font()).height() / std::max(1, rect_->height())) : 0;
}

bool SctpaPlot::fitValues()
{
    if (!isFitted_ || !data_->isThere())
        return false;
    const QCPRange before = valueAxis()->range();
    QCPRange all = valuesInSight();
    if (bars_)
        legend_->setTitle(tr("Retransmissions per %1").arg(sctpaValueText(SctpaUnit::Seconds, bars_->barSeconds(), 0)));
    if (what_->isLog) {
        const double lower = std::max(LeastLog, all.lower), upper = std::max(all.upper, 2 * lower);
        const double room = std::pow(upper / lower, Headroom);
        valueAxis()->setRange(lower / room, upper * std::pow(upper / lower, 2 * roomForNames()) * room);
        return !(valueAxis()->range() == before);
    }
    const bool startsAtZero = what_->unit != SctpaUnit::Tsn;
    if (startsAtZero)
        all.expand(0.0);
    if (all.size() <= 0)
        all.upper = all.lower + 1;
    const double room = Headroom * all.size(), names = roomForNames();
    valueAxis()->setRange(startsAtZero ? 0 : all.lower - room, all.upper + room + all.size() * names / (1 - names));
    return !(valueAxis()->range() == before);
}

void SctpaPlot::chooseValues(const QCPRange &range)
{
    isFitted_ = range.size() <= 0;
    if (isFitted_)
        fitValues();
    else
        valueAxis()->setRange(range);
}

void SctpaPlot::moveValues(double pixels)
{
    const QCPAxis *axis = valueAxis();
    const QCPRange now = axis->range();
    chooseValues(QCPRange(axis->pixelToCoord(axis->coordToPixel(now.lower) - pixels),
                          axis->pixelToCoord(axis->coordToPixel(now.upper) - pixels)));
}

void SctpaPlot::zoomValues(double factor, double aroundPixel)
{
    const QCPAxis *axis = valueAxis();
    const double low = axis->coordToPixel(axis->range().lower), high = axis->coordToPixel(axis->range().upper);
    const QCPRange range(axis->pixelToCoord(aroundPixel + (low - aroundPixel) * factor),
                         axis->pixelToCoord(aroundPixel + (high - aroundPixel) * factor));
    if (QCPRange::validRange(range) && range.size() > 1e-9)
        chooseValues(range);
}

void SctpaPlot::findNear(const QPointF &place, SctpaFound *found) const
{
    for (const SctpaTrace *trace : traces_)
        if (trace->visible())
            trace->findNear(place, firstTsn(), found);
    if (bars_)
        bars_->findNear(place, found);
    events_->findNear(place, found);
    // What is drawn over the shading comes first.
    if (found->frame == 0)
        marks_->findPause(place, found);
}
