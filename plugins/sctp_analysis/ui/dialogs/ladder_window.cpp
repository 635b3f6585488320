/* SPDX-License-Identifier: GPL-2.0-or-later */
// Reads the ladder, keeps bar, buttons and line of status in step with it.
#include "ladder_window.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace {

QSize firstSize()
{
    return QSize(1000, 800).boundedTo(QGuiApplication::primaryScreen()->availableSize() * 0.9);
}

// So long the window waits for the ladder before it answers, once.
constexpr int PatienceMs = 80;
// After reading that took long, so many times longer is left to everybody else.
constexpr int RestPerRead = 4;
// Steps of the scroll bar in what it shows.
constexpr int PageSteps = 1000, LineSteps = 50, MostPages = 1000000;

}

SctpaLadderWindow::SctpaLadderWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("ladder"), firstSize(), parent),
      association_(new SctpaAssociation(capture, number, this)), plot_(new SctpaLadderPlot(&facts_, this)),
      bar_(new QScrollBar(Qt::Vertical, this)), reader_(capture)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(plot_, 1);
    row->addWidget(bar_);
    contents()->addLayout(row, 1);
    addHelp();
    addButtons();
    rest_.setSingleShot(true);
    connect(&reader_, &SctpaReader::ended, this, [this] { endReading(); });
    connect(&rest_, &QTimer::timeout, this, [this] {
        if (isStale_)
            follow();
    });
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

void SctpaLadderWindow::addHelp()
{
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("times"));
    note_->setWordWrap(true);
    contents()->addWidget(note_);
    auto *help = new QLabel(tr("Wheel zooms, with Shift scrolls · drag moves · click goes to the packet · "
                               "+ − 0 zoom · ↑ ↓ PgUp PgDn Home End move · ← → previous, next packet · "
                               "L lost, R retransmission (Shift: back) · G packet · S raw TSNs · T time of day"),
                            this);
    help->setObjectName(QStringLiteral("help"));
    help->setWordWrap(true);
    QFont small = help->font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    help->setFont(small);
    contents()->addWidget(help);
}

void SctpaLadderWindow::addButtons()
{
    auto *saveAs = new QPushButton(tr("&Save As…"), this);
    auto *filter = new QPushButton(tr("&Filter This Time"), this);
    filter->setToolTip(tr("Apply the range of time shown as display filter"));
    auto *tables = new QPushButton(tr("&Tables of This Time"), this);
    tables->setToolTip(tr("Count only the packets of the range of time shown in the tables of the association"));
    for (QPushButton *button : { tables, filter, saveAs }) {
        button->setAutoDefault(false);
        buttons()->addButton(button, QDialogButtonBox::ActionRole);
    }
    connect(saveAs, &QPushButton::clicked, this, &SctpaLadderWindow::chooseFileAndSave);
    connect(filter, &QPushButton::clicked, this, [this] { applyFilter(filterOfRange()); });
    connect(tables, &QPushButton::clicked, this,
            [this] { Q_EMIT tablesWanted(association_->number(), plot_->fromNs(), plot_->toNs()); });
}

void SctpaLadderWindow::follow()
{
    if (isLoading() || rest_.isActive()) {
        isStale_ = true;
        return;
    }
    isStale_ = false;
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association_->look(&view);
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
    spent_.start();
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
    if (spent_.elapsed() > PatienceMs)
        rest_.start(int(spent_.elapsed()) * RestPerRead);
    else if (isStale_)
        rest_.start(SctpaCapture::UpdateEveryMs);
    updateStatus();
}

void SctpaLadderWindow::letGo()
{
    reader_.wait();
    result_.reset();
    rest_.stop();
    isStale_ = hasLooked_ = false;
    facts_.clear();
    association_->clear();
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
    const QString file = capture()->name();
    const bool isShown = association_->state() == SctpaAssociation::Shown;
    setWindowTitle(file.isEmpty() ? tr("SCTP Ladder %1").arg(association_->name())
                                  : tr("SCTP Ladder %1 · %2").arg(association_->name(), file));
    for (QAbstractButton *button : buttons()->buttons())
        if (buttons()->buttonRole(button) == QDialogButtonBox::ActionRole)
            button->setEnabled(isShown);
    bar_->setEnabled(isShown);
    note_->setText(isShown && facts_.isMade() ? timesText() : QString());
    if (isShown)
        setStatus(facts_.isMade() ? QString() : tr("The packets are being read…"));
    else if (association_->state() == SctpaAssociation::Gone)
        setStatus(tr("The open capture does not have this association."));
    else
        setStatus(tr("No capture is open."));
}

QString SctpaLadderWindow::filterOfRange() const
{
    const double start = double(facts_.startNs());
    return QStringLiteral("sctp.analysis.assoc == %1 && frame.time_relative >= %2 && frame.time_relative <= %3")
        .arg(association_->number())
        .arg(qMax(0.0, (double(plot_->fromNs()) - start) / 1e9), 0, 'f', 9)
        .arg(qMax(0.0, (double(plot_->toNs()) - start) / 1e9), 0, 'f', 9);
}

void SctpaLadderWindow::chooseFileAndSave()
{
    const QString kinds = tr("Picture (*.png);;Document (*.pdf);;Drawing (*.svg)");
    const QString name = QStringLiteral("sctp_ladder_%1.png").arg(association_->number());
    QString kind;
    // Wireshark may end while the dialog is open.
    const QPointer<SctpaLadderWindow> self(this);
    QString file = QFileDialog::getSaveFileName(this, tr("Save Ladder"), name, kinds, &kind);
    if (!self || file.isEmpty())
        return;
    // The kind that was chosen counts, whatever the name proposed.
    const QString suffix = kind.section(QLatin1Char('*'), 1).section(QLatin1Char(')'), 0, 0);
    if (!suffix.isEmpty() && !file.endsWith(suffix, Qt::CaseInsensitive))
        file += suffix;
    const QString failure = save(file);
    if (!failure.isEmpty())
        QMessageBox::warning(this, tr("Save Ladder"), failure);
}
