/* SPDX-License-Identifier: GPL-2.0-or-later */
// A plot's heading: its title and a sample of everything in it, in as many lines as the width asks for. A click
// switches one on or off.
#ifndef SCTPA_UI_LEGEND_H
#define SCTPA_UI_LEGEND_H

#include <functional>

#include "style.h"

class SctpaLegend : public QCPLayoutElement {
    Q_OBJECT

  public:
    struct Entry {
        QString name; // of its setting
        QString label;
        SctpaStyle look;
        QBrush band; // with a style: it is a time of trouble, and the look is none
        bool isOn;
    };

    SctpaLegend(QCustomPlot *plot, const QString &title);

    void setEntries(const QVector<Entry> &entries);
    const QVector<Entry> &entries() const { return entries_; }
    void setTitle(const QString &title) { title_ = title; }
    // Stands behind the entries.
    void setNote(const QString &note) { note_ = note; }
    QString note() const { return note_; }
    // The entry at a place of the screen, -1 none.
    int entryAt(const QPointF &place) const;
    QRectF rectOf(int entry) const { return places_.value(entry); }

    void update(UpdatePhase phase) override;
    QSize minimumOuterSizeHint() const override;

  protected:
    void draw(QCPPainter *painter) override;

  private:
    void arrange();

    QString title_, note_;
    QVector<Entry> entries_;
    QVector<QRectF> places_; // relative to the element
    double height_ = 0;
};

#endif
