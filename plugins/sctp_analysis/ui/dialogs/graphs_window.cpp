// Loads data in stages: a plot each, then times of trouble, then limits. What takes long is done once the window was painted.
#include "graphs_window.h"

#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QSaveFile>
#include <QVBoxLayout>

#include "graphs_bar.h"

extern "C" {
#include "../../report/legend.h"
#include "../../report/series.h"
}

namespace {

QSize firstSize()
{
    return QSize(1180, 820).boundedTo(QGuiApplication::primaryScreen()->availableSize() * 0.9);
}

// So long is loaded in one go.
constexpr int TogetherMs = 80;
// After loading that took long, so many times longer is left to everybody else.
constexpr int RestPerLoad = 4;

QString endName(sctpa_legend_t *legend, const sctpa_end_t *end)
{
    GString *text = g_string_new(nullptr);
    sctpa_legend_end(legend, end, text);
    const QString name = QString::fromUtf8(text->str);
    g_string_free(text, TRUE);
    return name;
}

}

SctpaGraphsWindow::SctpaGraphsWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("graphs"), firstSize(), parent), association_(new SctpaAssociation(capture, number, this)),
      stack_(new SctpaPlotStack(&data_, this)), bar_(new SctpaGraphsBar(stack_, choices, this))
{
    contents()->addWidget(bar_);
    contents()->addWidget(stack_, 1);
    addHelp();
    addButtons();
    for (QTimer *timer : { &more_, &rest_ })
        timer->setSingleShot(true);
    connect(&more_, &QTimer::timeout, this, &SctpaGraphsWindow::loadMore);
    connect(&rest_, &QTimer::timeout, this, [this] {
        if (isStale_)
            follow();
    });
    connect(stack_, &SctpaPlotStack::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(bar_, &SctpaGraphsBar::endChosen, this, &SctpaGraphsWindow::showAnew);
    connect(bar_, &SctpaGraphsBar::pathChosen, this, &SctpaGraphsWindow::showAnew);
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

void SctpaGraphsWindow::addHelp()
{
    auto *help = new QLabel(tr("Wheel zooms time, with Ctrl values, with Shift both · drag moves, with Shift zooms · click goes to the packet · "
                               "+ − 0 zoom · arrows move · Backspace back · G packet · D endpoint · PgUp PgDn path · S raw TSNs · T time of day · "
                               "Z drag or zoom · Space crosshair · 1–5 plots · click on a legend to hide"), this);
    help->setObjectName(QStringLiteral("help"));
    help->setWordWrap(true);
    QFont small = help->font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    help->setFont(small);
    contents()->addWidget(help);
}

void SctpaGraphsWindow::addButtons()
{
    auto *saveAs = new QPushButton(tr("&Save As…"), this);
    auto *filter = new QPushButton(tr("&Filter This Time"), this);
    filter->setToolTip(tr("Apply the range of time shown as display filter"));
    for (QPushButton *button : { filter, saveAs }) {
        button->setAutoDefault(false);
        buttons()->addButton(button, QDialogButtonBox::ActionRole);
    }
    connect(saveAs, &QPushButton::clicked, this, &SctpaGraphsWindow::chooseFileAndSave);
    connect(filter, &QPushButton::clicked, this, [this] { applyFilter(filterOfRange()); });
}

void SctpaGraphsWindow::readEnds(const sctpa_view_t &view, const sctpa_assoc_t *assoc)
{
    sctpa_legend_t *legend = sctpa_legend_new_spelled_out(&view);
    bar_->setEnds({ endName(legend, &assoc->ends[0]), endName(legend, &assoc->ends[1]) });
    sctpa_legend_free(legend);
    // First whose data there is more of.
    if (!hasLooked_)
        bar_->chooseEnd(sctpa_counts_data_chunks(&assoc->ends[1].counts) > sctpa_counts_data_chunks(&assoc->ends[0].counts));
}

void SctpaGraphsWindow::show(const sctpa_view_t &view, const sctpa_assoc_t *assoc, bool keepsZoom)
{
    data_.look(view, assoc, quint8(bar_->end()));
    bar_->setPaths(data_.pathNames());
    SctpaPlot::Choice choice = stack_->choice();
    choice.path = bar_->path();
    stack_->setChoice(choice);
    stack_->dataChanged(keepsZoom);
    startLoading();
}

void SctpaGraphsWindow::follow()
{
    if (isLoading() || rest_.isActive()) {
        isStale_ = true;
        return;
    }
    isStale_ = false;
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association_->look(&view);
    if (assoc) {
        readEnds(view, assoc);
        show(view, assoc, hasLooked_);
        hasLooked_ = true;
    } else {
        data_.clear();
        stack_->clearPlots();
    }
    updateStatus();
}

// Another end or path of what is shown.
void SctpaGraphsWindow::showAnew()
{
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = association_->look(&view);
    if (!assoc)
        return;
    stack_->clearPlots();
    show(view, assoc, true);
    updateStatus();
}

void SctpaGraphsWindow::letGo()
{
    stage_ = -1;
    isStale_ = false;
    more_.stop();
    rest_.stop();
    data_.clear();
    stack_->clearPlots();
    association_->clear();
    updateStatus();
}

void SctpaGraphsWindow::choosePlots()
{
    stack_->setPlots(bar_->plots());
    if (data_.isThere())
        startLoading();
}

void SctpaGraphsWindow::startLoading()
{
    stage_ = 0;
    spentMs_ = 0;
    loadMore();
}

void SctpaGraphsWindow::loadMore()
{
    QElapsedTimer clock;
    clock.start();
    while (isLoading() && clock.elapsed() < TogetherMs)
        loadStage();
    spentMs_ += clock.elapsed();
    if (isLoading())
        more_.start(0);
    else
        finishLoading();
    updateStatus();
}

void SctpaGraphsWindow::loadStage()
{
    const auto &plots = stack_->plots();
    const int loaded = int(plots.size());
    const int stage = stage_++;
    if (stage < loaded) {
        stack_->load(plots[size_t(stage)].get());
        return;
    }
    if (stage == loaded)
        data_.findTrouble();
    else if (stack_->plot(QStringLiteral("rates")))
        data_.findLimits();
    for (const auto &plot : plots)
        if (stage == loaded ? plot->what()->showsTrouble : plot->what()->showsLimits)
            stack_->load(plot.get());
    if (stage > loaded)
        stage_ = -1;
}

void SctpaGraphsWindow::finishLoading()
{
    if (spentMs_ > TogetherMs)
        rest_.start(int(spentMs_) * RestPerLoad);
    else if (isStale_)
        rest_.start(SctpaCapture::UpdateEveryMs);
}

void SctpaGraphsWindow::updateStatus()
{
    const QString file = capture()->name();
    const bool isShown = association_->state() == SctpaAssociation::Shown;
    setWindowTitle(file.isEmpty() ? tr("SCTP Graphs %1").arg(association_->name())
                                  : tr("SCTP Graphs %1 · %2").arg(association_->name(), file));
    for (QAbstractButton *button : buttons()->buttons())
        if (buttons()->buttonRole(button) == QDialogButtonBox::ActionRole)
            button->setEnabled(isShown);
    if (isShown)
        setStatus(isLoading() ? tr("More is being read…") : QString());
    else if (association_->state() == SctpaAssociation::Gone)
        setStatus(tr("The open capture does not have this association."));
    else
        setStatus(tr("No capture is open."));
}

QString SctpaGraphsWindow::filterOfRange() const
{
    const QCPRange time = stack_->timeRange();
    return QStringLiteral("sctp.analysis.assoc == %1 && frame.time_relative >= %2 && frame.time_relative <= %3")
        .arg(association_->number()).arg(qMax(0.0, time.lower), 0, 'f', 9).arg(qMax(0.0, time.upper), 0, 'f', 9);
}

QString SctpaGraphsWindow::saveCsv(const QString &file) const
{
    sctpa_view_t view;
    QSaveFile out(file);
    if (!association_->look(&view) || !data_.isThere())
        return tr("No capture is open.");
    const QCPRange time = stack_->timeRange();
    const sctpa_series_choice_t choice = { association_->number(), data_.end(), stack_->kindsShown(), bar_->path(),
                                           data_.timeOf(time.lower), data_.timeOf(time.upper) + 1 };
    if (out.open(QIODevice::WriteOnly)) {
        sctpa_series_write(&view, &choice, [](void *to, const GString *piece) {
            static_cast<QSaveFile *>(to)->write(piece->str, qint64(piece->len));
        }, &out);
        if (out.commit())
            return QString();
    }
    return tr("%1 could not be written: %2").arg(file, out.errorString());
}

QString SctpaGraphsWindow::save(const QString &file)
{
    return file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? saveCsv(file) : stack_->save(file);
}

void SctpaGraphsWindow::chooseFileAndSave()
{
    const QString kinds = tr("Picture (*.png);;Document (*.pdf);;Drawing (*.svg);;Comma-separated values (*.csv)");
    const QString name = QStringLiteral("sctp_graphs_%1.png").arg(association_->number());
    QString kind;
    // Wireshark may end while the dialog is open.
    const QPointer<SctpaGraphsWindow> self(this);
    QString file = QFileDialog::getSaveFileName(this, tr("Save Graphs"), name, kinds, &kind);
    if (!self || file.isEmpty())
        return;
    // The kind that was chosen counts, whatever the name proposed.
    const QString suffix = kind.section(QLatin1Char('*'), 1).section(QLatin1Char(')'), 0, 0);
    if (!suffix.isEmpty() && !file.endsWith(suffix, Qt::CaseInsensitive))
        file += suffix;
    const QString failure = save(file);
    if (!failure.isEmpty())
        QMessageBox::warning(this, tr("Save Graphs"), failure);
}
