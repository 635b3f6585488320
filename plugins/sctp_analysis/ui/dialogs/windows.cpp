/* SPDX-License-Identifier: GPL-2.0-or-later */
// Opens windows above Wireshark's main window, which owns them: they end with it.
#include "windows.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QMessageBox>

namespace {

// Wireshark hands a plugin no window; its main window is the one QMainWindow among those at the top. Without one: no
// parent.
QWidget *mainWindow()
{
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (QWidget *window : windows)
        if (qobject_cast<QMainWindow *>(window) && window->isVisible())
            return window;
    return nullptr;
}

// The window among those opened that shows the association, or null. Forgets those that were closed.
template <typename Window> Window *findOpened(QList<QPointer<Window>> &opened, quint32 number)
{
    opened.removeAll(QPointer<Window>());
    for (const QPointer<Window> &window : std::as_const(opened))
        if (window->association()->state() == SctpaAssociation::Shown && window->association()->number() == number)
            return window;
    return nullptr;
}

void bringUp(QWidget *window)
{
    window->show();
    window->raise();
    window->activateWindow();
}

}

SctpaWindows::SctpaWindows(const sctpa_host_t *host, QObject *parent)
    : QObject(parent), capture_(host), choices_(QString::fromUtf8(host->settings_file)), menus_(host)
{
    // Wireshark ends without deleting its main window, and with it ours, which keep their choices when they go.
    connect(qApp, &QCoreApplication::aboutToQuit, this, [this] {
        deleteAll();
        choices_.write();
    });
}

SctpaWindows::~SctpaWindows()
{
    deleteAll();
}

void SctpaWindows::deleteAll()
{
    delete summary_;
    delete assocs_;
    delete findings_;
    delete report_;
    delete help_;
    for (const QPointer<SctpaAssocWindow> &window : std::as_const(opened_))
        delete window;
    for (const QPointer<SctpaGraphsWindow> &window : std::as_const(graphs_))
        delete window;
    for (const QPointer<SctpaLadderWindow> &window : std::as_const(ladders_))
        delete window;
}

void SctpaWindows::joinMainWindow()
{
    menus_.join(mainWindow());
}

void SctpaWindows::show(sctpa_host_window_t shown, quint32 number, quint32 frame)
{
    switch (shown) {
    case SCTPA_SHOWN_SUMMARY: showSummary()->selectFrame(number, frame); break;
    case SCTPA_SHOWN_ASSOCIATIONS: showAssociations(); break;
    case SCTPA_SHOWN_FINDINGS: showFindings(); break;
    case SCTPA_SHOWN_ASSOCIATION: showAssociation(number)->selectFrame(frame); break;
    case SCTPA_SHOWN_GRAPHS: showGraphs(number)->selectFrame(frame); break;
    case SCTPA_SHOWN_LADDER: showLadder(number)->selectFrame(frame); break;
    case SCTPA_SHOWN_COUNT: break;
    }
}

// What every window may ask for.
void SctpaWindows::serve(SctpaWindow *window)
{
    connect(window, &SctpaWindow::helpWanted, this, &SctpaWindows::showHelp);
    connect(window, &SctpaWindow::reportWanted, this, &SctpaWindows::showReport);
}

SctpaSummaryWindow *SctpaWindows::showSummary()
{
    if (!summary_) {
        summary_ = new SctpaSummaryWindow(&capture_, &choices_, mainWindow());
        serve(summary_);
        connect(summary_, &SctpaSummaryWindow::assocWanted, this, &SctpaWindows::showAssociation);
        connect(summary_, &SctpaSummaryWindow::graphsWanted, this, &SctpaWindows::showGraphs);
        connect(summary_, &SctpaSummaryWindow::associationsWanted, this, &SctpaWindows::showAssociations);
        connect(summary_, &SctpaSummaryWindow::findingsWanted, this, &SctpaWindows::showFindings);
    }
    bringUp(summary_);
    return summary_;
}

SctpaAssocsWindow *SctpaWindows::showAssociations()
{
    if (!assocs_) {
        assocs_ = new SctpaAssocsWindow(&capture_, &choices_, mainWindow());
        serve(assocs_);
        connect(assocs_, &SctpaAssocsWindow::assocWanted, this, &SctpaWindows::showAssociation);
        connect(assocs_, &SctpaAssocsWindow::graphsWanted, this, &SctpaWindows::showGraphs);
    }
    bringUp(assocs_);
    if (assocs_->model()->rowCount() == 1)
        showAssociation(assocs_->model()->numberOfRow(0));
    return assocs_;
}

SctpaFindingsWindow *SctpaWindows::showFindings()
{
    if (!findings_) {
        findings_ = new SctpaFindingsWindow(&capture_, &choices_, mainWindow());
        serve(findings_);
        connect(findings_, &SctpaFindingsWindow::assocWanted, this, &SctpaWindows::showAssociation);
        connect(findings_, &SctpaFindingsWindow::inGraphsWanted, this, &SctpaWindows::showInGraphs);
    }
    bringUp(findings_);
    return findings_;
}

SctpaAssocWindow *SctpaWindows::showAssociation(quint32 number)
{
    SctpaAssocWindow *window = findOpened(opened_, number);
    if (!window) {
        window = new SctpaAssocWindow(&capture_, &choices_, number, mainWindow());
        serve(window);
        connect(window, &SctpaAssocWindow::graphsWanted, this, &SctpaWindows::showGraphs);
        connect(window, &SctpaAssocWindow::inGraphsWanted, this, &SctpaWindows::showInGraphs);
        connect(window, &SctpaAssocWindow::ladderWanted, this, &SctpaWindows::showLadder);
        opened_.append(window);
    }
    bringUp(window);
    return window;
}

SctpaGraphsWindow *SctpaWindows::showGraphs(quint32 number)
{
    SctpaGraphsWindow *window = findOpened(graphs_, number);
    if (!window) {
        window = new SctpaGraphsWindow(&capture_, &choices_, number, mainWindow());
        serve(window);
        connect(window, &SctpaGraphsWindow::tablesWanted, this, [this](quint32 wanted, qint64 fromNs, qint64 toNs) {
            showAssociation(wanted)->showTime(fromNs, toNs);
        });
        linkGraphs(window);
        graphs_.append(window);
    }
    bringUp(window);
    return window;
}

// Those that are linked show the time of the one that the user moves.
void SctpaWindows::linkGraphs(SctpaGraphsWindow *window)
{
    const auto others = [this, window](const std::function<void(SctpaGraphsWindow * other)> &tell) {
        for (const QPointer<SctpaGraphsWindow> &other : std::as_const(graphs_))
            if (other && other != window)
                tell(other);
    };
    others([window](const SctpaGraphsWindow *other) {
        window->setLinked(other->isLinked());
        if (other->isLinked())
            window->followTime(other->shownNs().first, other->shownNs().second);
    });
    connect(window, &SctpaGraphsWindow::timeShown, this, [window, others](qint64 fromNs, qint64 toNs) {
        if (window->isLinked())
            others([fromNs, toNs](SctpaGraphsWindow *other) { other->followTime(fromNs, toNs); });
    });
    connect(window, &SctpaGraphsWindow::linkChosen, this, [window, others](bool isLinked) {
        const auto shown = window->shownNs();
        others([isLinked, shown](SctpaGraphsWindow *other) {
            other->setLinked(isLinked);
            if (isLinked)
                other->followTime(shown.first, shown.second);
        });
    });
}

void SctpaWindows::showInGraphs(quint32 number, quint32 frame, const QString &rule)
{
    showGraphs(number)->selectFinding(frame, rule);
}

SctpaLadderWindow *SctpaWindows::showLadder(quint32 number)
{
    SctpaLadderWindow *window = findOpened(ladders_, number);
    if (!window) {
        window = new SctpaLadderWindow(&capture_, &choices_, number, mainWindow());
        serve(window);
        connect(window, &SctpaLadderWindow::tablesWanted, this, [this](quint32 wanted, qint64 fromNs, qint64 toNs) {
            showAssociation(wanted)->showTime(fromNs, toNs);
        });
        ladders_.append(window);
    }
    bringUp(window);
    return window;
}

SctpaReportWindow *SctpaWindows::showReport(quint32 number)
{
    if (!report_) {
        report_ = new SctpaReportWindow(&capture_, &choices_, mainWindow());
        serve(report_);
        connect(report_, &SctpaReportWindow::saveWanted, this, &SctpaWindows::saveCapture);
    }
    report_->choose(number);
    bringUp(report_);
    return report_;
}

// As the user would: by the entry of the main window's menu, which asks for a name where there is none.
void SctpaWindows::saveCapture()
{
    const QWidget *main = mainWindow();
    auto *save = main ? main->findChild<QAction *>(QStringLiteral("actionFileSave")) : nullptr;
    if (save && save->isEnabled())
        save->trigger();
    else
        tell(tr("Save the capture with File > Save in Wireshark's main window."));
}

SctpaHelpWindow *SctpaWindows::showHelp(const QString &window)
{
    if (!help_)
        help_ = new SctpaHelpWindow(mainWindow());
    help_->showPageOf(window);
    bringUp(help_);
    return help_;
}

void SctpaWindows::tell(const QString &text)
{
    auto *box = new QMessageBox(QMessageBox::Information, tr("SCTP Analysis"), text, QMessageBox::Ok, mainWindow());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}
