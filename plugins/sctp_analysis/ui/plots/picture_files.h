/* SPDX-License-Identifier: GPL-2.0-or-later */
// Files of what a widget shows: SVG and PDF with lines and texts, PNG at least twice as sharp as it stands there.
#ifndef SCTPA_UI_PICTURE_FILES_H
#define SCTPA_UI_PICTURE_FILES_H

#include <QString>

#include <functional>

class QPaintDevice;
class QWidget;

// How a widget draws itself, each false when it could not: on the device of an SVG; to a PDF, to a PNG so many times
// as large as the widget.
struct SctpaPicture {
    std::function<bool(QPaintDevice *device)> svg;
    std::function<bool(const QString &file)> pdf;
    std::function<bool(const QString &file, double scale)> png;
};

// Writes the kind that the suffix says, else a PNG. Empty: written, else why not.
QString sctpaSavePicture(const QWidget *shown, const SctpaPicture &picture, const QString &file);

#endif
