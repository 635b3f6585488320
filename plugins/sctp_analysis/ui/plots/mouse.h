/* SPDX-License-Identifier: GPL-2.0-or-later */
// What graphs and ladder read from wheel, keys and mouse alike, whatever the version of Qt.
#ifndef SCTPA_UI_MOUSE_H
#define SCTPA_UI_MOUSE_H

#include <QMouseEvent>

// So much one turn of the wheel, one press of + or - zooms.
constexpr double SctpaWheelStep = 1.25, SctpaKeyStep = 1.3;

inline QPointF sctpaPlaceOf(const QMouseEvent *event)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 0, 0)
    return event->position();
#else
    return event->localPos();
#endif
}

#endif
