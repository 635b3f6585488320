/* SPDX-License-Identifier: GPL-2.0-or-later */
// Plots one above the other on one time axis: which of them there are, what part of the time they show, what is pointed
// at. Leaves making data to the window. Zoom stands in plot_stack_zoom.cpp, what wheel and mouse mean in
// plot_stack_input.cpp, keys and menu in plot_stack_menu.cpp.
#ifndef SCTPA_UI_PLOT_STACK_H
#define SCTPA_UI_PLOT_STACK_H

#include <QElapsedTimer>
#include <QPointer>

#include "crosshair.h"
#include "plot.h"
#include "zoom_history.h"

class QMenu;

class SctpaPlotStack : public QCustomPlot {
    Q_OBJECT

  public:
    enum Mouse { Drags, Zooms };

    // data is borrowed.
    explicit SctpaPlotStack(SctpaGraphData *data, QWidget *parent = nullptr);
    ~SctpaPlotStack() override;
    // It is scrolled in this viewport where that is too small; borrowed.
    void follow(QWidget *viewport);

    // Shows the plots of these names, in the order of sctpaPlotRows(). Those that come are empty until loaded.
    void setPlots(const QStringList &names);
    QStringList plotNames() const;
    const std::vector<std::unique_ptr<SctpaPlot>> &plots() const { return plots_; }
    SctpaPlot *plot(const QString &name) const;
    quint32 kindsShown() const;

    // No plot has anything to show, and all of it was read.
    bool isAllShrunk() const;
    // What is shown of the data, for all plots; loads none.
    const SctpaPlot::Choice &choice() const { return choice_; }
    void setChoice(const SctpaPlot::Choice &choice);
    // Loads a plot with what is there of its data; isAll: no more of it will come.
    void load(SctpaPlot *plot, bool isAll);
    // The data is another: its time axis is, and a range that is not of it is left.
    void dataChanged(bool keepsZoom);
    void clearPlots();

    bool isTimeAbsolute() const { return isAbsolute_; }
    void setTimeAbsolute(bool isAbsolute);
    Mouse mouse() const { return mouse_; }
    void setMouse(Mouse mouse);
    bool hasCrosshair() const { return hasCrosshair_; }
    void setCrosshair(bool isOn);
    // The rules of the finding that was clicked stay marked until something else is.
    const QVector<quint32> &chosenRules() const { return chosenRules_; }
    const SctpaCrosshair *crosshair() const { return crosshair_; }

    // A line through all plots at a packet; frame 0: none.
    void markPacket(quint32 frame, double seconds);
    quint32 markedFrame() const { return markedFrame_; }
    // Moves the time shown so that it has a moment of the data in the middle, unless it is in sight.
    void bringIntoSight(double seconds);

    QCPRange timeRange() const { return time_; }
    QCPRange wholeTime() const;
    // The user looks elsewhere; kept in the history.
    void showTime(const QCPRange &range);
    void showValues(SctpaPlot *plot, const QCPRange &range);
    void zoomTime(double factor, double around);
    void zoomValues(SctpaPlot *plot, double factor, double aroundPixel);
    const SctpaZoomHistory &history() const { return history_; }

    // What is under a place of the screen.
    SctpaPlot *plotAt(const QPointF &place) const;
    SctpaFound find(const QPointF &place) const;
    void point(const QPointF &place);

    // Writes what is shown to a .png, .pdf or .svg file. Empty: written, else why not.
    QString save(const QString &file);
    const SctpaGraphData &data() const { return *data_; }
    bool hasFound() const { return found_.isThere(); }
    // Other graphs show the time that this one does; told by those who know of others.
    bool isLinked() const { return isLinked_; }
    void setLinked(bool isLinked) { isLinked_ = isLinked; }
    // Shows the time of another one.
    void followTime(const QCPRange &range);
    // The rules of a finding, as SctpaGraphData::Finding, stay marked as if it had been clicked.
    void chooseRules(const QVector<quint32> &rules);
    // What can be done at a place of the screen: sctpaPlotCommands with their keys. The caller's.
    QMenu *makeMenu(const QPointF &place);

  public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void reset();
    void goBack();
    void goForward();
    void goToPacket();
    void copyPicture();
    // Of the plot that is pointed at, else the first.
    void zoomValuesStep(bool isIn);
    // The time, and the values of that plot, by so many pixels.
    void move(int dx, int dy);

  Q_SIGNALS:
    void frameWanted(quint32 frame);
    // The range of time, the history or what is switched off is another.
    void changed();
    // Wanted by keys, of those who hold the choices.
    void switchEndWanted();
    void nextPathWanted(int step);
    void nextAssociationWanted(int step);
    void toggleLinkWanted();
    void toggleTimeWanted();
    void toggleTsnWanted();
    void toggleMouseWanted();
    void toggleCrosshairWanted();
    void togglePlotWanted(int row);

  protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    struct Press {
        bool isThere = false, isMoved = false, zooms = false;
        QPointF at, last;
        SctpaPlot *plot = nullptr;
    };

    void makeLayers();
    void recolour();
    void arrangeAxes();
    void shrinkEmpty();
    void noteRoom();
    void applyTime(const QCPRange &range);
    void changeTime(const QCPRange &range, bool isStep);
    void applyZoom(const SctpaZoom &zoom);
    SctpaZoom zoomNow() const;
    void aboutToZoom(bool isStep);
    void fitAll();
    void repaintAll() { replot(QCustomPlot::rpQueuedReplot); }
    void repaintCrosshair();
    SctpaCard cardOf(const SctpaPlot &plot, double seconds, double value) const;
    void markRules();
    void pan(const QPointF &by);
    void endBand();
    void toggleEntry(SctpaPlot *plot, int entry);
    SctpaPlot *plotInUse() const;
    void sizeTicks();
    bool drawOn(QPaintDevice *device);

    SctpaGraphData *data_;
    std::vector<std::unique_ptr<SctpaPlot>> plots_;
    SctpaPlot::Choice choice_;
    QCPMarginGroup *margins_;
    QSharedPointer<SctpaTimeTicker> timeTicker_;
    SctpaCrosshair *crosshair_ = nullptr;
    SctpaZoomHistory history_;
    QCPRange time_{ 0, 1 };
    bool isWhole_ = true; // no range of time was chosen: it grows with the data
    QPointer<QWidget> viewport_;
    bool scrolls_ = false; // it does not fit into the viewport
    bool isAbsolute_ = false, hasCrosshair_ = true, isLinked_ = false;
    Mouse mouse_ = Drags;
    Press press_;
    QPointF pointer_;
    bool isPointing_ = false;
    QElapsedTimer lastStep_; // of the wheel or a key: many make one entry of the history
    SctpaFound found_;
    quint32 markedFrame_ = 0;
    double markedSeconds_ = 0;
    QVector<quint32> chosenRules_; // of the finding that was clicked
};

#endif
