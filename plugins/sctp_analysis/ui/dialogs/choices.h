/* SPDX-License-Identifier: GPL-2.0-or-later */
// What windows remember from one start of Wireshark to the next: where they were, their columns. Names of settings
// stand where used.
#ifndef SCTPA_UI_CHOICES_H
#define SCTPA_UI_CHOICES_H

#include <QScreen>
#include <QSettings>
#include <QWidget>

class SctpaChoices {
  public:
    // file: an INI file, made when there is something to keep.
    explicit SctpaChoices(const QString &file) : settings_(file, QSettings::IniFormat) {}

    QByteArray bytes(const QString &name) const { return settings_.value(name).toByteArray(); }
    void keep(const QString &name, const QByteArray &bytes) { settings_.setValue(name, bytes); }
    int number(const QString &name, int otherwise) const { return settings_.value(name, otherwise).toInt(); }
    void keepNumber(const QString &name, int number) { settings_.setValue(name, number); }

    // To the file, at once.
    void write() { settings_.sync(); }

    // The window's place and size as it was closed, or this size in the middle of its parent; never larger than the
    // screen, whose buttons would lie outside.
    void restoreGeometry(QWidget *window, const QString &name, const QSize &otherwise) const
    {
        constexpr double PartOfScreen = 0.9;
        const bool isRestored = window->restoreGeometry(bytes(name));
        const QSize room = window->screen()->availableSize();
        if (!isRestored)
            window->resize(otherwise.boundedTo(room * PartOfScreen));
        else if (window->size() != window->size().boundedTo(room))
            window->resize(window->size().boundedTo(room * PartOfScreen));
    }

  private:
    QSettings settings_;
};

#endif
