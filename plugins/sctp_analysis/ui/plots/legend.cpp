/* SPDX-License-Identifier: GPL-2.0-or-later */
// Arranges and draws the entries of a legend.
#include "legend.h"

#include <algorithm>

namespace {

constexpr double SampleWidth = 16, SampleGap = 5, EntryGap = 14, LinePad = 3, Indent = 6;

}

SctpaLegend::SctpaLegend(QCustomPlot *plot, const QString &title) : QCPLayoutElement(plot), title_(title) {}

void SctpaLegend::setEntries(const QVector<Entry> &entries)
{
    entries_ = entries;
    arrange();
}

// The width is that of the whole plot: layouts ask for heights before they know widths.
void SctpaLegend::arrange()
{
    QFont bold = mParentPlot->font();
    bold.setBold(true);
    const QFontMetricsF metrics(mParentPlot->font());
    const double width = mParentPlot->viewport().width() - 2 * Indent, line = metrics.height() + LinePad;
    const double begin = Indent + QFontMetricsF(bold).horizontalAdvance(title_) + EntryGap;
    double x = begin, y = 0;
    places_.clear();
    for (const Entry &entry : std::as_const(entries_)) {
        const double entryWidth = SampleWidth + SampleGap + metrics.horizontalAdvance(entry.label);
        if (x > begin && x + entryWidth > width) {
            x = begin;
            y += line;
        }
        places_.append(QRectF(x, y, entryWidth, line));
        x += entryWidth + EntryGap;
    }
    height_ = y + line + LinePad;
}

void SctpaLegend::update(UpdatePhase phase)
{
    QCPLayoutElement::update(phase);
    if (phase == upPreparation)
        arrange();
}

QSize SctpaLegend::minimumOuterSizeHint() const
{
    return QSize(50, int(std::max(height_, QFontMetricsF(mParentPlot->font()).height() + 2 * LinePad)) + 1);
}

int SctpaLegend::entryAt(const QPointF &place) const
{
    for (int i = 0; i < places_.size(); i++)
        if (places_.at(i).translated(outerRect().topLeft()).contains(place))
            return i;
    return -1;
}

void SctpaLegend::draw(QCPPainter *painter)
{
    const SctpaColors colors(mParentPlot->palette());
    QFont bold = mParentPlot->font();
    bold.setBold(true);
    const QFontMetricsF metrics(mParentPlot->font());
    const QPointF corner = outerRect().topLeft();
    painter->setFont(bold);
    painter->setPen(colors.ink);
    const QRectF first(corner + QPointF(Indent, 0),
                       QSizeF(QFontMetricsF(bold).horizontalAdvance(title_) + 2, metrics.height() + LinePad));
    painter->drawText(first, Qt::AlignLeft | Qt::AlignVCenter, title_);
    painter->setFont(mParentPlot->font());
    for (int i = 0; i < entries_.size(); i++) {
        const Entry &entry = entries_.at(i);
        const QRectF place = places_.at(i).translated(corner);
        QRectF sample(place.left(), place.top() + 2, SampleWidth, place.height() - 4);
        painter->setAntialiasing(true);
        if (entry.isOn && entry.band.style() != Qt::NoBrush)
            painter->fillRect(sample.adjusted(0, 1, 0, -1), entry.band);
        else if (entry.isOn)
            sctpaDrawSample(painter, entry.look, sample);
        QFont font = mParentPlot->font();
        font.setStrikeOut(!entry.isOn);
        painter->setFont(font);
        painter->setPen(entry.isOn ? colors.ink : colors.faint);
        painter->drawText(place.adjusted(SampleWidth + SampleGap, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          entry.label);
    }
    painter->setFont(mParentPlot->font());
    const QPointF behind = places_.isEmpty() ? first.topRight() : places_.last().translated(corner).topRight();
    painter->setPen(colors.faint);
    painter->drawText(QRectF(behind + QPointF(EntryGap, 0), QSizeF(outerRect().width(), first.height())),
                      Qt::AlignLeft | Qt::AlignVCenter, note_);
}
