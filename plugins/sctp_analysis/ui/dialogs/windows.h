/* SPDX-License-Identifier: GPL-2.0-or-later */
// All windows of the module: opens them, and passes on that the capture closes.
#ifndef SCTPA_UI_WINDOWS_H
#define SCTPA_UI_WINDOWS_H

#include <QList>
#include <QPointer>

#include "assoc_window.h"
#include "assocs_window.h"
#include "choices.h"
#include "findings_window.h"
#include "graphs_window.h"
#include "help_window.h"
#include "summary_window.h"
#include "ladder_window.h"
#include "report_window.h"
#include "main_menus.h"

class SctpaWindows : public QObject {
    Q_OBJECT

  public:
    // host is borrowed and outlives the windows.
    explicit SctpaWindows(const sctpa_host_t *host, QObject *parent = nullptr);
    ~SctpaWindows() override;

    // What menus ask for: of an association where it is about one, with a packet of it selected unless frame is 0.
    void show(sctpa_host_window_t shown, quint32 number, quint32 frame);
    void joinMainWindow();

    // Each shows the window there is, or a new one.
    SctpaSummaryWindow *showSummary();
    // Of a capture with one association, that one's is above it.
    SctpaAssocsWindow *showAssociations();
    SctpaFindingsWindow *showFindings();
    SctpaAssocWindow *showAssociation(quint32 number);
    SctpaGraphsWindow *showGraphs(quint32 number);
    SctpaLadderWindow *showLadder(quint32 number);
    // A packet of an association in its graphs; with the id of a rule, the violation that it completes.
    void showInGraphs(quint32 number, quint32 frame, const QString &rule);
    // Asks how to report an association; SCTPA_NO_ASSOC: the worst.
    SctpaReportWindow *showReport(quint32 number);
    // What the guide says of a window, by the name of its settings.
    SctpaHelpWindow *showHelp(const QString &window);
    void tell(const QString &text);
    void captureClosing() { capture_.close(); }

    SctpaCapture *capture() { return &capture_; }

  private:
    void deleteAll();
    void linkGraphs(SctpaGraphsWindow *window);
    void serve(SctpaWindow *window);
    void saveCapture();

    SctpaCapture capture_;
    SctpaChoices choices_;
    SctpaMainMenus menus_;
    QPointer<SctpaSummaryWindow> summary_;
    QPointer<SctpaAssocsWindow> assocs_;
    QPointer<SctpaFindingsWindow> findings_;
    QPointer<SctpaReportWindow> report_;
    QPointer<SctpaHelpWindow> help_;
    QList<QPointer<SctpaAssocWindow>> opened_;
    QList<QPointer<SctpaGraphsWindow>> graphs_;
    QList<QPointer<SctpaLadderWindow>> ladders_;
};

#endif
