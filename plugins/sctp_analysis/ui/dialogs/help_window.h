/* SPDX-License-Identifier: GPL-2.0-or-later */
// The guide (docs/guide.md), which the module carries: no network and no installed file is needed. Leaves what it says
// to the guide.
#ifndef SCTPA_UI_HELP_WINDOW_H
#define SCTPA_UI_HELP_WINDOW_H

#include <QTextBrowser>

class QLabel;

// The guide's text; pictures are made as narrow as the window.
class SctpaGuideBrowser : public QTextBrowser {
    Q_OBJECT

  public:
    explicit SctpaGuideBrowser(QWidget *parent);
    // Shows the section whose heading begins so, at the top. False: there is none.
    bool showSection(const QString &heading);
    // The heading at the top of what is shown.
    QString heading() const;

  protected:
    QVariant loadResource(int type, const QUrl &name) override;
};

class SctpaHelpWindow : public QWidget {
    Q_OBJECT

  public:
    explicit SctpaHelpWindow(QWidget *parent);

    SctpaGuideBrowser *guide() const { return guide_; }
    // Shows what the guide says of a window, by the name of its settings: "graphs".
    void showPageOf(const QString &window);

  private:
    SctpaGuideBrowser *guide_;
    QLabel *line_;
};

#endif
