/* SPDX-License-Identifier: GPL-2.0-or-later */
// What the windows of the dialogs share: they follow the capture, say what they cannot do in a line at the bottom, and
// remember where they were. Leaves their contents to those that inherit.
#ifndef SCTPA_UI_WINDOW_H
#define SCTPA_UI_WINDOW_H

#include <QWidget>

#include <functional>

#include "models/capture.h"

class QDialogButtonBox;
class QLabel;
class QPushButton;
class QVBoxLayout;
class SctpaChoices;
class SctpaTablePane;

class SctpaWindow : public QWidget {
    Q_OBJECT

  public:
    // capture and choices are borrowed. name: of its settings.
    SctpaWindow(SctpaCapture *capture, SctpaChoices *choices, const QString &name, const QSize &size, QWidget *parent);
    ~SctpaWindow() override;

    // What the line at the bottom says.
    QString message() const;

  Q_SIGNALS:
    // What the guide says of this window; its name.
    void helpWanted(const QString &name);
    // A report of an association; SCTPA_NO_ASSOC: of the worst.
    void reportWanted(quint32 number);

  protected:
    SctpaCapture *capture() const { return capture_; }
    SctpaChoices *choices() const { return choices_; }
    QVBoxLayout *contents() const { return contents_; }
    QDialogButtonBox *buttons() const { return buttons_; }

    // Shows what the capture holds now; lets go of everything of it.
    virtual void follow() = 0;
    virtual void letGo() = 0;
    // Escape, pressed by habit, would cost what the user made: it does not close the window then.
    virtual bool wouldLose() const { return false; }
    // The association that a report asked for here is of; SCTPA_NO_ASSOC: none in particular.
    virtual quint32 reportedAssoc() const { return SCTPA_NO_ASSOC; }

    // A button at the bottom, which Enter does not press unless it has the focus.
    QPushButton *addButton(const QString &text);
    // A button that asks for a report.
    void addReport();

    // A button and an entry of the table's menu for what can be done with the selected rows of its model; with none
    // there is nothing to do.
    void addRowAction(SctpaTablePane *pane, const QString &text,
                      const std::function<void(const QVector<int> &rows)> &act);
    void goToFrame(quint32 frame);
    void applyFilter(const QString &filter);
    // A state stays until the next one; a complaint stands before it until the next click, or until it is no longer so.
    void setStatus(const QString &status);
    void complain(const QString &complaint);

    bool event(QEvent *event) override;

  private:
    void letButtonsShrink();
    void updateLine();

    SctpaCapture *capture_;
    SctpaChoices *choices_;
    QString name_;
    QVBoxLayout *contents_;
    QDialogButtonBox *buttons_;
    QLabel *icon_, *line_;
    QString status_, complaint_;
    quint32 hiddenFrame_ = 0; // that the complaint is about
};

#endif
