/* SPDX-License-Identifier: GPL-2.0-or-later */
// The window of all associations.
#ifndef SCTPA_UI_ASSOCS_WINDOW_H
#define SCTPA_UI_ASSOCS_WINDOW_H

#include "models/assocs_model.h"
#include "window.h"

class SctpaAssocsWindow : public SctpaWindow {
    Q_OBJECT

  public:
    SctpaAssocsWindow(SctpaCapture *capture, SctpaChoices *choices, QWidget *parent);
    ~SctpaAssocsWindow() override;

    SctpaTablePane *pane() const { return pane_; }
    SctpaAssocsModel *model() const { return model_; }

  Q_SIGNALS:
    void assocWanted(quint32 number);
    void graphsWanted(quint32 number);

  protected:
    void follow() override;
    void letGo() override;
    quint32 reportedAssoc() const override;

  private:
    void addActionsForRows();
    void updateStatus();

    SctpaAssocsModel *model_;
    SctpaTablePane *pane_;
    bool isOpen_ = false;
    bool isSorted_ = false; // the worst first, since there is something bad
};

#endif
