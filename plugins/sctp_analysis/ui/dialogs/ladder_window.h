/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window of an association's ladder. The ladder is made in a thread; the packet that is selected in Wireshark, or
// that another window goes to, is selected here, too.
#ifndef SCTPA_UI_LADDER_WINDOW_H
#define SCTPA_UI_LADDER_WINDOW_H

#include <QElapsedTimer>
#include <QTimer>

#include "models/association.h"
#include "models/reader.h"
#include "plots/ladder_plot.h"
#include "window.h"

class QLabel;
class QScrollBar;

class SctpaLadderWindow : public SctpaWindow {
    Q_OBJECT

  public:
    SctpaLadderWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent);
    ~SctpaLadderWindow() override;

    SctpaAssociation *association() const { return association_; }
    SctpaLadderPlot *plot() const { return plot_; }
    const SctpaLadderFacts &facts() const { return facts_; }
    QScrollBar *bar() const { return bar_; }
    // The ladder is still to be made.
    bool isLoading() const { return result_ != nullptr; }

    // Writes what is shown. Empty: written, else why not.
    QString save(const QString &file) { return plot_->save(file); }
    // The range of time that is shown, as a display filter of Wireshark.
    QString filterOfRange() const;

  Q_SIGNALS:
    // The tables are to count this time only; ns since the epoch, both in it.
    void tablesWanted(quint32 number, qint64 fromNs, qint64 toNs);

  protected:
    void follow() override;
    void letGo() override;

  private:
    void addHelp();
    void addButtons();
    void startReading();
    void endReading();
    void updateBar();
    void moveTo(int value);
    void updateStatus();
    QString timesText() const;
    void chooseFileAndSave();

    SctpaAssociation *association_;
    SctpaLadderFacts facts_;
    SctpaLadderPlot *plot_;
    QScrollBar *bar_;
    QLabel *note_ = nullptr;                         // how times at both ends are known
    bool hasLooked_ = false, isStale_ = false;       // the capture went on meanwhile
    std::shared_ptr<SctpaLadderFacts::Keep> result_; // of what is being read
    QElapsedTimer spent_;
    QTimer rest_;
    SctpaReader reader_;
};

#endif
