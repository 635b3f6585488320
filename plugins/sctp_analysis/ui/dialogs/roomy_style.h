// The application's style with more room beside the text of cells and heads, so that a right-aligned number and the text after it do
// not touch.
#ifndef SCTPA_UI_ROOMY_STYLE_H
#define SCTPA_UI_ROOMY_STYLE_H

#include <QProxyStyle>

class SctpaRoomyStyle : public QProxyStyle
{
    Q_OBJECT

public:
    // owner: the widget it is set for.
    explicit SctpaRoomyStyle(QWidget *owner);

    int pixelMetric(PixelMetric metric, const QStyleOption *option = nullptr, const QWidget *widget = nullptr) const override;
};

#endif
