/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes what a stack of plots shows to files: PNG as sharp as the screen, PDF and SVG with lines and texts.
#include "plot_stack.h"

#include <QFile>
#include <QSaveFile>
#include <QSvgGenerator>

namespace {

constexpr double LeastPngScale = 2;

}

bool SctpaPlotStack::saveSvg(const QString &file)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size());
    generator.setViewBox(rect());
    generator.setTitle(window()->windowTitle());
    QCPPainter painter;
    if (!painter.begin(&generator))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(rect(), SctpaColors(palette()).ground);
    toPainter(&painter, width(), height());
    painter.end();
    return out.commit();
}

bool SctpaPlotStack::savePng(const QString &file)
{
    return toPixmap(width(), height(), std::max(LeastPngScale, bufferDevicePixelRatio())).save(file, "PNG");
}

QString SctpaPlotStack::save(const QString &file)
{
    crosshair_->hide();
    isPointing_ = false;
    bool isWritten = false;
    if (file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive))
        isWritten = saveSvg(file);
    else if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive))
        isWritten = savePdf(file, width(), height(), QCP::epAllowCosmetic, QString(), window()->windowTitle());
    else
        isWritten = savePng(file);
    return isWritten ? QString() : tr("%1 could not be written.").arg(file);
}
