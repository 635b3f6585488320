/* SPDX-License-Identifier: GPL-2.0-or-later */
// The choices, one process at a time, and its results.
#include "report_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QUrl>
#include <QVBoxLayout>

#include "models/association.h"

namespace {

const QSize FirstSize(720, 360);
constexpr int LongestWaitS = 3; // before the time is shown, too

// "demo" of demo.pcapng.gz.
QString stemOf(const QString &path)
{
    static const QRegularExpression packed(QStringLiteral("\\.(gz|zst|lz4)$"),
                                           QRegularExpression::CaseInsensitiveOption);
    const QString name = QFileInfo(path).fileName().remove(packed), stem = QFileInfo(name).completeBaseName();
    return stem.isEmpty() ? name : stem;
}

}

SctpaReportWindow::SctpaReportWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent)
    : SctpaWindow(capture, choices, QStringLiteral("report"), FirstSize, parent), run_(capture->host())
{
    auto *what = new QLabel(tr("Writes what others need to verify the findings: report.html, the evidence packets "
                               "(evidence.pcapng) and text for an issue tracker (issue.md). Overwrites files with "
                               "these names."),
                            this);
    what->setWordWrap(true);
    contents()->addWidget(what);
    addChoices();
    contents()->addStretch(1);
    addProgress();
    addActions();
    connect(&run_, &SctpaReportRun::ended, this, &SctpaReportWindow::end);
    connect(&run_, &SctpaReportRun::stepped, this, [this](const QString &step) {
        step_ = step;
        updateState();
    });
    // Saving it, or the end of a recording, changes what the window can do.
    connect(capture, &SctpaCapture::looked, this, &SctpaReportWindow::updateState);
    choose(SCTPA_NO_ASSOC);
    follow();
}

void SctpaReportWindow::addChoices()
{
    auto *form = new QFormLayout;
    capture_ = new QLabel(this);
    capture_->setTextFormat(Qt::PlainText);
    capture_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    capture_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    one_ = new QRadioButton(tr("&Number"), this);
    worst_ = new QRadioButton(tr("The &worst in the capture"), this);
    number_ = new QSpinBox(this);
    number_->setAccessibleName(tr("Number of the association"));
    name_ = new QLabel(this);
    name_->setTextFormat(Qt::PlainText);
    name_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *which = new QHBoxLayout;
    which->addWidget(one_);
    which->addWidget(number_);
    which->addWidget(name_, 1);
    folder_ = new QLineEdit(this);
    folder_->setObjectName(QStringLiteral("folder"));
    auto *into = new QLabel(tr("&Folder:"), this);
    into->setBuddy(folder_);
    browse_ = new QPushButton(tr("&Browse…"), this);
    browse_->setAutoDefault(false);
    auto *where = new QHBoxLayout;
    where->addWidget(folder_, 1);
    where->addWidget(browse_);
    anonymised_ = new QCheckBox(tr("&Anonymise addresses, names and user data, also in the packets"), this);
    form->addRow(tr("Capture:"), capture_);
    form->addRow(tr("Association:"), which);
    form->addRow(QString(), worst_);
    form->addRow(into, where);
    form->addRow(QString(), anonymised_);
    contents()->addLayout(form);
    connect(browse_, &QPushButton::clicked, this, &SctpaReportWindow::chooseFolder);
    connect(one_, &QRadioButton::toggled, this, &SctpaReportWindow::follow);
    connect(number_, QOverload<int>::of(&QSpinBox::valueChanged), this, &SctpaReportWindow::follow);
    connect(folder_, &QLineEdit::textChanged, this, &SctpaReportWindow::updateState);
}

// A bar while it runs, then what came of it.
void SctpaReportWindow::addProgress()
{
    state_ = new QLabel(this);
    state_->setObjectName(QStringLiteral("state"));
    state_->setWordWrap(true);
    state_->setTextFormat(Qt::PlainText);
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->hide();
    result_ = new QLabel(this);
    result_->setObjectName(QStringLiteral("result"));
    result_->setWordWrap(true);
    result_->setTextFormat(Qt::PlainText);
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *row = new QHBoxLayout;
    for (const auto &opener : { std::make_pair(tr("Open &Report"), QStringLiteral("report.html")),
                                std::make_pair(tr("Open Fol&der"), QString()) }) {
        auto *button = new QPushButton(opener.first, this);
        connect(button, &QPushButton::clicked, this, [this, name = opener.second] { open(written_ + name); });
        openers_.append(button);
    }
    auto *copy = new QPushButton(tr("Copy &Issue Text"), this);
    connect(copy, &QPushButton::clicked, this, &SctpaReportWindow::copyIssue);
    openers_.append(copy);
    for (QPushButton *button : std::as_const(openers_)) {
        button->setAutoDefault(false);
        button->hide();
        row->addWidget(button);
    }
    row->addStretch(1);
    contents()->addWidget(state_);
    contents()->addWidget(progress_);
    contents()->addWidget(result_);
    contents()->addLayout(row);
}

void SctpaReportWindow::addActions()
{
    save_ = addButton(tr("&Save Capture…"));
    make_ = addButton(tr("&Make Report"));
    cancel_ = addButton(tr("&Cancel"));
    connect(save_, &QPushButton::clicked, this, &SctpaReportWindow::saveWanted);
    connect(make_, &QPushButton::clicked, this, &SctpaReportWindow::make);
    connect(cancel_, &QPushButton::clicked, &run_, &SctpaReportRun::cancel);
    connect(folder_, &QLineEdit::returnPressed, make_, &QPushButton::click);
}

void SctpaReportWindow::choose(quint32 number)
{
    if (run_.isRunning())
        return;
    (number == SCTPA_NO_ASSOC ? worst_ : one_)->setChecked(true);
    sctpa_view_t view;
    if (number != SCTPA_NO_ASSOC && capture()->look(&view)) {
        number_->setMaximum(int(sctpa_assoc_count(view.sctpa)) - 1);
        number_->setValue(int(number));
    }
    for (QPushButton *button : std::as_const(openers_))
        button->hide();
    result_->clear();
    follow();
}

QString SctpaReportWindow::folder() const
{
    return folder_->text().trimmed();
}

// Beside the capture, where its folder can be written to; a folder that the user typed stays.
void SctpaReportWindow::proposeFolder()
{
    sctpa_host_file_t file;
    if ((!folder().isEmpty() && folder() != proposed_) || !capture()->host()->file(&file) || file.is_temporary)
        return;
    const QString path = QFile::decodeName(file.path);
    const QFileInfo beside(QFileInfo(path).absolutePath());
    const QString parent = beside.isWritable() ? beside.filePath() : QDir::homePath();
    proposed_ = QDir::toNativeSeparators(
        one_->isChecked() ? QStringLiteral("%1/%2_association_%3").arg(parent, stemOf(path)).arg(number_->value())
                          : QStringLiteral("%1/%2_report").arg(parent, stemOf(path)));
    folder_->setText(proposed_);
}

void SctpaReportWindow::chooseFolder()
{
    // Wireshark may end while the dialog is open.
    const QPointer<SctpaReportWindow> self(this);
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Report Folder"), folder());
    if (self && !chosen.isEmpty())
        folder_->setText(chosen);
}

QString SctpaReportWindow::obstacle(bool *isToBeSaved) const
{
    sctpa_host_file_t file;
    *isToBeSaved = false;
    if (!capture()->host()->file(&file))
        return tr("No capture is open.");
    if (!file.is_whole)
        return tr("The capture is being recorded or read. A report needs a saved file: wait, or stop the capture.");
    *isToBeSaved = file.is_temporary;
    if (file.is_temporary)
        return tr("A report needs a saved file: save the capture first.");
    if (!QFileInfo(QFile::decodeName(file.path)).isReadable())
        return tr("The capture file is no longer readable: %1").arg(QFile::decodeName(file.path));
    return run_.missing();
}

void SctpaReportWindow::make()
{
    bool isToBeSaved;
    sctpa_host_file_t file;
    if (run_.isRunning() || folder().isEmpty() || !obstacle(&isToBeSaved).isEmpty() || !capture()->host()->file(&file))
        return;
    SctpaReportRun::Order order;
    order.capture = QFile::decodeName(file.path);
    order.folder = QFileInfo(folder()).isAbsolute() ? folder() : QDir::home().filePath(folder());
    order.assoc = one_->isChecked() ? quint32(number_->value()) : quint32(SCTPA_NO_ASSOC);
    order.isAnonymised = anonymised_->isChecked();
    written_ = order.folder + QLatin1Char('/');
    step_ = tr("starting");
    since_.start();
    for (QPushButton *button : std::as_const(openers_))
        button->hide();
    result_->clear();
    run_.start(order);
    updateState();
}

void SctpaReportWindow::end(bool isWritten, const QString &said)
{
    result_->setText(isWritten ? tr("Written to %1").arg(said) : said);
    for (QPushButton *button : std::as_const(openers_))
        button->setVisible(isWritten);
    if (isWritten)
        openers_.first()->setFocus();
    updateState();
}

void SctpaReportWindow::open(const QString &path)
{
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        complain(tr("No application opens %1").arg(path));
}

void SctpaReportWindow::copyIssue()
{
    QFile file(written_ + QStringLiteral("issue.md"));
    if (file.open(QIODevice::ReadOnly))
        QApplication::clipboard()->setText(QString::fromUtf8(file.readAll()));
    else
        complain(tr("%1 could not be read: %2").arg(file.fileName(), file.errorString()));
}

void SctpaReportWindow::follow()
{
    sctpa_view_t view;
    const bool isOpen = capture()->look(&view);
    const int count = isOpen ? int(sctpa_assoc_count(view.sctpa)) : 0;
    hasAssociations_ = count > 0;
    if (count > 0)
        number_->setMaximum(count - 1);
    const quint32 number = count > 0 ? sctpa_view_resolve(&view, quint32(number_->value())) : quint32(SCTPA_NO_ASSOC);
    name_->setText(number == SCTPA_NO_ASSOC || !one_->isChecked()
                       ? QString()
                       : SctpaAssociation::endpointsOf(view, sctpa_assoc(view.sctpa, number)));
    name_->setToolTip(name_->text());
    const QString name = capture()->name();
    capture_->setText(name);
    setWindowTitle(name.isEmpty() ? tr("SCTP Report") : tr("SCTP Report · %1").arg(name));
    proposeFolder();
    updateState();
}

// The process goes on: it reads the file.
void SctpaReportWindow::letGo()
{
    hasAssociations_ = false;
    name_->clear();
    capture_->clear();
    setWindowTitle(tr("SCTP Report"));
    updateState();
}

QString SctpaReportWindow::stateText(const QString &obstacle) const
{
    sctpa_host_file_t file;
    if (run_.isRunning()) {
        const qint64 seconds = since_.elapsed() / 1000;
        const QString step = step_.left(1).toUpper() + step_.mid(1);
        return seconds < LongestWaitS ? tr("%1…").arg(step) : tr("%1… (%2 s)").arg(step).arg(seconds);
    }
    if (!obstacle.isEmpty())
        return obstacle;
    if (folder().isEmpty())
        return tr("Choose a folder.");
    return capture()->host()->file(&file) && file.has_unsaved_changes
               ? tr("The report does not include unsaved changes.")
               : QString();
}

// Lines of text that are broken need more height than layouts ask for.
void SctpaReportWindow::fitHeight()
{
    setMinimumHeight(layout()->totalHeightForWidth(width()));
}

void SctpaReportWindow::resizeEvent(QResizeEvent *event)
{
    SctpaWindow::resizeEvent(event);
    fitHeight();
}

void SctpaReportWindow::updateState()
{
    bool isToBeSaved = false;
    const bool isRunning = run_.isRunning();
    // Looks for programs; while one runs nothing depends on it.
    const QString why = isRunning ? QString() : obstacle(&isToBeSaved);
    progress_->setVisible(isRunning);
    save_->setVisible(isToBeSaved);
    cancel_->setVisible(isRunning);
    make_->setVisible(!isRunning);
    make_->setEnabled(!isRunning && why.isEmpty() && !folder().isEmpty());
    for (QWidget *choice : std::initializer_list<QWidget *>{ one_, worst_, folder_, browse_, anonymised_ })
        choice->setEnabled(!isRunning);
    number_->setEnabled(!isRunning && one_->isChecked() && hasAssociations_);
    if (proposed_.isEmpty() && !isRunning)
        proposeFolder();
    state_->setText(stateText(why));
    fitHeight();
}
