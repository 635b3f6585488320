/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window of all findings of the capture: which endpoint broke which rule, and what that means.
#ifndef SCTPA_UI_FINDINGS_WINDOW_H
#define SCTPA_UI_FINDINGS_WINDOW_H

#include "models/findings_model.h"
#include "window.h"

class QCheckBox;
class QComboBox;
class QSplitter;
class SctpaFindingPanel;

class SctpaFindingsWindow : public SctpaWindow {
    Q_OBJECT

  public:
    SctpaFindingsWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent);
    ~SctpaFindingsWindow() override;

    SctpaTablePane *pane() const { return pane_; }
    SctpaFindingsModel *model() const { return model_; }
    SctpaFindingPanel *panel() const { return panel_; }
    QComboBox *levels() const { return levels_; }
    QCheckBox *grouping() const { return grouping_; }
    // Says that nothing was found; hidden where something was.
    QLabel *nothing() const { return nothing_; }

  Q_SIGNALS:
    void assocWanted(quint32 number);
    // A violation is to be shown in the graphs of its association.
    void inGraphsWanted(quint32 number, quint32 frame, const QString &rule);

  protected:
    void follow() override;
    void letGo() override;
    quint32 reportedAssoc() const override;

  private:
    void addGrouping();
    void addLevels();
    void addActionsForRows();
    void settle();
    void updateStatus();
    QString judgedText() const;
    int fittingFindings() const;
    QString countText() const;

    SctpaFindingsModel *model_;
    SctpaTablePane *pane_;
    SctpaFindingPanel *panel_;
    QSplitter *splitter_;
    QCheckBox *grouping_ = nullptr;
    QComboBox *levels_;
    QLabel *nothing_;
    bool isOpen_ = false;
};

#endif
