/* SPDX-License-Identifier: GPL-2.0-or-later */
// The colour of links in tables: the palette's, or where that is hard to read on its rows, one nearer to its text.
#ifndef SCTPA_UI_LINK_COLOR_H
#define SCTPA_UI_LINK_COLOR_H

#include <QPalette>

struct SctpaLinkColor {
    // Contrast of two opaque colours: 1 (the same) to 21 (black on white), as WCAG 2.1 defines contrast ratio.
    static double contrast(const QColor &a, const QColor &b);

    // The first of eight steps from the palette's link to its text that is readable (4.5, WCAG 2.1 1.4.3) on both kinds
    // of rows; else the text.
    static QColor on(const QPalette &palette);
};

#endif
