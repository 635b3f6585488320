/* SPDX-License-Identifier: GPL-2.0-or-later */
// Writes what a stack of plots shows to files, and to the clipboard.
#include <QClipboard>

#include "picture_files.h"
#include "plot_stack.h"

bool SctpaPlotStack::drawOn(QPaintDevice *device)
{
    QCPPainter painter;
    if (!painter.begin(device))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(rect(), SctpaColors(palette()).ground);
    toPainter(&painter, width(), height());
    return painter.end();
}

QString SctpaPlotStack::save(const QString &file)
{
    crosshair_->hide();
    isPointing_ = false;
    const SctpaPicture picture = {
        [this](QPaintDevice *device) { return drawOn(device); },
        [this](const QString &to) {
            return savePdf(to, width(), height(), QCP::epAllowCosmetic, QString(), window()->windowTitle());
        },
        [this](const QString &to, double scale) { return toPixmap(width(), height(), scale).save(to, "PNG"); },
    };
    return sctpaSavePicture(this, picture, file);
}

void SctpaPlotStack::copyPicture()
{
    const bool wasPointing = isPointing_;
    crosshair_->hide();
    isPointing_ = false;
    QApplication::clipboard()->setPixmap(toPixmap(width(), height(), devicePixelRatioF()));
    if (wasPointing)
        point(pointer_);
}
