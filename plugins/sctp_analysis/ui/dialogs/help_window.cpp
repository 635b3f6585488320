/* SPDX-License-Identifier: GPL-2.0-or-later */
// Which window has which section; pictures, and links that lead out of the guide.
#include "help_window.h"

#include <QAbstractTextDocumentLayout>
#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QScreen>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QUrl>
#include <QVBoxLayout>

namespace {

const QSize FirstSize(980, 760);
constexpr double PartOfScreen = 0.9;
constexpr int PictureMargin = 40, LeastPicture = 320;
const QString Folder = QStringLiteral(":/sctp_analysis/");

// How the guide's headings begin.
const struct {
    const char *window, *heading;
} Sections[] = {
    { "summary", "2." }, { "findings", "2." },   { "associations", "3." },  { "association", "4." },
    { "graphs", "5." },  { "ladder", "Ladder" }, { "report", "Report of" },
};

}

// Q_INIT_RESOURCE must stand outside of namespaces.
static void initGuide()
{
    Q_INIT_RESOURCE(sctpa_guide);
}

SctpaGuideBrowser::SctpaGuideBrowser(QWidget *parent) : QTextBrowser(parent)
{
    initGuide();
    QFile file(Folder + QStringLiteral("guide.md"));
    if (file.open(QIODevice::ReadOnly))
        document()->setMarkdown(QString::fromUtf8(file.readAll()), QTextDocument::MarkdownDialectGitHub);
    setOpenLinks(false);
    setAccessibleName(tr("Guide"));
}

QVariant SctpaGuideBrowser::loadResource(int type, const QUrl &name)
{
    if (type != QTextDocument::ImageResource)
        return QVariant();
    const QImage image(Folder + name.path());
    const int room = qMax(LeastPicture, viewport()->width() - PictureMargin);
    return image.width() > room ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
}

// Of a paragraph that begins with words in bold, these are a heading, too.
bool SctpaGuideBrowser::showSection(const QString &heading)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const bool isBold = !block.begin().atEnd() && block.begin().fragment().charFormat().fontWeight() >= QFont::Bold;
        if (!block.text().startsWith(heading) || (block.blockFormat().headingLevel() == 0 && !isBold))
            continue;
        setTextCursor(QTextCursor(block));
        verticalScrollBar()->setValue(int(document()->documentLayout()->blockBoundingRect(block).top()));
        return true;
    }
    return false;
}

QString SctpaGuideBrowser::heading() const
{
    return textCursor().block().text();
}

SctpaHelpWindow::SctpaHelpWindow(QWidget *parent)
    : QWidget(parent, Qt::Window), guide_(new SctpaGuideBrowser(this)), line_(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("help"));
    setWindowTitle(tr("SCTP Expert Analysis: Guide"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto *bottom = new QHBoxLayout;
    auto *layout = new QVBoxLayout(this);
    line_->setTextFormat(Qt::PlainText);
    bottom->addWidget(line_, 1);
    bottom->addWidget(buttons);
    layout->addWidget(guide_, 1);
    layout->addLayout(bottom);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    connect(new QShortcut(Qt::Key_Escape, this), &QShortcut::activated, this, &QWidget::close);
    connect(guide_, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        line_->setText(tr("%1 is in the folder docs of the project.").arg(link.toString()));
    });
    resize(FirstSize.boundedTo(screen()->availableSize() * PartOfScreen));
}

void SctpaHelpWindow::showPageOf(const QString &window)
{
    show();
    for (const auto &section : Sections)
        if (window == QLatin1String(section.window))
            guide_->showSection(QString::fromLatin1(section.heading));
}
