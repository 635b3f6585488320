/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes pictures of what windows show of findings: shoot_findings PACKETS ASSOCIATION FOLDER [dark].
// Run by hand, with QT_QPA_PLATFORM=offscreen; leaves looking at them to people.
#include <QStyleFactory>
#include <QTabWidget>
#include <QTableView>

#include "dark_palette.h"
#include "dialogs/table_groups.h"
#include "dialogs/table_pane.h"
#include "dialogs/windows.h"
#include "played_capture.h"

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    QStringList arguments = application.arguments().mid(1);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (arguments.removeAll(QStringLiteral("dark")) > 0)
        QApplication::setPalette(darkPalette());
    if (arguments.size() != 3)
        return 2;
    PlayedCapture played(arguments.at(0));
    played.open();
    SctpaWindows windows(played.host());
    const auto shoot = [&arguments](QWidget *window, const char *name) {
        QCoreApplication::processEvents();
        window->grab().save(QStringLiteral("%1/%2.png").arg(arguments.at(2), QLatin1String(name)));
    };
    SctpaFindingsWindow *findings = windows.showFindings();
    findings->resize(1280, 720);
    findings->pane()->view()->selectRow(0);
    shoot(findings, "findings");
    findings->pane()->groups()->setAllOpen(true);
    shoot(findings, "groups");
    SctpaReportWindow *report = windows.showReport(arguments.at(1).toUInt());
    report->resize(report->minimumSizeHint());
    shoot(report, "report_without_program");
    SctpaSummaryWindow *summary = windows.showSummary();
    summary->resize(900, 640);
    shoot(summary, "summary");
    SctpaAssocsWindow *associations = windows.showAssociations();
    associations->resize(1100, 500);
    shoot(associations, "associations");
    SctpaAssocWindow *association = windows.showAssociation(arguments.at(1).toUInt());
    association->resize(1000, 700);
    shoot(association, "overview");
    association->tabs()->setCurrentIndex(1);
    association->panes(1).last()->view()->selectRow(0);
    shoot(association, "association");
    windows.captureClosing();
    played.open(4);
    windows.capture()->refresh();
    shoot(findings, "nothing");
    return 0;
}
