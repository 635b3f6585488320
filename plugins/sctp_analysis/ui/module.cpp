/* SPDX-License-Identifier: GPL-2.0-or-later */
// The module's one symbol, and the functions behind it. Everything else of the module is hidden.
#include <QApplication>

#include "dialogs/windows.h"

namespace {

// Made in start, which Wireshark's main thread calls; deleted with the application, before the plugin's last calls.
QPointer<SctpaWindows> windows;

void showSummary()
{
    if (windows)
        windows->showSummary();
}

void showAssociations()
{
    if (windows)
        windows->showAssociations();
}

void showAssociation(uint32_t number)
{
    if (windows)
        windows->showAssociation(number);
}

void showFindings()
{
    if (windows)
        windows->showFindings();
}

void showGraphs(uint32_t number)
{
    if (windows)
        windows->showGraphs(number);
}

void showLadder(uint32_t number)
{
    if (windows)
        windows->showLadder(number);
}

void tell(const char *text)
{
    if (windows)
        windows->tell(SctpaWindows::tr(text));
}

void captureClosing()
{
    if (windows)
        windows->captureClosing();
}

const sctpa_ui_t ui = { showSummary, showAssociations, showAssociation, showGraphs, showLadder, showFindings,
                        tell,        captureClosing };

}

extern "C" Q_DECL_EXPORT const sctpa_ui_t *sctpa_ui_start(const sctpa_host_t *host);

const sctpa_ui_t *sctpa_ui_start(const sctpa_host_t *host)
{
    if (!qApp || qstrcmp(host->interface_id, SCTPA_INTERFACE_ID) != 0)
        return nullptr;
    if (!windows)
        windows = new SctpaWindows(host, qApp);
    return &ui;
}
