/* SPDX-License-Identifier: GPL-2.0-or-later */
// A row per finding, an explanation of the one selected, and what can be done with them.
#include "findings_window.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "choices.h"
#include "finding_panel.h"
#include "table_pane.h"

namespace {

const QSize FirstSize(1280, 720);
const char *const LevelSetting = "findings/level", *const SplitSetting = "findings/split",
                  *const GroupSetting = "findings/grouped";

}

SctpaFindingsWindow::SctpaFindingsWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("findings"), FirstSize, parent),
      model_(new SctpaFindingsModel(this)),
      pane_(new SctpaTablePane(model_, choices, SctpaTablePane::AllThereIs, this)),
      panel_(new SctpaFindingPanel(pane_, capture, this)), splitter_(new QSplitter(Qt::Vertical, this)),
      levels_(new QComboBox(this)), nothing_(new QLabel(this))
{
    splitter_->addWidget(pane_);
    splitter_->addWidget(panel_);
    splitter_->setChildrenCollapsible(false);
    splitter_->restoreState(choices->bytes(QLatin1String(SplitSetting)));
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    contents()->addWidget(splitter_, 1);
    contents()->addWidget(nothing_, 1);
    addGrouping();
    addLevels();
    addActionsForRows();
    pane_->sortAtFirst(SCTPA_FINDING_LEVEL, Qt::AscendingOrder);
    connect(pane_, &SctpaTablePane::activated, this, [this](int row) { goToFrame(model_->frameOfRow(row)); });
    connect(pane_, &SctpaTablePane::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(panel_, &SctpaFindingPanel::frameWanted, this, [this](quint32 frame) { goToFrame(frame); });
    connect(pane_, &SctpaTablePane::settled, this, &SctpaFindingsWindow::updateStatus);
    follow();
    pane_->view()->setFocus();
}

// The table before its model.
SctpaFindingsWindow::~SctpaFindingsWindow()
{
    choices()->keepNumber(QLatin1String(LevelSetting), model_->level());
    choices()->keepNumber(QLatin1String(GroupSetting), model_->isGrouped());
    choices()->keep(QLatin1String(SplitSetting), splitter_->saveState());
    delete panel_;
    delete pane_;
}

void SctpaFindingsWindow::addLevels()
{
    levels_->setObjectName(QStringLiteral("levels"));
    levels_->setAccessibleName(tr("Levels shown"));
    levels_->addItem(tr("MUST only"), SCTPA_LEVEL_MUST);
    levels_->addItem(tr("MUST and SHOULD"), SCTPA_LEVEL_SHOULD);
    levels_->addItem(tr("All levels"), SCTPA_LEVEL_HEURISTIC);
    const int kept = choices()->number(QLatin1String(LevelSetting), SCTPA_LEVEL_HEURISTIC);
    levels_->setCurrentIndex(qBound<int>(SCTPA_LEVEL_MUST, kept, SCTPA_LEVEL_HEURISTIC));
    model_->setLevel(sctpa_level_t(levels_->currentData().toInt()));
    pane_->addHeadWidget(levels_);
    connect(levels_, QOverload<int>::of(&QComboBox::currentIndexChanged), this, [this] {
        model_->setLevel(sctpa_level_t(levels_->currentData().toInt()));
        follow();
    });
}

void SctpaFindingsWindow::addGrouping()
{
    grouping_ = new QCheckBox(tr("Grouped"), this);
    grouping_->setToolTip(tr("Show findings of one rule and endpoint in several associations as one expandable row"));
    grouping_->setChecked(choices()->number(QLatin1String(GroupSetting), 1) != 0);
    model_->setGrouped(grouping_->isChecked());
    pane_->addHeadWidget(grouping_);
    connect(grouping_, &QCheckBox::toggled, this, [this](bool isGrouped) {
        model_->setGrouped(isGrouped);
        follow();
    });
}

void SctpaFindingsWindow::addActionsForRows()
{
    addRowAction(pane_, tr("&Open Association"),
                 [this](const QVector<int> &rows) { Q_EMIT assocWanted(model_->assocOfRow(rows.first())); });
    pane_->addRowEntry(tr("Show in &Graph"), [this](const QVector<int> &rows) {
        const int row = rows.first();
        Q_EMIT inGraphsWanted(model_->assocOfRow(row), model_->frameOfRow(row),
                              model_->index(row, SCTPA_FINDING_RULE).data().toString());
    });
    addRowAction(pane_, tr("Go to &First Packet"),
                 [this](const QVector<int> &rows) { goToFrame(model_->frameOfRow(rows.first())); });
    addRowAction(pane_, tr("&Apply as Display Filter"),
                 [this](const QVector<int> &rows) { applyFilter(model_->filterFor(rows)); });
    addReport();
}

quint32 SctpaFindingsWindow::reportedAssoc() const
{
    const QVector<int> rows = pane_->selectedRows();
    return rows.isEmpty() ? quint32(SCTPA_NO_ASSOC) : model_->assocOfRow(rows.first());
}

void SctpaFindingsWindow::follow()
{
    sctpa_view_t view;
    isOpen_ = capture()->look(&view);
    if (isOpen_)
        model_->refresh(view);
    else
        model_->clear();
    settle();
}

void SctpaFindingsWindow::letGo()
{
    isOpen_ = false;
    model_->clear();
    settle();
}

void SctpaFindingsWindow::settle()
{
    const bool hasFindings = model_->findings() > 0;
    pane_->settle();
    pane_->selectFirst();
    splitter_->setVisible(hasFindings || !isOpen_);
    nothing_->setVisible(isOpen_ && !hasFindings);
    if (isOpen_ && !hasFindings)
        nothing_->setText(judgedText());
}

// What silence is worth.
QString SctpaFindingsWindow::judgedText() const
{
    const SctpaFindingsModel::Judged judged = model_->judged();
    const QLocale locale = QLocale::c();
    if (judged.ends == 0)
        return tr("The capture has no SCTP association.");
    QStringList lines = { tr("No violations found."),
                          tr("%1 of %2 endpoints could be judged; rules judged at one of them: at most %3.")
                              .arg(locale.toString(judged.endsJudged), locale.toString(judged.ends),
                                   locale.toString(judged.mostRules)) };
    if (!judged.missing.isEmpty())
        lines.append(tr("More rules applied but could not be evaluated; missing: %1.").arg(judged.missing));
    return lines.join(QStringLiteral("\n\n"));
}

// Findings that the level and the filter leave, in open groups or not.
int SctpaFindingsWindow::fittingFindings() const
{
    int fitting = 0;
    QVector<bool> fits(model_->rowCount());
    for (int row = 0; row < model_->rowCount(); row++)
        fits[row] = pane_->proxy()->fits(row);
    for (int row = 0; row < model_->findingRows(); row++)
        fitting += fits.at(row) || fits.value(model_->headOf(row), false);
    return fitting;
}

QString SctpaFindingsWindow::countText() const
{
    const QLocale locale = QLocale::c();
    const int all = model_->findings(), shown = fittingFindings();
    if (shown < all)
        return tr("%1 of %2 findings").arg(locale.toString(shown), locale.toString(all));
    if (model_->hasGroups())
        return tr("%1 findings in %2 rows").arg(locale.toString(all), locale.toString(model_->groupedRows()));
    return all == 1 ? tr("1 finding") : tr("%1 findings").arg(locale.toString(all));
}

void SctpaFindingsWindow::updateStatus()
{
    const QString name = capture()->name();
    setWindowTitle(name.isEmpty() ? tr("SCTP Findings") : tr("SCTP Findings · %1").arg(name));
    if (!isOpen_)
        setStatus(tr("No capture is open."));
    else
        setStatus(model_->findings() == 0 ? QString() : countText());
}
