/* SPDX-License-Identifier: GPL-2.0-or-later */
// What the windows share that show an association over a range of time: buttons for that range, files, their title, and
// a rest after reading that took long. Leaves what they show to those that inherit.
#ifndef SCTPA_UI_RANGE_WINDOW_H
#define SCTPA_UI_RANGE_WINDOW_H

#include <QElapsedTimer>
#include <QTimer>

#include <utility>

#include "models/association.h"
#include "window.h"

class SctpaRangeWindow : public SctpaWindow {
    Q_OBJECT

  public:
    // What it is called, and the kinds of files that it can be saved as, for a dialog.
    struct What {
        QString name;  // of settings and files: "graphs"
        QString title; // "SCTP Graphs"
        QString save;  // "Save Graphs"
        QString files;
        QSize size;
    };

    SctpaAssociation *association() const { return association_; }
    // Writes what is shown. Empty: written, else why not.
    virtual QString save(const QString &file) = 0;
    // The range of time that is shown, as a display filter of Wireshark.
    QString filterOfRange() const;

  Q_SIGNALS:
    // The tables are to count this time only; ns since the epoch, both in it.
    void tablesWanted(quint32 number, qint64 fromNs, qint64 toNs);

  protected:
    // So long the window waits for what it reads before it answers, once.
    static constexpr int PatienceMs = 80;

    SctpaRangeWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, const What &what, QWidget *parent);

    // Both ends of what is shown, ns since the epoch.
    virtual std::pair<qint64, qint64> shownNs() const = 0;
    // Something is still being read.
    virtual bool isLoading() const = 0;
    quint32 reportedAssoc() const override { return association_->number(); }

    void addHelp(const QString &text);
    void addButtons();
    // Is it too early to look again? Then follow() is called when it is not.
    bool mustWait();
    // Reading begins, and ends: what took long is followed by a rest.
    void beginReading() { spent_.start(); }
    void restAfterReading();
    void forgetRest();
    // Title, buttons, and the line at the bottom; loading: what it says while the association is shown.
    void showState(const QString &loading);
    bool isShown() const { return association_->state() == SctpaAssociation::Shown; }

  private:
    void chooseFileAndSave();

    What what_;
    SctpaAssociation *association_;
    bool isStale_ = false; // the capture went on meanwhile
    QElapsedTimer spent_;  // since reading began last
    QTimer rest_;
};

#endif
