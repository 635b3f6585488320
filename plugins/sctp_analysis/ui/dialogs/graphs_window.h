/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window of an association's graphs. Their data is read piece by piece in a thread, so that the window answers
// meanwhile and shows what is there.
#ifndef SCTPA_UI_GRAPHS_WINDOW_H
#define SCTPA_UI_GRAPHS_WINDOW_H

#include <deque>
#include <functional>

#include "models/reader.h"
#include "plots/plot_stack.h"
#include "range_window.h"

class SctpaGraphsBar;

class SctpaGraphsWindow : public SctpaRangeWindow {
    Q_OBJECT

  public:
    SctpaGraphsWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent);
    ~SctpaGraphsWindow() override;

    SctpaPlotStack *stack() const { return stack_; }
    SctpaGraphsBar *bar() const { return bar_; }
    const SctpaGraphData &data() const { return data_; }
    // Marks a packet, and shows the data that it is about, with it in sight.
    void selectFrame(quint32 frame);
    // The same of a packet that completed a violation of a rule, by its id ("ID-005"), whose lines stay marked; without
    // an id no lines do.
    void selectFinding(quint32 frame, const QString &rule);
    // Shows another association of the capture.
    void chooseAssociation(quint32 number);
    // All windows of graphs that are linked show the same time; ns since the epoch.
    bool isLinked() const { return stack_->isLinked(); }
    void setLinked(bool isLinked);
    void followTime(qint64 fromNs, qint64 toNs);
    std::pair<qint64, qint64> shownNs() const override;
    // Some of the data is still to be made.
    bool isLoading() const override { return !steps_.empty(); }

    // Writes what is shown: a picture, or to a .csv file the points. Empty: written, else why not.
    QString save(const QString &file) override;

  Q_SIGNALS:
    // The user looks at another time; links or unlinks the windows of graphs.
    void timeShown(qint64 fromNs, qint64 toNs);
    void linkChosen(bool isLinked);

  protected:
    void follow() override;
    void letGo() override;
    bool wouldLose() const override { return stack_->history().canGoBack(); }

  private:
    void readEnds(const sctpa_view_t &view, const sctpa_assoc_t *assoc);
    void show(const sctpa_view_t &view, const sctpa_assoc_t *assoc, bool keepsZoom);
    void showAnew();
    void mark();
    void tellTime();
    void stepAssociation(quint32 number);
    void choosePlots();
    void startLoading();
    void loadMore(int patienceMs = 0);
    void startStep();
    void endStep();
    void addSteps();
    void addStepsOf(SctpaPlot *plot);
    void addStep(SctpaGraphData::Read (SctpaGraphData::*read)(), bool SctpaPlotRow::*isShown);
    void showStreams();
    void stopLoading();
    void updateStatus();
    QString withoutDataText() const;
    QString saveCsv(const QString &file) const;

    SctpaGraphData data_;
    SctpaPlotStack *stack_;
    SctpaGraphsBar *bar_;
    QLabel *nothing_; // instead of plots, where none has anything
    QWidget *plots_ = nullptr;
    bool hasLooked_ = false;
    quint32 frame_ = 0;    // of the packet that is marked, 0 none
    bool isQuiet_ = false; // what time is shown is not told
    QCPRange told_;        // the time that was told last
    // Of loading: asked for what to read when its turn comes; what is done afterwards with what was kept.
    struct Step {
        std::function<SctpaGraphData::Read()> read;
        std::function<void()> show;
    };
    std::deque<Step> steps_; // the first is under way, or comes next
    bool isUnderWay_ = false;
    std::shared_ptr<SctpaGraphData::Keep> result_; // of the step under way, once the reader is done
    SctpaReader reader_;
};

#endif
