/* SPDX-License-Identifier: GPL-2.0-or-later */
// Frame of the windows: contents, line of status, buttons.
#include "window.h"

#include <QAbstractButton>
#include <QAction>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "choices.h"
#include "table_pane.h"

SctpaWindow::SctpaWindow(SctpaCapture *capture, SctpaChoices *choices, const QString &name, const QSize &size,
                         QWidget *parent)
    : QWidget(parent, Qt::Window), capture_(capture), choices_(choices), name_(name)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(name);
    auto *layout = new QVBoxLayout(this);
    contents_ = new QVBoxLayout;
    icon_ = new QLabel(this);
    line_ = new QLabel(this);
    line_->setObjectName(QStringLiteral("status"));
    line_->setTextFormat(Qt::PlainText);
    line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    // A long text makes no window wider than the screen.
    line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::Help, this);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QWidget::close);
    auto *bottom = new QHBoxLayout;
    bottom->addWidget(icon_);
    bottom->addWidget(line_, 1);
    bottom->addWidget(buttons_);
    layout->addLayout(contents_, 1);
    layout->addLayout(bottom);

    auto *refresh = new QAction(tr("Refresh"), this);
    refresh->setShortcut(QKeySequence::Refresh);
    connect(refresh, &QAction::triggered, capture_, &SctpaCapture::refresh);
    auto *leave = new QAction(tr("Close"), this);
    leave->setShortcut(QKeySequence::Close);
    connect(leave, &QAction::triggered, this, &QWidget::close);
    auto *help = new QAction(tr("Help"), this);
    help->setShortcut(QKeySequence::HelpContents);
    connect(help, &QAction::triggered, this, [this] { Q_EMIT helpWanted(name_); });
    connect(buttons_, &QDialogButtonBox::helpRequested, help, &QAction::trigger);
    auto *escape = new QAction(this);
    escape->setShortcut(Qt::Key_Escape);
    connect(escape, &QAction::triggered, this, [this] {
        if (!wouldLose())
            close();
    });
    addActions({ refresh, leave, help, escape });
    connect(capture_, &SctpaCapture::changed, this, [this] { follow(); });
    connect(capture_, &SctpaCapture::closing, this, [this] {
        letGo();
        complain(QString());
    });
    connect(capture_, &SctpaCapture::looked, this, [this] {
        if (hiddenFrame_ != 0 && capture_->isShown(hiddenFrame_))
            complain(QString());
    });
    capture_->addWatcher();
    choices_->restoreGeometry(this, QStringLiteral("windows/") + name_, size);
}

SctpaWindow::~SctpaWindow()
{
    capture_->removeWatcher();
    choices_->keep(QStringLiteral("windows/") + name_, saveGeometry());
}

// Polished before it is laid out for the first time.
bool SctpaWindow::event(QEvent *event)
{
    if (event->type() == QEvent::Polish)
        letButtonsShrink();
    return QWidget::event(event);
}

// To their texts, where styles want more: a row of them must fit a small screen.
void SctpaWindow::letButtonsShrink()
{
    for (QAbstractButton *button : buttons_->buttons()) {
        const int margin = style()->pixelMetric(QStyle::PM_ButtonMargin, nullptr, button) +
                           2 * style()->pixelMetric(QStyle::PM_DefaultFrameWidth, nullptr, button);
        const int icon = button->icon().isNull() ? 0 : button->iconSize().width() + margin;
        const QSize text = button->fontMetrics().size(Qt::TextShowMnemonic, button->text());
        button->setMinimumWidth(qMin(button->sizeHint().width(), text.width() + icon + margin));
    }
}

QString SctpaWindow::message() const
{
    return line_->text();
}

QPushButton *SctpaWindow::addButton(const QString &text)
{
    auto *button = new QPushButton(text, this);
    button->setAutoDefault(false);
    buttons_->addButton(button, QDialogButtonBox::ActionRole);
    return button;
}

void SctpaWindow::addRowAction(SctpaTablePane *pane, const QString &text,
                               const std::function<void(const QVector<int> &rows)> &act)
{
    QAction *action = pane->addRowEntry(text, act);
    QPushButton *button = addButton(text);
    button->setEnabled(action->isEnabled());
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, button, [button, action] { button->setEnabled(action->isEnabled()); });
}

void SctpaWindow::addReport()
{
    QPushButton *report = addButton(tr("Repor&t…"));
    report->setToolTip(
        tr("Write a report on the association, with its evidence packets, so that others can verify it"));
    connect(report, &QPushButton::clicked, this, [this] { Q_EMIT reportWanted(reportedAssoc()); });
}

void SctpaWindow::goToFrame(quint32 frame)
{
    const QString complaint = capture_->goToFrame(frame);
    complain(complaint);
    hiddenFrame_ = complaint.isEmpty() ? 0 : frame;
}

void SctpaWindow::applyFilter(const QString &filter)
{
    complain(capture_->applyFilter(filter));
}

void SctpaWindow::setStatus(const QString &status)
{
    status_ = status;
    updateLine();
}

void SctpaWindow::complain(const QString &complaint)
{
    complaint_ = complaint;
    hiddenFrame_ = 0;
    updateLine();
}

void SctpaWindow::updateLine()
{
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    const bool complains = !complaint_.isEmpty();
    icon_->setVisible(complains);
    if (complains)
        icon_->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning, nullptr, this).pixmap(side, side));
    line_->setText(complains ? complaint_ : status_);
    line_->setToolTip(line_->text());
}
