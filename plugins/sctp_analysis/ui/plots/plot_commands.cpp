/* SPDX-License-Identifier: GPL-2.0-or-later */
// The table of what can be done.
#include "plot_commands.h"

#include <QCoreApplication>
#include <QKeySequence>

#include <algorithm>

#include "plot_stack.h"

namespace {

using Stack = SctpaPlotStack;
using Command = SctpaPlotCommand;

constexpr int Shift = int(Qt::SHIFT), Alt = int(Qt::ALT), Ctrl = int(Qt::CTRL);

QString tr(const char *text)
{
    return QCoreApplication::translate("SctpaPlotCommand", text);
}

// A command that needs nothing, and one that is a switch.
Command plain(Command::Group group, const char *name, const QString &text, const QVector<int> &keys,
              void (*act)(Stack *stack, int with), int with = 0)
{
    return { group, name, text, keys, act, with, nullptr, nullptr };
}

Command when(bool (*isPossible)(const Stack *stack), Command command)
{
    command.isPossible = isPossible;
    return command;
}

Command toggles(bool (*isOn)(const Stack *stack, int with), Command command)
{
    command.isOn = isOn;
    return command;
}

QVector<Command> packetCommands()
{
    return {
        when(
            [](const Stack *s) { return s->hasFound(); },
            plain(Command::Packet, "go_to", tr("Go to Packet"), { Qt::Key_G }, [](Stack *s, int) { s->goToPacket(); })),
        plain(Command::Packet, "copy", tr("Copy Picture"), { Ctrl | Qt::Key_C },
              [](Stack *s, int) { s->copyPicture(); }),
    };
}

QVector<Command> zoomCommands()
{
    return {
        plain(Command::Zoom, "zoom_in", tr("Zoom In Time"), { Qt::Key_Plus, Qt::Key_X, Qt::Key_Equal },
              [](Stack *s, int) { s->zoomIn(); }),
        plain(Command::Zoom, "zoom_out", tr("Zoom Out Time"), { Qt::Key_Minus, Shift | Qt::Key_X },
              [](Stack *s, int) { s->zoomOut(); }),
        plain(Command::Zoom, "zoom_in_values", tr("Zoom In Values"), { Qt::Key_Y },
              [](Stack *s, int) { s->zoomValuesStep(true); }),
        plain(Command::Zoom, "zoom_out_values", tr("Zoom Out Values"), { Shift | Qt::Key_Y },
              [](Stack *s, int) { s->zoomValuesStep(false); }),
        plain(Command::Zoom, "reset", tr("Show Everything"), { Qt::Key_0, Qt::Key_Home, Qt::Key_R },
              [](Stack *s, int) { s->reset(); }),
        when([](const Stack *s) { return s->history().canGoBack(); },
             plain(Command::Zoom, "back", tr("Back"), { Qt::Key_Backspace, Alt | Qt::Key_Left },
                   [](Stack *s, int) { s->goBack(); })),
        when([](const Stack *s) { return s->history().canGoForward(); },
             plain(Command::Zoom, "forward", tr("Forward"), { Shift | Qt::Key_Backspace, Alt | Qt::Key_Right },
                   [](Stack *s, int) { s->goForward(); })),
    };
}

QVector<Command> moveCommands()
{
    static const struct {
        const char *name, *text;
        int key, dx, dy;
    } Ways[] = {
        { "left", QT_TRANSLATE_NOOP("SctpaPlotCommand", "Left %1 px"), Qt::Key_Left, -1, 0 },
        { "right", QT_TRANSLATE_NOOP("SctpaPlotCommand", "Right %1 px"), Qt::Key_Right, 1, 0 },
        { "up", QT_TRANSLATE_NOOP("SctpaPlotCommand", "Up %1 px"), Qt::Key_Up, 0, 1 },
        { "down", QT_TRANSLATE_NOOP("SctpaPlotCommand", "Down %1 px"), Qt::Key_Down, 0, -1 },
    };
    constexpr int Pixels = 10, FinePixels = 1;
    QVector<Command> commands;
    for (const auto &[pixels, modifier] : { std::pair{ Pixels, 0 }, std::pair{ FinePixels, Shift } })
        for (const auto &way : Ways)
            commands.append(plain(
                Command::Move, way.name, tr(way.text).arg(pixels), { modifier | way.key },
                way.dx != 0 ? [](Stack *s, int by) { s->move(by, 0); } : [](Stack *s, int by) { s->move(0, by); },
                (way.dx + way.dy) * pixels));
    return commands;
}

QVector<Command> choiceCommands()
{
    const auto hasPaths = [](const Stack *s) { return s->data().pathNames().size() > 1; };
    return {
        plain(Command::Choose, "end", tr("Data of the Other Endpoint"), { Qt::Key_D },
              [](Stack *s, int) { Q_EMIT s->switchEndWanted(); }),
        when(hasPaths, plain(Command::Choose, "next_path", tr("Next Path"), { Qt::Key_P },
                             [](Stack *s, int) { Q_EMIT s->nextPathWanted(1); })),
        when(hasPaths, plain(Command::Choose, "previous_path", tr("Previous Path"), { Shift | Qt::Key_P },
                             [](Stack *s, int) { Q_EMIT s->nextPathWanted(-1); })),
        plain(Command::Choose, "next_association", tr("Next Association"), { Qt::Key_PageUp },
              [](Stack *s, int) { Q_EMIT s->nextAssociationWanted(1); }),
        plain(Command::Choose, "previous_association", tr("Previous Association"), { Qt::Key_PageDown },
              [](Stack *s, int) { Q_EMIT s->nextAssociationWanted(-1); }),
    };
}

QVector<Command> switchCommands()
{
    return {
        toggles([](const Stack *s, int) { return s->mouse() == Stack::Zooms; },
                plain(Command::Show, "zooms", tr("Drag Zooms"), { Qt::Key_Z },
                      [](Stack *s, int) { Q_EMIT s->toggleMouseWanted(); })),
        toggles([](const Stack *s, int) { return s->hasCrosshair(); },
                plain(Command::Show, "crosshair", tr("Crosshair and Card"), { Qt::Key_Space },
                      [](Stack *s, int) { Q_EMIT s->toggleCrosshairWanted(); })),
        toggles([](const Stack *s, int) { return s->isTimeAbsolute(); },
                plain(Command::Show, "time_of_day", tr("Time of Day"), { Qt::Key_T },
                      [](Stack *s, int) { Q_EMIT s->toggleTimeWanted(); })),
        toggles([](const Stack *s, int) { return s->choice().isRawTsn; },
                plain(Command::Show, "raw_tsn", tr("Raw TSNs"), { Qt::Key_S },
                      [](Stack *s, int) { Q_EMIT s->toggleTsnWanted(); })),
        toggles([](const Stack *s, int) { return s->isLinked(); },
                plain(Command::Show, "linked", tr("Same Time Range in All Graphs"), { Qt::Key_L },
                      [](Stack *s, int) { Q_EMIT s->toggleLinkWanted(); })),
    };
}

QVector<Command> plotCommands()
{
    QVector<Command> commands;
    for (int row = 0; row < sctpaPlotRows().size(); row++)
        commands.append(
            toggles([](const Stack *s,
                       int with) { return s->plot(QString::fromUtf8(sctpaPlotRows().at(with).name)) != nullptr; },
                    plain(
                        Command::Plots, sctpaPlotRows().at(row).name,
                        QCoreApplication::translate("SctpaPlot", sctpaPlotRows().at(row).title), { Qt::Key_1 + row },
                        [](Stack *s, int with) { Q_EMIT s->togglePlotWanted(with); }, row)));
    return commands;
}

}

const QVector<SctpaPlotCommand> &sctpaPlotCommands()
{
    static const QVector<SctpaPlotCommand> commands =
        packetCommands() + zoomCommands() + moveCommands() + choiceCommands() + switchCommands() + plotCommands();
    return commands;
}

const SctpaPlotCommand *sctpaPlotCommandOf(int key)
{
    const QVector<SctpaPlotCommand> &commands = sctpaPlotCommands();
    for (const int wanted : { key, key & ~Shift }) {
        const auto found = std::find_if(commands.cbegin(), commands.cend(), [wanted](const SctpaPlotCommand &command) {
            return command.keys.contains(wanted);
        });
        if (found != commands.cend())
            return &*found;
    }
    return nullptr;
}

QString sctpaPlotKeysText(const SctpaPlotCommand &command)
{
    QStringList keys;
    for (const int key : command.keys)
        if (key != Qt::Key_Equal) // the same key as +, without Shift
            keys.append(QKeySequence(key).toString(QKeySequence::NativeText));
    return keys.join(QStringLiteral(", "));
}

QString sctpaPlotKeysText(const char *name)
{
    for (const SctpaPlotCommand &command : sctpaPlotCommands())
        if (qstrcmp(command.name, name) == 0)
            return sctpaPlotKeysText(command);
    return QString();
}
