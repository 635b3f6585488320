/* SPDX-License-Identifier: GPL-2.0-or-later */
// What keys and the menu of the right button do: the commands of plot_commands.cpp.
#include <QContextMenuEvent>
#include <QMenu>

#include "mouse.h"
#include "plot_commands.h"
#include "plot_stack.h"

SctpaPlot *SctpaPlotStack::plotInUse() const
{
    SctpaPlot *plot = plotAt(pointer_);
    return plot || plots_.empty() ? plot : plots_.front().get();
}

void SctpaPlotStack::zoomValuesStep(bool isIn)
{
    if (SctpaPlot *plot = plotInUse())
        zoomValues(plot, isIn ? 1 / SctpaKeyStep : SctpaKeyStep, plot->rect()->rect().center().y());
}

void SctpaPlotStack::move(int dx, int dy)
{
    SctpaPlot *plot = plotInUse();
    if (!plot)
        return;
    aboutToZoom(true);
    if (dy != 0)
        plot->moveValues(dy);
    if (dx != 0) {
        isWhole_ = false;
        applyTime(time_ + (plot->timeAxis()->pixelToCoord(dx) - plot->timeAxis()->pixelToCoord(0)));
    }
    repaintAll();
    Q_EMIT changed();
}

void SctpaPlotStack::keyPressEvent(QKeyEvent *event)
{
    const Qt::KeyboardModifiers modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const SctpaPlotCommand *command = sctpaPlotCommandOf(event->key() | int(modifiers));
    if (command) {
        command->act(this, command->with);
        event->accept();
    } else {
        QCustomPlot::keyPressEvent(event);
    }
}

// Its entries are about what was pointed at when it opened.
QMenu *SctpaPlotStack::makeMenu(const QPointF &place)
{
    auto *menu = new QMenu(this);
    QMenu *of = menu;
    int group = -1;
    point(place);
    for (const SctpaPlotCommand &command : sctpaPlotCommands()) {
        if (command.group != group) {
            group = command.group;
            menu->addSeparator();
            of = menu;
            if (group == SctpaPlotCommand::Move)
                of = menu->addMenu(tr("Move"));
            else if (group == SctpaPlotCommand::Plots)
                of = menu->addMenu(tr("Plots"));
        }
        QAction *action = of->addAction(command.text + QLatin1Char('\t') + sctpaPlotKeysText(command));
        action->setObjectName(QString::fromUtf8(command.name));
        action->setEnabled(!command.isPossible || command.isPossible(this));
        action->setCheckable(command.isOn != nullptr);
        action->setChecked(command.isOn && command.isOn(this, command.with));
        connect(action, &QAction::triggered, this, [this, &command, place] {
            point(place);
            command.act(this, command.with);
        });
    }
    return menu;
}

void SctpaPlotStack::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
    const QPointF place = isMouse || !isPointing_ ? QPointF(event->pos()) : pointer_;
    QMenu *menu = makeMenu(place);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(isMouse ? event->globalPos() : mapToGlobal(place.toPoint()));
    event->accept();
}
