/* SPDX-License-Identifier: GPL-2.0-or-later */
// Finds what Wireshark made by names and titles; what is not found is left as it is.
#include "main_menus.h"

#include <QAction>
#include <QApplication>
#include <QChildEvent>
#include <QMenu>
#include <QTreeView>

namespace {

struct Entry {
    sctpa_host_window_t shown;
    const char *label, *packetLabel, *shortcut;
};

const Entry Entries[] = {
#define SCTPA_MENU_ENTRY(name, label, packetLabel, tooltip, shortcut) \
    { SCTPA_SHOWN_##name, label, packetLabel, shortcut },
#include "menu_entries.def"
#undef SCTPA_MENU_ENTRY
};

}

SctpaMainMenus::SctpaMainMenus(const sctpa_host_t *host, QObject *parent) : QObject(parent), host_(host) {}

void SctpaMainMenus::join(QWidget *mainWindow)
{
    if (!mainWindow || joined_ == mainWindow)
        return;
    const bool hasAll = addShortcuts(mainWindow) && (host_->has_packet_menu || watchPacketList(mainWindow));
    if (hasAll)
        joined_ = mainWindow;
}

// The entries that the plugin registered, found by their texts: Wireshark has no shortcuts for those.
bool SctpaMainMenus::addShortcuts(QWidget *mainWindow) const
{
    const QString title = tr(SCTPA_MENU_TITLE);
    const QList<QMenu *> menus = mainWindow->findChildren<QMenu *>();
    for (const QMenu *menu : menus) {
        if (menu->title().remove(QLatin1Char('&')) != title)
            continue;
        const QList<QAction *> actions = menu->actions();
        for (QAction *action : actions)
            for (const Entry &entry : Entries)
                if (entry.shortcut && action->text().remove(QLatin1Char('&')) == QString::fromUtf8(entry.label))
                    action->setShortcut(QKeySequence(QString::fromLatin1(entry.shortcut)));
        return true;
    }
    return false;
}

bool SctpaMainMenus::watchPacketList(QWidget *mainWindow)
{
    const QList<QTreeView *> views = mainWindow->findChildren<QTreeView *>();
    for (QTreeView *view : views)
        if (view->inherits("PacketList")) {
            view->installEventFilter(this);
            return true;
        }
    return false;
}

// The packet list makes a menu as its child each time that one is wanted; its submenus are polished, too, but do not
// open first.
bool SctpaMainMenus::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ChildPolished)
        if (auto *menu = qobject_cast<QMenu *>(static_cast<QChildEvent *>(event)->child()))
            connect(menu, &QMenu::aboutToShow, this, [this, menu] { extend(menu); });
    return QObject::eventFilter(watched, event);
}

void SctpaMainMenus::extend(QMenu *menu) const
{
    const bool isSubmenu = QApplication::activePopupWidget() != nullptr;
    if (isSubmenu || menu->findChild<QMenu *>(QStringLiteral("sctp_analysis"), Qt::FindDirectChildrenOnly) ||
        host_->assoc_of_frame(host_->current_frame()) == SCTPA_NO_ASSOC)
        return;
    menu->addSeparator();
    QMenu *ours = menu->addMenu(tr(SCTPA_MENU_TITLE));
    ours->setObjectName(QStringLiteral("sctp_analysis"));
    for (const Entry &entry : Entries)
        if (entry.packetLabel)
            ours->addAction(tr(entry.packetLabel), [host = host_, shown = entry.shown] { host->choose(shown, true); });
}
