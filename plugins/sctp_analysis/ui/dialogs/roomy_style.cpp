// Two metrics of the application's style, widened.
#include "roomy_style.h"

#include <QWidget>

namespace {

constexpr int RoomPixels = 4;

}

SctpaRoomyStyle::SctpaRoomyStyle(QWidget *owner)
{
    setParent(owner);
}

int SctpaRoomyStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    const int pixels = QProxyStyle::pixelMetric(metric, option, widget);
    return metric == PM_FocusFrameHMargin || metric == PM_HeaderMargin ? pixels + RoomPixels : pixels;
}
