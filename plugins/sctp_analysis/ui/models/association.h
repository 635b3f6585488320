/* SPDX-License-Identifier: GPL-2.0-or-later */
// One association over the life of a capture: finds it again after a reload, and fills its pages.
#ifndef SCTPA_UI_ASSOCIATION_H
#define SCTPA_UI_ASSOCIATION_H

#include <QObject>
#include <QVector>

#include "capture.h"
#include "table_model.h"

class SctpaAssociation : public QObject {
    Q_OBJECT

  public:
    enum State {
        Shown,
        Gone,   // the open capture does not have it
        Closed, // no capture is open
    };

    struct Page {
        QString name, title;
        QString answers; // the question that it answers
        QVector<SctpaWindowTableModel *> windowTables;
        QString withoutMessages; // why it is empty where no messages were read, empty: it needs none
        QString whenEmpty;       // what it means else that it is empty
    };

    // number: of an association of the open capture.
    SctpaAssociation(SctpaCapture *capture, quint32 number, QObject *parent = nullptr);

    const QVector<Page> &pages() const { return pages_; }
    State state() const { return state_; }
    // As it is numbered now; halves that were joined since have the number of the whole.
    quint32 number() const { return number_; }
    // "3: 10.0.0.1:36412 (0) – 10.0.0.2:38412 (1)"
    QString name() const { return name_; }
    // The endpoints of any association of a view: "10.0.0.1:36412 (0) – 10.0.0.2:38412 (1)"
    static QString endpointsOf(const sctpa_view_t &view, const sctpa_assoc_t *assoc);
    // Of the capture in which it was seen last, without its folder; empty when unknown.
    QString file() const { return file_; }
    quint32 firstFrame() const { return firstFrame_; }
    // Is another association of the open capture from now on, as if made for it.
    void choose(quint32 number);

    // From now on tables count only packets between two moments, both in it, as far as they can: those that cannot are
    // whole. ns since the epoch. It stays while the association is shown, in another analysis too.
    void setTime(qint64 fromNs, qint64 toNs);
    void clearTime();
    bool hasTime() const { return hasTime_; }
    // Were messages of the application read? Of the last refresh.
    bool hasMessages() const { return hasMessages_; }
    // How people read it; of the last refresh.
    QString timeText() const { return timeText_; }

    // Finds it in the open capture. Null: it cannot be shown, and state() says why. Fills no table. O(associations) in
    // another analysis.
    const sctpa_assoc_t *look(sctpa_view_t *view);
    // Fills the tables of one page, and empties all when the association cannot be shown. Cost as its reports.
    void refresh(int page);
    void clear();

  private:
    const sctpa_assoc_t *find(const sctpa_view_t &view) const;
    quint32 currentAnalysis() const;
    bool isIt(const sctpa_assoc_t *assoc) const;
    QString momentText(const sctpa_view_t &view, qint64 timeNs) const;
    void remember(const sctpa_view_t &view, const sctpa_assoc_t *assoc);

    SctpaCapture *capture_;
    QVector<Page> pages_;
    State state_ = Closed;
    quint32 number_;
    // The analysis that number_ is of, 0 none yet. In another one it is found by its first packet and ports.
    quint32 analysis_ = 0;
    quint32 firstFrame_ = 0;
    quint16 ports_[2] = { 0, 0 };
    QString name_, file_;
    bool hasTime_ = false, hasMessages_ = false;
    qint64 fromNs_ = 0, toNs_ = 0;
    QString timeText_;
};

#endif
