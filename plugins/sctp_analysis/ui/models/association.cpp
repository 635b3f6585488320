/* SPDX-License-Identifier: GPL-2.0-or-later */
// Keeps what identifies an association, not where it lies in memory.
#include "association.h"

#include <QCoreApplication>

extern "C" {
#include "report/text/text.h"
}

#include <utility>

SctpaAssociation::SctpaAssociation(SctpaCapture *capture, quint32 number, QObject *parent)
    : QObject(parent), capture_(capture), number_(number)
{
    for (const sctpa_window_table_page_t *page = sctpa_window_table_pages(); page->name; page++) {
        Page made = { QString::fromUtf8(page->name),
                      QCoreApplication::translate("sctpa_window_table", page->title),
                      QCoreApplication::translate("sctpa_window_table", page->answers),
                      {},
                      page->without_messages ? QCoreApplication::translate("sctpa_window_table", page->without_messages)
                                             : QString(),
                      QCoreApplication::translate("sctpa_window_table",
                                                  page->when_empty ? page->when_empty
                                                                   : "The capture shows nothing of this kind.") };
        for (unsigned i = 0; i < SCTPA_PAGE_TABLES && page->window_tables[i]; i++)
            made.windowTables.append(new SctpaWindowTableModel(page->window_tables[i], this));
        pages_.append(made);
    }
}

quint32 SctpaAssociation::currentAnalysis() const
{
    sctpa_host_state_t state;
    capture_->host()->state(&state);
    return state.analysis;
}

bool SctpaAssociation::isIt(const sctpa_assoc_t *assoc) const
{
    return assoc->first_frame == firstFrame_ && assoc->ends[0].port == ports_[0] && assoc->ends[1].port == ports_[1];
}

const sctpa_assoc_t *SctpaAssociation::find(const sctpa_view_t &view) const
{
    const quint32 number = sctpa_view_resolve(&view, number_), count = sctpa_assoc_count(view.sctpa);
    const bool isSame = analysis_ == 0 || analysis_ == currentAnalysis();
    if (number != SCTPA_NO_ASSOC && (isSame || isIt(sctpa_assoc(view.sctpa, number))))
        return sctpa_assoc(view.sctpa, number);
    for (quint32 i = 0; i < count; i++) {
        const sctpa_assoc_t *assoc = sctpa_assoc(view.sctpa, i);
        if (assoc->merged_into == SCTPA_NO_ASSOC && isIt(assoc))
            return assoc;
    }
    return nullptr;
}

QString SctpaAssociation::endpointsOf(const sctpa_view_t &view, const sctpa_assoc_t *assoc)
{
    const SctpaLabels labels(sctpa_labels_new_spelled_out(&view));
    return QStringLiteral("%1 – %2").arg(sctpaEndpointName(labels.get(), assoc, 0),
                                         sctpaEndpointName(labels.get(), assoc, 1));
}

void SctpaAssociation::remember(const sctpa_view_t &view, const sctpa_assoc_t *assoc)
{
    number_ = assoc->number;
    file_ = capture_->name();
    firstFrame_ = assoc->first_frame;
    for (int e = 0; e < 2; e++)
        ports_[e] = assoc->ends[e].port;
    analysis_ = currentAnalysis();
    name_ = QStringLiteral("%1: %2").arg(QString::number(assoc->number), endpointsOf(view, assoc));
}

const sctpa_assoc_t *SctpaAssociation::look(sctpa_view_t *view)
{
    const bool isOpen = capture_->look(view);
    const sctpa_assoc_t *assoc = isOpen ? find(*view) : nullptr;
    state_ = assoc ? Shown : isOpen ? Gone : Closed;
    if (assoc)
        remember(*view, assoc);
    return assoc;
}

void SctpaAssociation::choose(quint32 number)
{
    clear();
    clearTime();
    number_ = number;
    analysis_ = 0;
}

void SctpaAssociation::refresh(int page)
{
    sctpa_view_t view;
    const sctpa_assoc_t *assoc = look(&view);
    if (!assoc) {
        const State why = state_;
        clear();
        state_ = why;
        return;
    }
    hasMessages_ = view.messages != nullptr;
    sctpa_view_t ofTime = view;
    const SctpaTally tally(sctpa_tally_new());
    if (hasTime_) {
        sctpa_tally_add_time(tally.get(), view.sctpa, assoc->number, fromNs_, toNs_);
        ofTime.tally = tally.get();
        timeText_ = tr("%1 to %2").arg(momentText(view, fromNs_), momentText(view, toNs_));
    }
    const SctpaSource whole(sctpa_window_table_source_new(&view)), source(sctpa_window_table_source_new(&ofTime));
    for (SctpaWindowTableModel *windowTable : pages_.at(page).windowTables)
        windowTable->refresh(windowTable->windowTable()->is_whole ? whole.get() : source.get(), assoc);
}

void SctpaAssociation::setTime(qint64 fromNs, qint64 toNs)
{
    hasTime_ = true;
    fromNs_ = fromNs;
    toNs_ = toNs;
}

void SctpaAssociation::clearTime()
{
    hasTime_ = false;
    timeText_.clear();
}

QString SctpaAssociation::momentText(const sctpa_view_t &view, qint64 timeNs) const
{
    if (view.moment)
        return sctpaAppended([&](GString *out) { view.moment(view.user, timeNs, out); });
    return tr("%1 s").arg(
        sctpaAppended([&](GString *out) { sctpa_text_seconds(out, sctpa_view_since_start(&view, timeNs), 6); }));
}

void SctpaAssociation::clear()
{
    for (const Page &page : std::as_const(pages_))
        for (SctpaWindowTableModel *windowTable : page.windowTables)
            windowTable->clear();
    state_ = Closed;
}
