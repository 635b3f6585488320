/* SPDX-License-Identifier: GPL-2.0-or-later */
// The stack's plots, axes and crosshair.
#include "plot_stack.h"

#include <algorithm>

namespace {

constexpr double Reach = 40; // of the crosshair, pixels
// Smaller, headings would run into plots.
constexpr int LeastWidth = 640, LeastPlotHeight = 160;

}

SctpaPlotStack::SctpaPlotStack(SctpaGraphData *data, QWidget *parent)
    : QCustomPlot(parent), data_(data), margins_(new QCPMarginGroup(this)), timeTicker_(new SctpaTimeTicker)
{
    plotLayout()->clear();
    plotLayout()->setRowSpacing(2);
    setNoAntialiasingOnDrag(true);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    makeLayers();
    recolour();
    // Bars and names take room that is known only now.
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        bool isChanged = false;
        for (const auto &plot : plots_)
            isChanged |= plot->fitValues();
        if (isChanged)
            repaintAll();
    });
    connect(this, &QCustomPlot::afterReplot, this, [this] {
        if (isPointing_)
            point(pointer_);
        else if (!chosenRules_.isEmpty() || markedFrame_ != 0)
            repaintCrosshair();
    });
}

SctpaPlotStack::~SctpaPlotStack()
{
    plots_.clear();
}

void SctpaPlotStack::makeLayers()
{
    addLayer(QStringLiteral("marks"), layer(QStringLiteral("grid")), QCustomPlot::limAbove);
    addLayer(QStringLiteral("events"), layer(QStringLiteral("main")), QCustomPlot::limAbove);
    addLayer(QStringLiteral("crosshair"), layer(QStringLiteral("overlay")), QCustomPlot::limAbove);
    layer(QStringLiteral("crosshair"))->setMode(QCPLayer::lmBuffered);
    crosshair_ = new SctpaCrosshair(this, QStringLiteral("crosshair"));
}

void SctpaPlotStack::setPlots(const QStringList &names)
{
    plots_.clear();
    plotLayout()->clear();
    for (const SctpaPlotRow &row : sctpaPlotRows())
        if (names.contains(QString::fromUtf8(row.name)))
            plots_.push_back(std::make_unique<SctpaPlot>(this, int(plots_.size()), &row, data_));
    press_ = {};
    found_ = {};
    setMinimumSize(LeastWidth, int(plots_.size()) * LeastPlotHeight);
    noteRoom();
    arrangeAxes();
    recolour();
    applyTime(time_);
}

QStringList SctpaPlotStack::plotNames() const
{
    QStringList names;
    for (const auto &plot : plots_)
        names.append(QString::fromUtf8(plot->what()->name));
    return names;
}

SctpaPlot *SctpaPlotStack::plot(const QString &name) const
{
    for (const auto &plot : plots_)
        if (name == QLatin1String(plot->what()->name))
            return plot.get();
    return nullptr;
}

quint32 SctpaPlotStack::kindsShown() const
{
    quint32 kinds = 0;
    for (const auto &plot : plots_) {
        for (const SctpaTrace *trace : plot->traces())
            kinds |= trace->visible() ? 1u << trace->shown().kind : 0;
        if (plot->bars())
            for (const SctpaBars::Part &part : plot->bars()->parts())
                kinds |= part.isOn ? 1u << part.kind : 0;
    }
    return kinds;
}

// Plots without anything shrink to their heading, once all of it was read; one of them stays, for the axis of time.
void SctpaPlotStack::shrinkEmpty()
{
    bool isChanged = false;
    int full = 0;
    for (const auto &plot : plots_)
        full += !plot->isEmpty();
    for (const auto &plot : plots_) {
        const bool isAlone = full == 0 && plot == plots_.front() && !data_->events().isEmpty();
        isChanged |= plot->setShrunk(plot->isWhole() && plot->isEmpty() && !isAlone);
    }
    if (!isChanged)
        return;
    arrangeAxes();
    repaintAll();
}

bool SctpaPlotStack::isAllShrunk() const
{
    return !plots_.empty() &&
           std::all_of(plots_.cbegin(), plots_.cend(), [](const auto &plot) { return plot->isShrunk(); });
}

// Only the last plot has labels of time, unless it may be out of sight; margins are shared, so that the same time
// stands below itself.
void SctpaPlotStack::arrangeAxes()
{
    const SctpaPlot *last = nullptr;
    for (const auto &plot : plots_)
        last = plot->isShrunk() ? last : plot.get();
    for (const auto &plot : plots_) {
        const bool isLast = plot.get() == last;
        QCPAxis *time = plot->timeAxis();
        plot->rect()->setMarginGroup(QCP::msLeft | QCP::msRight, margins_);
        plot->rect()->setAutoMargins(QCP::msLeft | QCP::msRight | QCP::msBottom);
        plot->rect()->setMinimumMargins(QMargins(10, 0, 14, isLast ? 15 : 3));
        plot->rect()->setMargins(QMargins(0, 0, 0, 0));
        time->setTicker(timeTicker_);
        time->setTickLabels(isLast || scrolls_);
        time->setLabel(!isLast                             ? QString()
                       : !isAbsolute_                      ? tr("Time since the first packet of the capture (s)")
                       : data_->moments().areOfWireshark() ? tr("Time of the packets, as Wireshark displays it")
                                                           : tr("Time of day"));
    }
    timeTicker_->setStart(data_->startNs(), isAbsolute_, data_->moments());
    sizeTicks();
}

void SctpaPlotStack::follow(QWidget *viewport)
{
    viewport_ = viewport;
    viewport->installEventFilter(this);
}

bool SctpaPlotStack::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == viewport_ && event->type() == QEvent::Resize)
        noteRoom();
    return QCustomPlot::eventFilter(watched, event);
}

// Does the stack fit into what is seen of it?
void SctpaPlotStack::noteRoom()
{
    const bool scrolls = viewport_ && viewport_->height() < minimumHeight();
    if (scrolls == scrolls_)
        return;
    scrolls_ = scrolls;
    arrangeAxes();
    repaintAll();
}

// As many labels as have room.
void SctpaPlotStack::sizeTicks()
{
    const QFontMetrics metrics(font());
    const int label = metrics.horizontalAdvance(QStringLiteral("00:00:00.000000"));
    timeTicker_->setTickCount(std::clamp(width() / (label + 30), 2, 12));
    for (const auto &plot : plots_) {
        const int plotHeight = height() / int(plots_.size()) - 2 * metrics.height();
        plot->valueAxis()->ticker()->setTickCount(std::clamp(plotHeight / (3 * metrics.height()), 2, 6));
    }
}

void SctpaPlotStack::recolour()
{
    const SctpaColors colors(palette());
    setBackground(QBrush(colors.ground));
    for (const auto &plot : plots_)
        for (QCPAxis *axis : plot->rect()->axes()) {
            axis->setBasePen(QPen(colors.faint));
            axis->setTickPen(QPen(colors.faint));
            axis->setSubTickPen(QPen(colors.grid));
            axis->setTickLabelColor(colors.ink);
            axis->setLabelColor(colors.ink);
            axis->setTickLabelFont(font());
            axis->setLabelFont(font());
            axis->grid()->setPen(QPen(colors.grid));
            axis->grid()->setZeroLinePen(QPen(colors.grid));
        }
}

void SctpaPlotStack::setChoice(const SctpaPlot::Choice &choice)
{
    choice_ = choice;
    for (const auto &plot : plots_) {
        choice_.isFirst = plot == plots_.front();
        plot->restyle(choice_);
    }
    fitAll();
    repaintAll();
    Q_EMIT changed();
}

void SctpaPlotStack::load(SctpaPlot *plot, bool isAll)
{
    choice_.isFirst = plot == plots_.front().get();
    plot->load(choice_, isAll);
    plot->fitValues();
    shrinkEmpty();
    repaintAll();
}

void SctpaPlotStack::dataChanged(bool keepsZoom)
{
    arrangeAxes();
    if (!keepsZoom) {
        history_.clear();
        isWhole_ = true;
        for (const auto &plot : plots_)
            plot->chooseValues(QCPRange(0, 0));
    }
    applyTime(isWhole_ ? wholeTime() : time_);
    Q_EMIT changed();
}

void SctpaPlotStack::clearPlots()
{
    found_ = {};
    chosenRules_.clear();
    crosshair_->hide();
    timeTicker_->setMoments(data_->moments());
    for (const auto &plot : plots_)
        plot->clear();
    shrinkEmpty();
    repaintAll();
}

void SctpaPlotStack::setTimeAbsolute(bool isAbsolute)
{
    isAbsolute_ = isAbsolute;
    arrangeAxes();
    repaintAll();
}

void SctpaPlotStack::setMouse(Mouse mouse)
{
    mouse_ = mouse;
    setCursor(mouse == Zooms ? Qt::CrossCursor : Qt::ArrowCursor);
}

void SctpaPlotStack::setCrosshair(bool isOn)
{
    hasCrosshair_ = isOn;
    point(pointer_);
}

SctpaPlot *SctpaPlotStack::plotAt(const QPointF &place) const
{
    for (const auto &plot : plots_)
        if (plot->rect()->rect().contains(place.toPoint()))
            return plot.get();
    return nullptr;
}

SctpaFound SctpaPlotStack::find(const QPointF &place) const
{
    SctpaFound found;
    found.distance = Reach;
    const SctpaPlot *plot = plotAt(place);
    if (plot && data_->isThere())
        plot->findNear(place, &found);
    return found.frame > 0 ? found : SctpaFound();
}

// Of the packet that was found, else of the sender at that time.
SctpaCard SctpaPlotStack::cardOf(const SctpaPlot &plot, double seconds, double value) const
{
    const qint64 timeNs = data_->timeOf(seconds);
    const QString when = isAbsolute_ ? data_->moments().text(timeNs) : tr("%1 s").arg(seconds, 0, 'f', 6);
    if (found_.isThere() && !found_.isAround)
        return sctpaPacketCard(*data_, found_, when);
    QStringList notes{ tr("Pointer at %1").arg(sctpaValueText(plot.what()->unit, value, plot.firstTsn())) };
    if (found_.isAround)
        notes += found_.text.split(QLatin1Char('\n'));
    return sctpaSenderCard(*data_, timeNs, when, notes);
}

void SctpaPlotStack::point(const QPointF &place)
{
    const SctpaPlot *plot = plotAt(place);
    pointer_ = place;
    isPointing_ = plot != nullptr;
    found_ = isPointing_ ? find(place) : SctpaFound();
    if (!plot || !hasCrosshair_ || !data_->isThere()) {
        crosshair_->hide();
    } else {
        QVector<QRect> rects;
        for (const auto &each : plots_)
            rects.append(each->rect()->rect());
        const bool isFound = found_.isThere();
        const double seconds = isFound ? found_.seconds : plot->timeAxis()->pixelToCoord(place.x());
        const double value = isFound ? found_.value : plot->valueAxis()->pixelToCoord(place.y());
        const bool isPacket = isFound && !found_.isAround;
        const QPointF at(plot->timeAxis()->coordToPixel(seconds),
                         isFound ? plot->valueAxis()->coordToPixel(value) : place.y());
        crosshair_->show(rects, at, plot->rect()->rect(), cardOf(*plot, seconds, value), isPacket);
    }
    repaintCrosshair();
}

// Where else the rule was broken that is pointed at, or was chosen.
void SctpaPlotStack::markRules()
{
    QVector<QRect> rects;
    QVector<double> places;
    const QVector<quint32> &rules = found_.rules.isEmpty() ? chosenRules_ : found_.rules;
    for (const auto &plot : plots_)
        rects.append(plot->rect()->rect());
    if (!plots_.empty() && data_->isThere() && !rules.isEmpty())
        for (double seconds : plots_.front()->events()->secondsOf(rules))
            places.append(plots_.front()->timeAxis()->coordToPixel(seconds));
    crosshair_->setMarked(rects, places);
    if (!plots_.empty() && data_->isThere() && markedFrame_ != 0)
        crosshair_->setPacket(plots_.front()->timeAxis()->coordToPixel(markedSeconds_),
                              tr("packet %1").arg(markedFrame_));
    else
        crosshair_->setPacket(0, QString());
}

void SctpaPlotStack::repaintCrosshair()
{
    markRules();
    layer(QStringLiteral("crosshair"))->replot();
}

void SctpaPlotStack::markPacket(quint32 frame, double seconds)
{
    markedFrame_ = frame;
    markedSeconds_ = seconds;
    repaintCrosshair();
}

void SctpaPlotStack::bringIntoSight(double seconds)
{
    if (!time_.contains(seconds))
        showTime(QCPRange(seconds - time_.size() / 2, seconds + time_.size() / 2));
}

void SctpaPlotStack::chooseRules(const QVector<quint32> &rules)
{
    chosenRules_ = rules;
    repaintCrosshair();
}

void SctpaPlotStack::goToPacket()
{
    chosenRules_ = found_.rules;
    if (found_.isThere())
        Q_EMIT frameWanted(found_.frame);
}
