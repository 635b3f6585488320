/* SPDX-License-Identifier: GPL-2.0-or-later */
// The module's one symbol, and the functions behind it. Everything else of the module is hidden.
#include <QApplication>

#include "dialogs/windows.h"

namespace {

// Made in start, which Wireshark's main thread calls; deleted with the application, before the plugin's last calls.
QPointer<SctpaWindows> windows;

void show(sctpa_host_window_t shown, uint32_t assoc, uint32_t frame)
{
    if (windows)
        windows->show(shown, assoc, frame);
}

void joinMainWindow()
{
    if (windows)
        windows->joinMainWindow();
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

const sctpa_ui_t ui = { show, joinMainWindow, tell, captureClosing };

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
