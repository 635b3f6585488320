/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes a picture of the graphs of an association: shoot_graphs PACKETS ASSOCIATION PLOTS FILE [dark] [streams]
// [size=WxH] [menu] [FROM TO] [x y]. menu: of the menu there instead. Run by guide_pictures, and by hand, with
// QT_QPA_PLATFORM=offscreen and QT_SCALE_FACTOR for other scales; leaves looking at it to people.
#include <QPainter>
#include <QRegularExpression>
#include <QStyleFactory>

#include "dark_palette.h"
#include "dialogs/graphs_bar.h"
#include "dialogs/streams_box.h"
#include "dialogs/windows.h"
#include "played_capture.h"

static void load(const SctpaGraphsWindow *window)
{
    while (window->isLoading())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

// The menus below it stand to its right.
static bool saveMenu(QMenu *menu, const QString &file)
{
    QVector<QPixmap> pictures{ menu->grab() };
    for (const QAction *action : menu->actions())
        if (action->menu())
            pictures.append(action->menu()->grab());
    int width = 0, height = 0;
    for (const QPixmap &picture : pictures) {
        width += picture.width();
        height = qMax(height, picture.height());
    }
    QPixmap all(width, height);
    all.fill(menu->palette().color(QPalette::Mid));
    QPainter painter(&all);
    int x = 0;
    for (const QPixmap &picture : pictures) {
        painter.drawPixmap(x, 0, picture);
        x += picture.width();
    }
    painter.end();
    return all.save(file);
}

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    QStringList arguments = application.arguments().mid(1);
    if (arguments.size() < 4)
        return 2;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (arguments.removeAll(QStringLiteral("dark")) > 0)
        QApplication::setPalette(darkPalette());
    const bool hasStreams = arguments.removeAll(QStringLiteral("streams")) > 0;
    const bool hasMenu = arguments.removeAll(QStringLiteral("menu")) > 0;
    QSize size(1180, 820);
    const QStringList sizes = arguments.filter(QRegularExpression(QStringLiteral("^size=[0-9]+x[0-9]+$")));
    for (const QString &text : sizes) {
        size = QSize(text.mid(5).section(QLatin1Char('x'), 0, 0).toInt(), text.section(QLatin1Char('x'), 1).toInt());
        arguments.removeAll(text);
    }
    PlayedCapture played(arguments.at(0));
    played.open();
    SctpaWindows windows(played.host());
    SctpaGraphsWindow *window = windows.showGraphs(arguments.at(1).toUInt());
    window->resize(size);
    const QStringList names = arguments.at(2).split(QLatin1Char(','));
    for (int row = 0; row < sctpaPlotRows().size(); row++) {
        const QString name = QString::fromUtf8(sctpaPlotRows().at(row).name);
        if (window->bar()->plots().contains(name) != names.contains(name))
            Q_EMIT window->stack()->togglePlotWanted(row);
    }
    load(window);
    if (hasStreams) {
        window->bar()->streamsBox()->setCurrentIndex(1);
        Q_EMIT window->bar()->streamsChosen();
        load(window);
    }
    if (arguments.size() >= 6)
        window->stack()->showTime(QCPRange(arguments.at(4).toDouble(), arguments.at(5).toDouble()));
    QCoreApplication::processEvents();
    if (arguments.size() >= 8) {
        const QPointF place(arguments.at(6).toDouble(), arguments.at(7).toDouble());
        window->grab();
        if (hasMenu)
            return saveMenu(window->stack()->makeMenu(place), arguments.at(3)) ? 0 : 1;
        window->stack()->point(place);
    }
    return window->grab().save(arguments.at(3)) ? 0 : 1;
}
