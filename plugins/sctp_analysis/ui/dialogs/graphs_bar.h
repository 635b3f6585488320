/* SPDX-License-Identifier: GPL-2.0-or-later */
// The bar above the plots: whose data, which path, which plots, and how they are shown. Remembers what was chosen.
// Leaves what follows from a choice to the window.
#ifndef SCTPA_UI_GRAPHS_BAR_H
#define SCTPA_UI_GRAPHS_BAR_H

#include <QVector>
#include <QWidget>

#include "plots/plot_stack.h"

class QAction;
class QComboBox;
class QLabel;
class QMenu;
class QSpinBox;
class QToolBar;
class SctpaChoices;
class SctpaStreamsBox;

class SctpaGraphsBar : public QWidget {
    Q_OBJECT

  public:
    // stack and choices are borrowed.
    SctpaGraphsBar(SctpaPlotStack *stack, SctpaChoices *choices, QWidget *parent);
    // Keeps the choices.
    ~SctpaGraphsBar() override;

    // The ends that can be chosen, and the paths of the one that is; a choice that is still there stays.
    void setEnds(const QStringList &names);
    void setPaths(const QVector<QString> &names);
    void setStreams(const QVector<SctpaGraphData::Stream> &streams);
    void chooseEnd(int end);
    int end() const;
    quint16 path() const;
    QVector<quint16> streams() const;
    QStringList plots() const;

    // Which association is shown, of those below count.
    void setAssociation(quint32 number, quint32 count);
    // The graphs show the time that others show.
    void setLinked(bool isLinked);

    QSpinBox *associations() const { return associations_; }
    QComboBox *ends() const { return ends_; }
    QComboBox *paths() const { return paths_; }
    SctpaStreamsBox *streamsBox() const { return streams_; }

  Q_SIGNALS:
    void associationChosen(quint32 number);
    void linkChosen(bool isLinked);
    void endChosen();
    void pathChosen();
    void streamsChosen();
    void plotsChosen();

  private:
    QAction *addSwitch(QWidget *where, const char *setting, const QString &text, const QString &hint, bool isOn);
    void addAssociations();
    void addPlotsMenu();
    void addZoom();
    void addSwitches();
    void takeKeys();
    void updateZoom();
    void setTsn(bool isRaw);
    void restore();
    void step(QComboBox *box, int by);

    SctpaPlotStack *stack_;
    SctpaChoices *choices_;
    QToolBar *bar_;
    QSpinBox *associations_;
    QComboBox *ends_, *paths_;
    SctpaStreamsBox *streams_;
    QAction *pathsShown_ = nullptr, *streamsShown_ = nullptr;
    QVector<QAction *> plotActions_;
    QAction *timeOfDay_ = nullptr, *rawTsn_ = nullptr, *zooms_ = nullptr, *crosshair_ = nullptr, *linked_ = nullptr,
            *back_ = nullptr, *forward_ = nullptr;
};

#endif
