/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window of an association's ladder. The ladder is made in a thread; the packet that is selected in Wireshark, or
// that another window goes to, is selected here, too.
#ifndef SCTPA_UI_LADDER_WINDOW_H
#define SCTPA_UI_LADDER_WINDOW_H

#include "models/reader.h"
#include "plots/ladder_plot.h"
#include "range_window.h"

class QLabel;
class QScrollBar;

class SctpaLadderWindow : public SctpaRangeWindow {
    Q_OBJECT

  public:
    SctpaLadderWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent);
    ~SctpaLadderWindow() override;

    SctpaLadderPlot *plot() const { return plot_; }
    // The packet is selected and in sight, as soon as the ladder is read.
    void selectFrame(quint32 frame);
    const SctpaLadderFacts &facts() const { return facts_; }
    QScrollBar *bar() const { return bar_; }
    // The ladder is still to be made.
    bool isLoading() const override { return result_ != nullptr; }

    // Writes a picture.
    QString save(const QString &file) override { return plot_->save(file); }

  protected:
    void follow() override;
    void letGo() override;
    std::pair<qint64, qint64> shownNs() const override { return { plot_->fromNs(), plot_->toNs() }; }
    bool wouldLose() const override
    {
        return isShown() && (plot_->fromNs() > plot_->wholeFromNs() || plot_->toNs() < plot_->wholeToNs());
    }

  private:
    void startReading();
    void endReading();
    void updateBar();
    void moveTo(int value);
    void updateStatus();
    QString timesText() const;

    SctpaLadderFacts facts_;
    SctpaLadderPlot *plot_;
    QScrollBar *bar_;
    QLabel *note_; // how times at both ends are known
    bool hasLooked_ = false;
    quint32 wanted_ = 0;                             // frame to be selected once the ladder is read
    std::shared_ptr<SctpaLadderFacts::Keep> result_; // of what is being read
    SctpaReader reader_;
};

#endif
