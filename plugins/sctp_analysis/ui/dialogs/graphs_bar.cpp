/* SPDX-License-Identifier: GPL-2.0-or-later */
// Choices of the graphs window as actions, with their settings.
#include "graphs_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QToolBar>
#include <QToolButton>

#include "choices.h"
#include "plots/plot_commands.h"
#include "streams_box.h"

namespace {

const char *const FirstPlots = "tsn,bytes,rates";
const QLatin1String PlotsSetting("graphs/plots"), OffSetting("graphs/off");

// A hint with the keys of a command.
QString hinted(const QString &hint, const char *command)
{
    return QStringLiteral("%1 (%2)").arg(hint, sctpaPlotKeysText(command));
}

QString settingOf(const QAction *action)
{
    return QStringLiteral("graphs/") + action->objectName();
}

}

SctpaGraphsBar::SctpaGraphsBar(SctpaPlotStack *stack, SctpaChoices *choices, QWidget *parent)
    : QWidget(parent), stack_(stack), choices_(choices), bar_(new QToolBar(this)), associations_(new QSpinBox(this)),
      ends_(new QComboBox(this)), paths_(new QComboBox(this)), streams_(new SctpaStreamsBox(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(bar_);
    for (QComboBox *box : { ends_, paths_ })
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    addAssociations();
    bar_->addWidget(new QLabel(tr(" data of "), this));
    bar_->addWidget(ends_);
    pathsShown_ = bar_->addWidget(paths_);
    streamsShown_ = bar_->addWidget(streams_);
    bar_->addSeparator();
    addPlotsMenu();
    bar_->addSeparator();
    addZoom();
    bar_->addSeparator();
    addSwitches();
    connect(ends_, QOverload<int>::of(&QComboBox::activated), this, &SctpaGraphsBar::endChosen);
    connect(paths_, QOverload<int>::of(&QComboBox::activated), this, &SctpaGraphsBar::pathChosen);
    connect(streams_, QOverload<int>::of(&QComboBox::activated), this, &SctpaGraphsBar::streamsChosen);
    connect(stack_, &SctpaPlotStack::changed, this, &SctpaGraphsBar::updateZoom);
    takeKeys();
    restore();
    updateZoom();
}

SctpaGraphsBar::~SctpaGraphsBar()
{
    choices_->keep(PlotsSetting, plots().join(QLatin1Char(',')).toUtf8());
    QStringList off = stack_->choice().off.values();
    off.sort();
    choices_->keep(OffSetting, off.join(QLatin1Char(',')).toUtf8());
    for (const QAction *action : { timeOfDay_, rawTsn_, zooms_, crosshair_, linked_ })
        choices_->keepNumber(settingOf(action), action->isChecked());
}

void SctpaGraphsBar::addAssociations()
{
    associations_->setAccessibleName(tr("Association"));
    associations_->setToolTip(
        tr("Association (next: %1, previous: %2)")
            .arg(sctpaPlotKeysText("next_association"), sctpaPlotKeysText("previous_association")));
    associations_->setPrefix(QStringLiteral("#"));
    associations_->setKeyboardTracking(false);
    bar_->addWidget(associations_);
    connect(associations_, QOverload<int>::of(&QSpinBox::valueChanged), this,
            [this](int number) { Q_EMIT associationChosen(quint32(number)); });
    connect(stack_, &SctpaPlotStack::nextAssociationWanted, associations_,
            [this](int by) { associations_->stepBy(by); });
}

void SctpaGraphsBar::setAssociation(quint32 number, quint32 count)
{
    const QSignalBlocker quiet(associations_);
    associations_->setRange(0, int(count) - 1);
    associations_->setValue(int(number));
}

void SctpaGraphsBar::setLinked(bool isLinked)
{
    // Nobody chose it here: it is not passed on to the other windows.
    const QSignalBlocker quiet(this);
    linked_->setChecked(isLinked);
}

void SctpaGraphsBar::addPlotsMenu()
{
    auto *button = new QToolButton(this);
    auto *menu = new QMenu(button);
    button->setText(tr("Plots"));
    button->setToolTip(tr("Choose the plots (keys 1 to %1)").arg(sctpaPlotRows().size()));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(menu);
    int key = 1;
    for (const SctpaPlotRow &row : sctpaPlotRows()) {
        QAction *action = menu->addAction(
            QStringLiteral("&%1 %2").arg(key++).arg(QCoreApplication::translate("SctpaPlot", row.title)));
        action->setObjectName(QString::fromUtf8(row.name));
        action->setCheckable(true);
        connect(action, &QAction::toggled, this, &SctpaGraphsBar::plotsChosen);
        plotActions_.append(action);
    }
    bar_->addWidget(button);
}

void SctpaGraphsBar::addZoom()
{
    const auto add = [this](const QString &text, const QString &hint, void (SctpaPlotStack::*slot)()) {
        QAction *action = bar_->addAction(text, stack_, slot);
        action->setToolTip(hint);
        return action;
    };
    back_ = add(QStringLiteral("←"), hinted(tr("Previous range"), "back"), &SctpaPlotStack::goBack);
    forward_ = add(QStringLiteral("→"), hinted(tr("Next range"), "forward"), &SctpaPlotStack::goForward);
    add(QStringLiteral("+"), hinted(tr("Zoom in"), "zoom_in"), &SctpaPlotStack::zoomIn);
    add(QStringLiteral("−"), hinted(tr("Zoom out"), "zoom_out"), &SctpaPlotStack::zoomOut);
    add(tr("Reset"), hinted(tr("Show everything"), "reset"), &SctpaPlotStack::reset);
}

QAction *SctpaGraphsBar::addSwitch(QWidget *where, const char *setting, const QString &text, const QString &hint,
                                   bool isOn)
{
    auto *action = new QAction(text, this);
    where->addAction(action);
    action->setObjectName(QString::fromUtf8(setting));
    action->setToolTip(hinted(hint, setting));
    action->setCheckable(true);
    action->setChecked(choices_->number(settingOf(action), isOn) != 0);
    return action;
}

void SctpaGraphsBar::setTsn(bool isRaw)
{
    SctpaPlot::Choice choice = stack_->choice();
    choice.isRawTsn = isRaw;
    stack_->setChoice(choice);
}

void SctpaGraphsBar::addSwitches()
{
    auto *button = new QToolButton(this);
    auto *view = new QMenu(button);
    view->setToolTipsVisible(true);
    button->setText(tr("View"));
    button->setToolTip(tr("Time and TSN format, linked time ranges"));
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(view);
    zooms_ = addSwitch(bar_, "zooms", tr("Drag zooms"), tr("Drag zooms instead of moving; Shift reverses this"), false);
    crosshair_ = addSwitch(bar_, "crosshair", tr("Crosshair and Card"),
                           tr("Show details of the packet nearest to the pointer"), true);
    timeOfDay_ = addSwitch(view, "time_of_day", tr("Time of day"),
                           tr("Time of day instead of seconds since the first packet"), false);
    rawTsn_ =
        addSwitch(view, "raw_tsn", tr("Raw TSNs"), tr("TSNs as in the packets, not relative to the first"), false);
    bar_->addWidget(button);
    linked_ = addSwitch(view, "linked", tr("Same Time Range in All Graphs"),
                        tr("Show the same time range in all graph windows"), false);
    connect(linked_, &QAction::toggled, this, [this](bool isLinked) {
        stack_->setLinked(isLinked);
        Q_EMIT linkChosen(isLinked);
    });
    connect(zooms_, &QAction::toggled, stack_,
            [this](bool zooms) { stack_->setMouse(zooms ? SctpaPlotStack::Zooms : SctpaPlotStack::Drags); });
    connect(crosshair_, &QAction::toggled, stack_, &SctpaPlotStack::setCrosshair);
    connect(timeOfDay_, &QAction::toggled, stack_, &SctpaPlotStack::setTimeAbsolute);
    connect(rawTsn_, &QAction::toggled, this, &SctpaGraphsBar::setTsn);
}

void SctpaGraphsBar::takeKeys()
{
    connect(stack_, &SctpaPlotStack::toggleMouseWanted, zooms_, &QAction::toggle);
    connect(stack_, &SctpaPlotStack::toggleCrosshairWanted, crosshair_, &QAction::toggle);
    connect(stack_, &SctpaPlotStack::toggleTimeWanted, timeOfDay_, &QAction::toggle);
    connect(stack_, &SctpaPlotStack::toggleTsnWanted, rawTsn_, &QAction::toggle);
    connect(stack_, &SctpaPlotStack::toggleLinkWanted, linked_, &QAction::toggle);
    connect(stack_, &SctpaPlotStack::togglePlotWanted, this, [this](int row) { plotActions_.at(row)->toggle(); });
    connect(stack_, &SctpaPlotStack::nextPathWanted, this, [this](int by) { step(paths_, by); });
    connect(stack_, &SctpaPlotStack::switchEndWanted, this, [this] { step(ends_, 1); });
}

void SctpaGraphsBar::restore()
{
    QByteArray shown = choices_->bytes(PlotsSetting);
    if (shown.isEmpty())
        shown = FirstPlots;
    const QStringList names = QString::fromUtf8(shown).split(QLatin1Char(','));
    for (QAction *action : std::as_const(plotActions_))
        action->setChecked(names.contains(action->objectName()));
    SctpaPlot::Choice choice = stack_->choice();
    const QByteArray off = choices_->bytes(OffSetting);
    for (const QString &name : QString::fromUtf8(off).split(QLatin1Char(',')))
        if (!name.isEmpty())
            choice.off.insert(name);
    choice.isRawTsn = rawTsn_->isChecked();
    stack_->setChoice(choice);
    stack_->setMouse(zooms_->isChecked() ? SctpaPlotStack::Zooms : SctpaPlotStack::Drags);
    stack_->setCrosshair(crosshair_->isChecked());
    stack_->setTimeAbsolute(timeOfDay_->isChecked());
    stack_->setLinked(linked_->isChecked());
}

void SctpaGraphsBar::updateZoom()
{
    back_->setEnabled(stack_->history().canGoBack());
    forward_->setEnabled(stack_->history().canGoForward());
}

void SctpaGraphsBar::step(QComboBox *box, int by)
{
    if (box->count() < 2)
        return;
    box->setCurrentIndex((box->currentIndex() + by + box->count()) % box->count());
    box == ends_ ? Q_EMIT endChosen() : Q_EMIT pathChosen();
}

void SctpaGraphsBar::setEnds(const QStringList &names)
{
    const int end = ends_->currentIndex();
    ends_->clear();
    ends_->addItems(names);
    ends_->setCurrentIndex(qBound(0, end, int(names.size()) - 1));
}

// Without a choice between paths there is none to see.
void SctpaGraphsBar::setPaths(const QVector<QString> &names)
{
    const int path = paths_->currentIndex();
    paths_->clear();
    paths_->addItem(tr("all paths"));
    for (const QString &name : names)
        paths_->addItem(QStringLiteral("→ ") + name);
    paths_->setCurrentIndex(path >= 0 && path < paths_->count() ? path : 0);
    pathsShown_->setVisible(names.size() > 1);
}

void SctpaGraphsBar::setStreams(const QVector<SctpaGraphData::Stream> &streams)
{
    streams_->setStreams(streams);
    streamsShown_->setVisible(streams.size() > 1);
}

QVector<quint16> SctpaGraphsBar::streams() const
{
    return streams_->chosen();
}

void SctpaGraphsBar::chooseEnd(int end)
{
    ends_->setCurrentIndex(end);
}

int SctpaGraphsBar::end() const
{
    return qMax(0, ends_->currentIndex());
}

quint16 SctpaGraphsBar::path() const
{
    const int path = paths_->currentIndex();
    return path <= 0 ? quint16(SCTPA_SERIES_ANY_PATH) : quint16(path - 1);
}

QStringList SctpaGraphsBar::plots() const
{
    QStringList names;
    for (const QAction *action : plotActions_)
        if (action->isChecked())
            names.append(action->objectName());
    return names;
}
