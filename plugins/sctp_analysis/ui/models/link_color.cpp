/* SPDX-License-Identifier: GPL-2.0-or-later */
// Finds a colour for links by contrast.
#include "link_color.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double Readable = 4.5;
constexpr int Steps = 8;

double linear(double part)
{
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

int between(int from, int to, int step)
{
    return from + (to - from) * step / Steps;
}

}

double SctpaLinkColor::contrast(const QColor &a, const QColor &b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor SctpaLinkColor::on(const QPalette &palette)
{
    const QColor link = palette.color(QPalette::Link), text = palette.color(QPalette::Text);
    for (int step = 0; step < Steps; step++) {
        const QColor color(between(link.red(), text.red(), step), between(link.green(), text.green(), step),
                           between(link.blue(), text.blue(), step));
        if (contrast(color, palette.color(QPalette::Base)) >= Readable &&
            contrast(color, palette.color(QPalette::AlternateBase)) >= Readable)
            return color;
    }
    return text;
}
