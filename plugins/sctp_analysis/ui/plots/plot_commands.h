/* SPDX-License-Identifier: GPL-2.0-or-later */
// What can be done in the graphs, in one table: keys, the menu of the right button and hints are read from it, so that
// they say the same. Keys are those of Wireshark's TCP stream graphs where those have them.
#ifndef SCTPA_UI_PLOT_COMMANDS_H
#define SCTPA_UI_PLOT_COMMANDS_H

#include <QString>
#include <QVector>

class SctpaPlotStack;

struct SctpaPlotCommand {
    // Entries of one group stand together; those of Move and Plots in menus of their own.
    enum Group { Packet, Zoom, Move, Choose, Show, Plots };

    Group group;
    const char *name;  // for whoever shows its keys
    QString text;      // of its entry
    QVector<int> keys; // each a key with its modifiers; at least one
    void (*act)(SctpaPlotStack *stack, int with);
    int with;
    // Null: it is no switch, it is always possible.
    bool (*isOn)(const SctpaPlotStack *stack, int with);
    bool (*isPossible)(const SctpaPlotStack *stack);
};

const QVector<SctpaPlotCommand> &sctpaPlotCommands();
// The command of a key with its modifiers; null: none. Shift makes no difference where no other has it.
const SctpaPlotCommand *sctpaPlotCommandOf(int key);
// The keys of a command as people read them: "0, Home, R".
QString sctpaPlotKeysText(const SctpaPlotCommand &command);
QString sctpaPlotKeysText(const char *name);

#endif
