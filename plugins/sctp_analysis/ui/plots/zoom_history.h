/* SPDX-License-Identifier: GPL-2.0-or-later */
// Where the user looked before and after, as in a browser.
#ifndef SCTPA_UI_ZOOM_HISTORY_H
#define SCTPA_UI_ZOOM_HISTORY_H

#include <QHash>
#include <QString>
#include <QVector>

#include "custom_plot.h"

// The range of time, size 0: everything there is; and of values by the names of plots whose values are not fitted.
struct SctpaZoom {
    QCPRange time;
    QHash<QString, QCPRange> values;
    bool operator==(const SctpaZoom &other) const { return time == other.time && values == other.values; }
};

class SctpaZoomHistory {
  public:
    static constexpr int Kept = 100;

    // Leaves where for another place: what was ahead is forgotten.
    void leave(const SctpaZoom &where)
    {
        ahead_.clear();
        if (behind_.isEmpty() || !(behind_.last() == where))
            behind_.append(where);
        if (behind_.size() > Kept)
            behind_.removeFirst();
    }
    bool canGoBack() const { return !behind_.isEmpty(); }
    bool canGoForward() const { return !ahead_.isEmpty(); }
    // The place before, or after, where. There must be one.
    SctpaZoom back(const SctpaZoom &where)
    {
        ahead_.append(where);
        return behind_.takeLast();
    }
    SctpaZoom forward(const SctpaZoom &where)
    {
        behind_.append(where);
        return ahead_.takeLast();
    }
    void clear()
    {
        behind_.clear();
        ahead_.clear();
    }

  private:
    QVector<SctpaZoom> behind_, ahead_;
};

#endif
