/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes a picture of the ladder of an association: shoot_ladder PACKETS ASSOCIATION FILE [dark] [size=WIDTHxHEIGHT]
// [frame=FRAME] [FROM TO [x y]], with times in seconds and a place to point at. Run by hand with
// QT_QPA_PLATFORM=offscreen; leaves looking at it to people.
#include <QStyleFactory>

#include "dark_palette.h"
#include "dialogs/windows.h"
#include "played_capture.h"

// Takes the argument that begins so out of the list and returns its rest.
static QString taken(QStringList *arguments, const QString &beginning)
{
    for (int i = 0; i < arguments->size(); i++)
        if (arguments->at(i).startsWith(beginning))
            return arguments->takeAt(i).mid(beginning.size());
    return QString();
}

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    QStringList arguments = application.arguments().mid(1);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (arguments.removeAll(QStringLiteral("dark")) > 0)
        QApplication::setPalette(darkPalette());
    const QString frame = taken(&arguments, QStringLiteral("frame=")),
                  size = taken(&arguments, QStringLiteral("size="));
    if (arguments.size() < 3)
        return 2;
    PlayedCapture played(arguments.at(0));
    played.open();
    SctpaWindows windows(played.host());
    SctpaLadderWindow *window = windows.showLadder(arguments.at(1).toUInt());
    while (window->isLoading())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window->resize(size.isEmpty() ? 1000 : size.section(QLatin1Char('x'), 0, 0).toInt(),
                   size.isEmpty() ? 800 : size.section(QLatin1Char('x'), 1).toInt());
    QCoreApplication::processEvents();
    const qint64 start = window->facts().startNs();
    if (arguments.size() >= 5)
        window->plot()->showTime(start + qint64(arguments.at(3).toDouble() * 1e9),
                                 start + qint64(arguments.at(4).toDouble() * 1e9));
    if (!frame.isEmpty())
        window->plot()->selectFrame(frame.toUInt());
    QCoreApplication::processEvents();
    if (arguments.size() >= 7)
        window->plot()->point(QPointF(arguments.at(5).toDouble(), arguments.at(6).toDouble()));
    if (!arguments.at(2).endsWith(QLatin1String(".png")))
        return window->save(arguments.at(2)).isEmpty() ? 0 : 1;
    return window->grab().save(arguments.at(2)) ? 0 : 1;
}
