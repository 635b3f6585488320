/* SPDX-License-Identifier: GPL-2.0-or-later */
// Chooses the kind of file; writes the frame of an SVG.
#include "picture_files.h"

#include <QCoreApplication>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

#include <algorithm>

namespace {

constexpr double LeastPngScale = 2;

bool saveSvg(const QWidget *shown, const SctpaPicture &picture, const QString &file)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly))
        return false;
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(shown->size());
    generator.setViewBox(shown->rect());
    generator.setTitle(shown->window()->windowTitle());
    return picture.svg(&generator) && out.commit();
}

}

QString sctpaSavePicture(const QWidget *shown, const SctpaPicture &picture, const QString &file)
{
    const bool isWritten = file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ? saveSvg(shown, picture, file)
                           : file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)
                               ? picture.pdf(file)
                               : picture.png(file, std::max(LeastPngScale, shown->devicePixelRatioF()));
    return isWritten ? QString() : QCoreApplication::translate("SctpaPicture", "%1 could not be written.").arg(file);
}
