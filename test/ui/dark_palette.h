/* SPDX-License-Identifier: GPL-2.0-or-later */
// Dark colours for tests of windows.
#ifndef SCTPA_TEST_UI_DARK_PALETTE_H
#define SCTPA_TEST_UI_DARK_PALETTE_H

#include <QPalette>

inline QPalette darkPalette()
{
    QPalette dark;
    const QColor ground(0x20, 0x22, 0x26), raised(0x2c, 0x2f, 0x34), ink(0xee, 0xee, 0xee);
    for (QPalette::ColorRole role : { QPalette::Window, QPalette::Base })
        dark.setColor(role, ground);
    for (QPalette::ColorRole role : { QPalette::AlternateBase, QPalette::Button, QPalette::ToolTipBase })
        dark.setColor(role, raised);
    for (QPalette::ColorRole role :
         { QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText })
        dark.setColor(role, ink);
    dark.setColor(QPalette::PlaceholderText, QColor(0x99, 0x99, 0x99));
    dark.setColor(QPalette::Highlight, QColor(0x2a, 0x6f, 0xb8));
    dark.setColor(QPalette::HighlightedText, Qt::white);
    dark.setColor(QPalette::Link, QColor(0x6c, 0xb6, 0xff));
    for (QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        dark.setColor(QPalette::Disabled, role, QColor(0x80, 0x80, 0x80));
    return dark;
}

#endif
