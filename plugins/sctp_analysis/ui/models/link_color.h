// The colour of links in tables: the palette's, or where that is hard to read on its rows, one nearer to its text.
#ifndef SCTPA_UI_LINK_COLOR_H
#define SCTPA_UI_LINK_COLOR_H

#include <QPalette>

// Contrast of two opaque colours: 1 (the same) to 21 (black on white), as WCAG 2.1 defines contrast ratio.
double sctpaContrast(const QColor &a, const QColor &b);

// The first of nine steps from the palette's link to its text that is readable (4.5, WCAG 2.1 1.4.3) on both kinds of rows; else the text.
QColor sctpaLinkColor(const QPalette &palette);

#endif
