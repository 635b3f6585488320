/* SPDX-License-Identifier: GPL-2.0-or-later */
// Reads the ladder, keeps bar, buttons and line of status in step with it.
#include "ladder_window.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace {

const QSize FirstSize(1000, 800);

// Steps of the scroll bar in what it shows.
constexpr int PageSteps = 1000, LineSteps = 50, MostPages = 1000000;

}

SctpaLadderWindow::SctpaLadderWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent)
    : SctpaRangeWindow(capture, choices, number,
                       { QStringLiteral("ladder"), tr("SCTP Ladder"), tr("Save Ladder"),
                         tr("Picture (*.png);;Document (*.pdf);;Drawing (*.svg)"), FirstSize },
                       parent),
      plot_(new SctpaLadderPlot(&facts_, this)), bar_(new QScrollBar(Qt::Vertical, this)), note_(new QLabel(this)),
      reader_(capture)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(plot_, 1);
    row->addWidget(bar_);
    contents()->addLayout(row, 1);
    note_->setObjectName(QStringLiteral("times"));
    note_->setWordWrap(true);
    contents()->addWidget(note_);
    addHelp(tr("Wheel zooms, with Shift scrolls · drag moves · click goes to the packet · "
               "+ − 0 zoom · ↑ ↓ PgUp PgDn Home End move · ← → previous, next packet · "
               "L lost, R retransmission (Shift: back) · G packet · S raw TSNs · T time of day"));
    addButtons();
    connect(&reader_, &SctpaReader::ended, this, [this] { endReading(); });
    connect(plot_, &SctpaLadderPlot::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(plot_, &SctpaLadderPlot::rangeChanged, this, &SctpaLadderWindow::updateBar);
    connect(bar_, &QScrollBar::valueChanged, this, &SctpaLadderWindow::moveTo);
    connect(capture, &SctpaCapture::wentToFrame, plot_, &SctpaLadderPlot::selectFrame);
    follow();
    plot_->setFocus();
}

SctpaLadderWindow::~SctpaLadderWindow()
{
    reader_.wait();
    delete plot_;
}

void SctpaLadderWindow::follow()
{
    if (mustWait())
        return;
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association()->look(&view);
    if (assoc) {
        facts_.look(view, assoc);
        startReading();
    } else {
        facts_.clear();
        plot_->factsChanged(false);
        hasLooked_ = false;
    }
    updateStatus();
}

void SctpaLadderWindow::startReading()
{
    beginReading();
    result_ = std::make_shared<SctpaLadderFacts::Keep>();
    reader_.start([read = facts_.read(), result = result_] { *result = read(); });
    if (reader_.wait(PatienceMs))
        endReading();
    else
        plot_->factsChanged(hasLooked_);
}

void SctpaLadderWindow::endReading()
{
    if (!isLoading() || !reader_.wait(0))
        return;
    const auto result = std::move(result_);
    result_.reset();
    (*result)();
    plot_->factsChanged(hasLooked_);
    if (!hasLooked_)
        plot_->markFrame(capture()->host()->current_frame());
    hasLooked_ = true;
    selectFrame(std::exchange(wanted_, 0));
    restAfterReading();
    updateStatus();
}

void SctpaLadderWindow::selectFrame(quint32 frame)
{
    if (isLoading())
        wanted_ = frame;
    else if (frame != 0)
        plot_->showFrame(frame);
}

void SctpaLadderWindow::letGo()
{
    wanted_ = 0;
    reader_.wait();
    result_.reset();
    forgetRest();
    hasLooked_ = false;
    facts_.clear();
    association()->clear();
    plot_->factsChanged(false);
    updateStatus();
}

// A page is what is in sight.
void SctpaLadderWindow::updateBar()
{
    const QSignalBlocker blocker(bar_);
    const double length = double(plot_->toNs() - plot_->fromNs());
    const double whole = double(plot_->wholeToNs() - plot_->wholeFromNs());
    const double steps = PageSteps * qMin<double>(MostPages, whole / length);
    bar_->setRange(0, int(steps) - PageSteps);
    bar_->setPageStep(PageSteps);
    bar_->setSingleStep(LineSteps);
    bar_->setValue(int(double(plot_->fromNs() - plot_->wholeFromNs()) / whole * steps));
}

void SctpaLadderWindow::moveTo(int value)
{
    const qint64 length = plot_->toNs() - plot_->fromNs();
    const double whole = double(plot_->wholeToNs() - plot_->wholeFromNs());
    const qint64 from = plot_->wholeFromNs() + qint64(whole * value / (bar_->maximum() + PageSteps));
    plot_->showTime(from, from + length);
}

QString SctpaLadderWindow::timesText() const
{
    switch (sctpa_ladder_far(facts_.ladder())) {
    case SCTPA_LADDER_TWO_TAPS:
        return sctpa_ladder_is_aligned(facts_.ladder())
                   ? tr("Two capture points: both ends of a line are as captured, after their clocks were aligned.")
                   : tr("Two capture points: both ends of a line are as captured.");
    case SCTPA_LADDER_UNKNOWN:
        return tr("Several capture points, and it is not known which is near which endpoint: when packets arrived "
                  "is unknown.");
    case SCTPA_LADDER_ONE_TAP: break;
    }
    return sctpa_ladder_shift_ns(facts_.ladder(), 0) > 0 || sctpa_ladder_shift_ns(facts_.ladder(), 1) > 0
               ? tr("One capture point: what is dashed is estimated from half the RTT from tap.")
               : tr("One capture point, and no RTT from it is known: when packets left or arrived is unknown.");
}

void SctpaLadderWindow::updateStatus()
{
    showState(facts_.isMade() ? QString() : tr("The packets are being read…"));
    bar_->setEnabled(isShown());
    note_->setText(isShown() && facts_.isMade() ? timesText() : QString());
}
