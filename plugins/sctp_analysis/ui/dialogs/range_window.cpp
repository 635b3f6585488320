/* SPDX-License-Identifier: GPL-2.0-or-later */
// Buttons, files and rests of windows that show a range of time.
#include "range_window.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

namespace {

// After reading that took long, so many times longer is left to everybody else.
constexpr int RestPerRead = 4;

// As a display filter has it: unlike times since the first frame, no time reference moves it.
QString epochText(qint64 timeNs)
{
    constexpr qint64 SecondNs = 1000000000;
    const qint64 ns = qMax<qint64>(0, timeNs);
    return QStringLiteral("%1.%2").arg(ns / SecondNs).arg(ns % SecondNs, 9, 10, QLatin1Char('0'));
}

}

SctpaRangeWindow::SctpaRangeWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, const What &what,
                                   QWidget *parent)
    : SctpaWindow(capture, choices, what.name, what.size, parent), what_(what),
      association_(new SctpaAssociation(capture, number, this))
{
    rest_.setSingleShot(true);
    connect(&rest_, &QTimer::timeout, this, [this] {
        if (isStale_)
            follow();
    });
}

void SctpaRangeWindow::addHelp(const QString &text)
{
    auto *help = new QLabel(text, this);
    help->setObjectName(QStringLiteral("help"));
    help->setWordWrap(true);
    QFont small = help->font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    help->setFont(small);
    contents()->addWidget(help);
}

void SctpaRangeWindow::addButtons()
{
    QPushButton *tables = addButton(tr("Statistics for &Visible Range"));
    tables->setToolTip(tr("Count only the packets of the range of time shown in the tables of the association"));
    QPushButton *filter = addButton(tr("&Filter Visible Range"));
    filter->setToolTip(tr("Apply the range of time shown as display filter"));
    QPushButton *saveAs = addButton(tr("&Save As…"));
    addReport();
    connect(saveAs, &QPushButton::clicked, this, &SctpaRangeWindow::chooseFileAndSave);
    connect(filter, &QPushButton::clicked, this, [this] { applyFilter(filterOfRange()); });
    connect(tables, &QPushButton::clicked, this, [this] {
        const auto shown = shownNs();
        Q_EMIT tablesWanted(association_->number(), shown.first, shown.second);
    });
}

bool SctpaRangeWindow::mustWait()
{
    isStale_ = isLoading() || rest_.isActive();
    return isStale_;
}

void SctpaRangeWindow::restAfterReading()
{
    const qint64 spentMs = spent_.elapsed();
    if (spentMs > PatienceMs)
        rest_.start(int(spentMs) * RestPerRead);
    else if (isStale_)
        rest_.start(SctpaCapture::UpdateEveryMs);
}

void SctpaRangeWindow::forgetRest()
{
    isStale_ = false;
    rest_.stop();
}

void SctpaRangeWindow::showState(const QString &loading)
{
    const QString file = association_->file(), name = association_->name();
    setWindowTitle(file.isEmpty() ? QStringLiteral("%1 %2").arg(what_.title, name)
                                  : QStringLiteral("%1 %2 · %3").arg(what_.title, name, file));
    for (QAbstractButton *button : buttons()->buttons())
        if (buttons()->buttonRole(button) == QDialogButtonBox::ActionRole)
            button->setEnabled(isShown());
    if (isShown())
        setStatus(isLoading() ? loading : QString());
    else if (association_->state() == SctpaAssociation::Gone)
        setStatus(tr("This association is not in the open capture."));
    else
        setStatus(tr("No capture is open."));
}

QString SctpaRangeWindow::filterOfRange() const
{
    const auto shown = shownNs();
    return QStringLiteral("sctp.analysis.assoc == %1 && frame.time_epoch >= %2 && frame.time_epoch <= %3")
        .arg(association_->number())
        .arg(epochText(shown.first), epochText(shown.second));
}

void SctpaRangeWindow::chooseFileAndSave()
{
    const QString name = QStringLiteral("sctp_%1_%2.png").arg(what_.name).arg(association_->number());
    QString kind;
    // Wireshark may end while the dialog is open.
    const QPointer<SctpaRangeWindow> self(this);
    QString file = QFileDialog::getSaveFileName(this, what_.save, name, what_.files, &kind);
    if (!self || file.isEmpty())
        return;
    // The kind that was chosen counts, whatever the name proposed.
    const QString suffix = kind.section(QLatin1Char('*'), 1).section(QLatin1Char(')'), 0, 0);
    if (!suffix.isEmpty() && !file.endsWith(suffix, Qt::CaseInsensitive))
        file += suffix;
    const QString failure = save(file);
    if (!failure.isEmpty())
        QMessageBox::warning(this, what_.save, failure);
}
