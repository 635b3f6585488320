// The window of an association's graphs. Makes their data piece by piece, so that the first plot is there at once and the window answers
// meanwhile.
#ifndef SCTPA_UI_GRAPHS_WINDOW_H
#define SCTPA_UI_GRAPHS_WINDOW_H

#include <QTimer>

#include <deque>
#include <functional>

#include "models/association.h"
#include "plots/plot_stack.h"
#include "window.h"

class SctpaGraphsBar;

class SctpaGraphsWindow : public SctpaWindow
{
    Q_OBJECT

public:
    SctpaGraphsWindow(SctpaCapture *capture, SctpaChoices *choices, quint32 number, QWidget *parent);
    ~SctpaGraphsWindow() override;

    SctpaAssociation *association() const { return association_; }
    SctpaPlotStack *stack() const { return stack_; }
    SctpaGraphsBar *bar() const { return bar_; }
    const SctpaGraphData &data() const { return data_; }
    // Some of the data is still to be made.
    bool isLoading() const { return !steps_.empty(); }

    // Writes what is shown: a picture, or to a .csv file the points. Empty: written, else why not.
    QString save(const QString &file);
    // The range of time that is shown, as a display filter of Wireshark.
    QString filterOfRange() const;

Q_SIGNALS:
    // The tables are to count this time only; ns since the epoch, both in it.
    void tablesWanted(quint32 number, qint64 fromNs, qint64 toNs);

protected:
    void follow() override;
    void letGo() override;

private:
    void addButtons();
    void addHelp();
    void readEnds(const sctpa_view_t &view, const sctpa_assoc_t *assoc);
    void show(const sctpa_view_t &view, const sctpa_assoc_t *assoc, bool keepsZoom);
    void showAnew();
    void choosePlots();
    void startLoading();
    void loadMore();
    void addStepsOf(SctpaPlot *plot);
    void addStep(const std::function<void()> &find, bool SctpaPlotRow::*isShown);
    void finishLoading();
    void updateStatus();
    QString saveCsv(const QString &file) const;
    void chooseFileAndSave();

    SctpaAssociation *association_;
    SctpaGraphData data_;
    SctpaPlotStack *stack_;
    SctpaGraphsBar *bar_;
    bool hasLooked_ = false;
    std::deque<std::function<void()>> steps_;   // of loading, those to come
    bool isStale_ = false;      // the capture went on meanwhile
    qint64 spentMs_ = 0;        // by the last loading
    QTimer more_, rest_;
};

#endif
