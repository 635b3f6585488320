/* SPDX-License-Identifier: GPL-2.0-or-later */
// The plugin's entries in Wireshark's main window, as far as Wireshark does not let a plugin do it: shortcuts, and on
// Wireshark 4.0 the menu of a packet. Leaves what an entry does to the plugin.
#ifndef SCTPA_UI_MAIN_MENUS_H
#define SCTPA_UI_MAIN_MENUS_H

#include <QPointer>

#include "models/results.h"

class QMenu;
class QWidget;

class SctpaMainMenus : public QObject {
    Q_OBJECT

  public:
    // host is borrowed and outlives this.
    explicit SctpaMainMenus(const sctpa_host_t *host, QObject *parent = nullptr);

    // Does what is to be done in a main window, once in each. O(its widgets) the first time.
    void join(QWidget *mainWindow);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    bool addShortcuts(QWidget *mainWindow) const;
    bool watchPacketList(QWidget *mainWindow);
    void extend(QMenu *menu) const;

    const sctpa_host_t *host_;
    QPointer<QWidget> joined_;
};

#endif
