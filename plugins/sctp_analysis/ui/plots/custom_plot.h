/* SPDX-License-Identifier: GPL-2.0-or-later */
// QCustomPlot's header, which uses Qt's lower-case keywords: they are there for it alone.
#ifndef SCTPA_UI_CUSTOM_PLOT_H
#define SCTPA_UI_CUSTOM_PLOT_H

#include <QObject>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach

#endif
