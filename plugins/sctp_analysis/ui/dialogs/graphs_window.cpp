/* SPDX-License-Identifier: GPL-2.0-or-later */
// Loads data in steps, read in a thread: streams, a walk of the core's records each, then times of trouble, then
// limits. What takes no longer than a moment is there when the window opens.
#include "graphs_window.h"

#include <QLabel>
#include <QSaveFile>
#include <QScrollArea>
#include <QVBoxLayout>

#include "graphs_bar.h"

extern "C" {
#include "report/tables/series_csv.h"
}

namespace {

const QSize FirstSize(1180, 820);

}

SctpaGraphsWindow::SctpaGraphsWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent)
    : SctpaRangeWindow(capture, choices, number,
                       { QStringLiteral("graphs"), tr("SCTP Graphs"), tr("Save Graphs"),
                         tr("Picture (*.png);;Document (*.pdf);;Drawing (*.svg);;Comma-separated values (*.csv)"),
                         FirstSize },
                       parent),
      stack_(new SctpaPlotStack(&data_, this)), bar_(new SctpaGraphsBar(stack_, choices, this)),
      nothing_(new QLabel(this)), reader_(capture)
{
    contents()->addWidget(bar_);
    auto *scroll = new QScrollArea(this);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    nothing_->hide();
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(stack_);
    stack_->follow(scroll->viewport());
    contents()->addWidget(scroll, 1);
    contents()->addWidget(nothing_, 1);
    plots_ = scroll;
    addHelp(tr("Wheel zooms time, with Ctrl values, with Shift both · drag moves, with Shift zooms · click goes to the "
               "packet · click a legend entry to hide it · right-click for all commands and keys"));
    addButtons();
    connect(&reader_, &SctpaReader::ended, this, [this] { loadMore(); });
    connect(stack_, &SctpaPlotStack::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(capture, &SctpaCapture::wentToFrame, this, [this](quint32 frame) {
        frame_ = frame;
        mark();
    });
    connect(stack_, &SctpaPlotStack::changed, this, &SctpaGraphsWindow::tellTime);
    connect(bar_, &SctpaGraphsBar::linkChosen, this, &SctpaGraphsWindow::linkChosen);
    connect(bar_, &SctpaGraphsBar::associationChosen, this, &SctpaGraphsWindow::stepAssociation);
    connect(bar_, &SctpaGraphsBar::endChosen, this, &SctpaGraphsWindow::showAnew);
    connect(bar_, &SctpaGraphsBar::pathChosen, this, &SctpaGraphsWindow::showAnew);
    connect(bar_, &SctpaGraphsBar::streamsChosen, this, &SctpaGraphsWindow::showAnew);
    connect(bar_, &SctpaGraphsBar::plotsChosen, this, &SctpaGraphsWindow::choosePlots);
    stack_->setPlots(bar_->plots());
    follow();
    stack_->setFocus();
}

// The bar keeps choices of the stack.
SctpaGraphsWindow::~SctpaGraphsWindow()
{
    delete bar_;
    delete stack_;
}

void SctpaGraphsWindow::readEnds(const sctpa_view_t &view, const sctpa_assoc_t *assoc)
{
    const SctpaLabels labels(sctpa_labels_new_spelled_out(&view));
    bar_->setEnds({ sctpaEndpointName(labels.get(), assoc, 0), sctpaEndpointName(labels.get(), assoc, 1) });
    // First whose data there is more of.
    if (hasLooked_)
        return;
    sctpa_counts_copy_t sent[2];
    for (unsigned end = 0; end < 2; end++)
        sctpa_end_counts(view.sctpa, assoc, end, &sent[end]);
    bar_->chooseEnd(sctpa_counts_data_chunks(&sent[1].counts) > sctpa_counts_data_chunks(&sent[0].counts));
}

void SctpaGraphsWindow::show(const sctpa_view_t &view, const sctpa_assoc_t *assoc, bool keepsZoom)
{
    stopLoading();
    data_.look(view, assoc, quint8(bar_->end()));
    bar_->setPaths(data_.pathNames());
    SctpaPlot::Choice choice = stack_->choice();
    choice.path = bar_->path();
    stack_->setChoice(choice);
    // A capture that grows is no choice of the user's.
    isQuiet_ = true;
    stack_->dataChanged(keepsZoom);
    isQuiet_ = false;
    mark();
    startLoading();
}

void SctpaGraphsWindow::follow()
{
    if (mustWait())
        return;
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association()->look(&view);
    if (assoc) {
        bar_->setAssociation(assoc->number, sctpa_assoc_count(view.sctpa));
        readEnds(view, assoc);
        show(view, assoc, hasLooked_);
        hasLooked_ = true;
    } else {
        stopLoading();
        data_.clear();
        stack_->clearPlots();
    }
    updateStatus();
}

// A packet of another association, or of none, is not marked.
void SctpaGraphsWindow::mark()
{
    const quint32 packet = data_.packetOf(frame_);
    if (packet == SCTPA_NO_PACKET_INDEX)
        stack_->markPacket(0, 0);
    else
        stack_->markPacket(frame_, data_.secondsOf(data_.packetTimeNs(packet)));
}

void SctpaGraphsWindow::selectFrame(quint32 frame)
{
    frame_ = frame;
    const quint32 packet = data_.packetOf(frame);
    if (packet == SCTPA_NO_PACKET_INDEX) {
        mark();
        return;
    }
    if (data_.endOf(packet) != data_.end()) {
        bar_->chooseEnd(data_.endOf(packet));
        showAnew();
    }
    mark();
    stack_->bringIntoSight(data_.secondsOf(data_.packetTimeNs(packet)));
}

void SctpaGraphsWindow::selectFinding(quint32 frame, const QString &rule)
{
    selectFrame(frame);
    stack_->chooseRules(data_.rulesOf(frame, rule));
}

void SctpaGraphsWindow::chooseAssociation(quint32 number)
{
    stopLoading();
    forgetRest();
    hasLooked_ = false;
    association()->choose(number);
    stack_->clearPlots();
    follow();
}

// From one association to the next; numbers of halves that were joined lead to none of their own.
void SctpaGraphsWindow::stepAssociation(quint32 number)
{
    sctpa_view_t view;
    const quint32 now = association()->number();
    if (!capture()->look(&view))
        return;
    const quint32 count = sctpa_assoc_count(view.sctpa), step = number > now ? 1 : UINT32_MAX;
    while (number < count && sctpa_view_resolve(&view, number) != number)
        number += step;
    chooseAssociation(number < count ? number : now);
}

void SctpaGraphsWindow::tellTime()
{
    const QCPRange time = stack_->timeRange();
    if (isQuiet_ || time == told_ || !isShown())
        return;
    told_ = time;
    const auto shown = shownNs();
    Q_EMIT timeShown(shown.first, shown.second);
}

void SctpaGraphsWindow::setLinked(bool isLinked)
{
    bar_->setLinked(isLinked);
}

void SctpaGraphsWindow::followTime(qint64 fromNs, qint64 toNs)
{
    if (!isShown())
        return;
    isQuiet_ = true;
    stack_->followTime(QCPRange(data_.secondsOf(fromNs), data_.secondsOf(toNs)));
    told_ = stack_->timeRange();
    isQuiet_ = false;
}

// Another end or path of what is shown.
void SctpaGraphsWindow::showAnew()
{
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association()->look(&view);
    if (!assoc)
        return;
    stack_->clearPlots();
    show(view, assoc, true);
    updateStatus();
}

void SctpaGraphsWindow::letGo()
{
    stopLoading();
    reader_.wait();
    forgetRest();
    // In another capture the number stands for another packet.
    frame_ = 0;
    data_.clear();
    mark();
    stack_->clearPlots();
    association()->clear();
    updateStatus();
}

void SctpaGraphsWindow::choosePlots()
{
    stopLoading();
    stack_->setPlots(bar_->plots());
    if (data_.isThere())
        startLoading();
}

void SctpaGraphsWindow::startLoading()
{
    stopLoading();
    // Which streams there are decides what of them is shown.
    steps_.push_back({ [this] { return data_.readStreams(); },
                       [this] {
                           showStreams();
                           addSteps();
                       } });
    beginReading();
    loadMore(PatienceMs);
}

// What the thread still reads is not kept.
void SctpaGraphsWindow::stopLoading()
{
    steps_.clear();
    isUnderWay_ = false;
    result_.reset();
}

void SctpaGraphsWindow::loadMore(int patienceMs)
{
    QElapsedTimer clock;
    if (!isLoading())
        return;
    clock.start();
    while (isLoading() && reader_.wait(ulong(qMax<qint64>(0, patienceMs - clock.elapsed()))))
        isUnderWay_ ? endStep() : startStep();
    if (!isLoading())
        restAfterReading();
    updateStatus();
}

void SctpaGraphsWindow::startStep()
{
    const SctpaGraphData::Read read = steps_.front().read();
    isUnderWay_ = true;
    if (!read)
        return;
    result_ = std::make_shared<SctpaGraphData::Keep>();
    reader_.start([read, result = result_] { *result = read(); });
}

void SctpaGraphsWindow::endStep()
{
    const Step step = steps_.front();
    const std::shared_ptr<SctpaGraphData::Keep> result = result_;
    steps_.pop_front();
    isUnderWay_ = false;
    result_.reset();
    if (result)
        (*result)();
    step.show();
}

void SctpaGraphsWindow::showStreams()
{
    SctpaPlot::Choice choice = stack_->choice();
    bar_->setStreams(data_.streams());
    choice.streams = bar_->streams();
    stack_->setChoice(choice);
}

void SctpaGraphsWindow::addSteps()
{
    if (stack_->plot(QStringLiteral("rates")))
        steps_.push_back({ [this] { return data_.readRateBin(); }, [] {} });
    for (const auto &plot : stack_->plots())
        addStepsOf(plot.get());
    addStep(&SctpaGraphData::readClosedWindows, &SctpaPlotRow::showsTrouble);
    addStep(&SctpaGraphData::readPauses, &SctpaPlotRow::showsTrouble);
    addStep(&SctpaGraphData::readLimits, &SctpaPlotRow::showsLimits);
    steps_.push_back({ [this] { return data_.readRto(); }, [] {} });
}

// Its series, walk by walk, each shown when it is there.
void SctpaGraphsWindow::addStepsOf(SctpaPlot *plot)
{
    for (const SctpaPlot::Part &part : plot->parts(stack_->choice()))
        for (int walk = 0; walk < SCTPA_WALKS; walk++) {
            const quint32 kinds = part.kinds & sctpa_series_of_walk(sctpa_series_walk_t(walk));
            if (kinds)
                steps_.push_back({ [this, kinds, part] { return data_.readSeries(kinds, part.path, part.stream); },
                                   [this, plot] { stack_->load(plot, false); } });
        }
    steps_.push_back({ [] { return SctpaGraphData::Read(); }, [this, plot] { stack_->load(plot, true); } });
}

// Reads something, then loads the plots that show it.
void SctpaGraphsWindow::addStep(SctpaGraphData::Read (SctpaGraphData::*read)(), bool SctpaPlotRow::*isShown)
{
    QVector<SctpaPlot *> plots;
    for (const auto &plot : stack_->plots())
        if (plot->what()->*isShown)
            plots.append(plot.get());
    if (plots.isEmpty())
        return;
    steps_.push_back({ [this, read] { return (data_.*read)(); },
                       [this, plots] {
                           for (SctpaPlot *plot : plots)
                               stack_->load(plot, true);
                       } });
}

void SctpaGraphsWindow::updateStatus()
{
    const bool isNothing = isShown() && !isLoading() && stack_->isAllShrunk();
    showState(tr("More is being read…"));
    nothing_->setText(isNothing ? withoutDataText() : QString());
    nothing_->setVisible(isNothing);
    plots_->setVisible(!isNothing);
}

// Whose data there is instead, where the one chosen sent none; else nothing.
QString SctpaGraphsWindow::withoutDataText() const
{
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association()->look(&view);
    const auto hasData = [&view, assoc](quint8 end) {
        const sctpa_direction_t *direction = sctpa_direction(view.sctpa, assoc->number, end);
        return direction && direction->tsns > 0;
    };
    if (!assoc || hasData(data_.end()))
        return QString();
    return hasData(!data_.end()) ? tr("The capture shows no data of this endpoint. Choose the other above, or press D.")
                                 : tr("The capture shows no data of this association.");
}

std::pair<qint64, qint64> SctpaGraphsWindow::shownNs() const
{
    const QCPRange time = stack_->timeRange();
    return { data_.timeOf(time.lower), data_.timeOf(time.upper) };
}

QString SctpaGraphsWindow::saveCsv(const QString &file) const
{
    sctpa_view_t view;
    QSaveFile out(file);
    if (!association()->look(&view) || !data_.isThere())
        return tr("No capture is open.");
    const auto shown = shownNs();
    sctpa_series_choice_t choice = {};
    choice.assoc = association()->number();
    choice.end = data_.end();
    choice.kinds = stack_->kindsShown();
    choice.findings = !stack_->plots().empty() && stack_->plots().front()->events()->choice.findings != 0;
    choice.path = bar_->path();
    choice.from_ns = shown.first;
    choice.to_ns = shown.second + 1;
    for (quint16 stream : stack_->choice().streams)
        choice.streams[choice.n_streams++] = stream;
    if (out.open(QIODevice::WriteOnly)) {
        sctpa_series_write(
            &view, &choice,
            [](void *to, const GString *piece) { static_cast<QSaveFile *>(to)->write(piece->str, qint64(piece->len)); },
            &out);
        if (out.commit())
            return QString();
    }
    return tr("%1 could not be written: %2").arg(file, out.errorString());
}

QString SctpaGraphsWindow::save(const QString &file)
{
    return file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? saveCsv(file) : stack_->save(file);
}
