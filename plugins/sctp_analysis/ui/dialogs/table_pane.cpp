/* SPDX-License-Identifier: GPL-2.0-or-later */
// The table's view and its menu. What the rows are is the model's business.
#include "table_pane.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QSaveFile>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "cell_delegate.h"
#include "choices.h"
#include "models/table_text.h"
#include "table_groups.h"

namespace {

constexpr int FilterDelayMs = 200;
constexpr int RowsBeforeScrolling = 20;
constexpr int ColumnsOfLists = 4;
constexpr int ColumnsInSight = 3;
constexpr int RowsLooked = 200, RowsSampled = 50;
constexpr double RowHeightInFonts = 1.5;
constexpr int WidestInLetters = 60;
constexpr QChar Room = SctpaSortProxy::Room;

}

SctpaTablePane::SctpaTablePane(SctpaTableModel *model, SctpaChoices *choices, Height height, QWidget *parent)
    : QWidget(parent), model_(model), proxy_(new SctpaSortProxy(model, this)), choices_(choices), height_(height)
{
    setObjectName(QString::fromUtf8(model->windowTable()->name));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    makeView();
    makeMenu();
    makeHead();
    layout->addWidget(view_);
    restore();
    settle();
}

SctpaTablePane::~SctpaTablePane()
{
    keep();
}

void SctpaTablePane::makeView()
{
    view_ = new QTableView(this);
    view_->setModel(proxy_);
    delegate_ = new SctpaCellDelegate(view_, proxy_);
    view_->setItemDelegate(delegate_);
    groups_ = new SctpaTableGroups(view_, proxy_, delegate_, this);
    connect(groups_, &SctpaTableGroups::changed, this, &SctpaTablePane::settled);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setTabKeyNavigation(false);
    view_->setMouseTracking(true);
    view_->setAccessibleName(model_->title());
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(int(view_->fontMetrics().height() * RowHeightInFonts));
    QHeaderView *head = view_->horizontalHeader();
    head->setSectionsMovable(true);
    head->setStretchLastSection(model_->windowTable()->columns[model_->columnCount() - 1].align != SCTPA_RIGHT);
    head->setHighlightSections(false);
    head->setResizeContentsPrecision(RowsLooked);
    head->setSortIndicator(-1, Qt::AscendingOrder);
    head->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setSortingEnabled(true);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->installEventFilter(this);
    connect(view_, &QTableView::clicked, this, &SctpaTablePane::clicked);
    connect(view_, &QTableView::entered, this, &SctpaTablePane::entered);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this](const QItemSelection &selected) { hasUserSelected_ |= !isSelecting_ && !selected.isEmpty(); });
    connect(view_, &QTableView::doubleClicked, this,
            [this](const QModelIndex &index) { activate(index, !groups_->isArrow(index)); });
    connect(view_, &QWidget::customContextMenuRequested, this,
            [this](const QPoint &at) { menu_->popup(view_->viewport()->mapToGlobal(at)); });
}

// Heading, filter and the button of the menu.
void SctpaTablePane::makeHead()
{
    head_ = new QHBoxLayout;
    title_ = new QLabel(model_->title(), this);
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    title_->setBuddy(view_);
    filter_ = new QLineEdit(this);
    filter_->setObjectName(QStringLiteral("filter"));
    filter_->setPlaceholderText(tr("Filter: text or comparison, e.g. >= 10"));
    filter_->setClearButtonEnabled(true);
    filterColumn_ = new QComboBox(this);
    filterColumn_->setAccessibleName(tr("Column to look in"));
    filterColumn_->addItem(tr("Any column"), SctpaSortProxy::AnyColumn);
    for (int column = 0; column < model_->columnCount(); column++)
        filterColumn_->addItem(model_->headerData(column, Qt::Horizontal).toString(), column);
    filterDelay_ = new QTimer(this);
    filterDelay_->setSingleShot(true);
    filterDelay_->setInterval(FilterDelayMs);
    menuButton_ = new QToolButton(this);
    menuButton_->setText(tr("Table"));
    menuButton_->setToolTip(tr("Copy, export, choose columns"));
    menuButton_->setPopupMode(QToolButton::InstantPopup);
    menuButton_->setMenu(menu_);
    head_->addWidget(title_);
    head_->addStretch(1);
    head_->addWidget(filterColumn_);
    head_->addWidget(filter_, height_ == AllThereIs ? 2 : 0);
    head_->addWidget(menuButton_);
    static_cast<QVBoxLayout *>(layout())->addLayout(head_);
    connect(filter_, &QLineEdit::textChanged, filterDelay_, QOverload<>::of(&QTimer::start));
    connect(filterColumn_, QOverload<int>::of(&QComboBox::currentIndexChanged), filterDelay_,
            QOverload<>::of(&QTimer::start));
    connect(filterDelay_, &QTimer::timeout, this, [this] {
        proxy_->setFilter(filterColumn_->currentData().toInt(), filter_->text());
        view_->scrollToTop();
        Q_EMIT settled();
    });
}

void SctpaTablePane::makeMenu()
{
    menu_ = new QMenu(this);
    firstFixed_ = addRowEntry(tr("&Go to Packet"), [this](const QVector<int> &rows) {
        Q_EMIT frameWanted(model_->frameOfRow(rows.first()));
    });
    firstFixed_->setVisible(model_->hasFrames());
    menu_->addSeparator();
    QAction *copy =
        menu_->addAction(tr("&Copy as Text"), this, [this] { QApplication::clipboard()->setText(text(false)); });
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(copy);
    menu_->addAction(tr("Copy as CS&V"), this, [this] { QApplication::clipboard()->setText(text(true)); });
    menu_->addAction(tr("&Export as CSV…"), this, &SctpaTablePane::chooseFileAndExport);
    menu_->addSeparator();
    QMenu *columns = menu_->addMenu(tr("C&olumns"));
    fillColumnsMenu(columns);
    connect(columns, &QMenu::aboutToShow, this, [this, columns] { fillColumnsMenu(columns); });
    connect(view_->horizontalHeader(), &QWidget::customContextMenuRequested, this,
            [this, columns](const QPoint &at) { columns->popup(view_->horizontalHeader()->mapToGlobal(at)); });
    groups_->addEntries(menu_);
}

void SctpaTablePane::fillColumnsMenu(QMenu *menu)
{
    QHeaderView *head = view_->horizontalHeader();
    menu->clear();
    for (int column = 0; column < model_->columnCount(); column++) {
        QAction *action = menu->addAction(model_->headerData(column, Qt::Horizontal).toString());
        const bool isShown = !head->isSectionHidden(column);
        action->setCheckable(true);
        action->setChecked(isShown);
        // The last one stays: without a column nothing could be clicked to get them back.
        action->setEnabled(!isShown || delegate_->shownColumns().size() > 1);
        connect(action, &QAction::toggled, view_, [this, head, column](bool show) {
            head->setSectionHidden(column, !show);
            isArranged_ = true;
        });
    }
    menu->addSeparator();
    menu->addAction(tr("Fit Widths"), this, &SctpaTablePane::fitWidths);
}

QString SctpaTablePane::setting() const
{
    return QStringLiteral("tables/%1").arg(QString::fromUtf8(model_->windowTable()->name));
}

// What is hidden can be chosen. The number of the one association that a table is about says nothing.
bool SctpaTablePane::isHiddenAtFirst(int column) const
{
    const bool isOfOne = qobject_cast<SctpaWindowTableModel *>(model_) != nullptr;
    return model_->windowTable()->columns[column].is_detail ||
           (isOfOne && qstrcmp(model_->windowTable()->columns[column].head, "#") == 0);
}

void SctpaTablePane::restore()
{
    const QByteArray state = choices_->bytes(setting());
    QHeaderView *head = view_->horizontalHeader();
    isArranged_ = !state.isEmpty() && head->restoreState(state);
    for (int column = 0; !isArranged_ && column < model_->columnCount(); column++)
        view_->setColumnHidden(column, isHiddenAtFirst(column));
    // Qt resizes columns, too, as a table is shown first.
    head->viewport()->installEventFilter(this);
    const auto arranged = [this] { isArranged_ |= isHeadPressed_; };
    connect(head, &QHeaderView::sectionMoved, this, arranged);
    connect(head, &QHeaderView::sectionResized, this, arranged);
    connect(head, &QHeaderView::sortIndicatorChanged, this, [this] {
        isArranged_ = true;
        view_->scrollToTop();
    });
}

void SctpaTablePane::keep()
{
    if (isArranged_)
        choices_->keep(setting(), view_->horizontalHeader()->saveState());
}

void SctpaTablePane::settle()
{
    proxy_->settle();
    if (!isArranged_ && proxy_->rowCount() >= 2 * fittedRows_ && proxy_->rowCount() > 0) {
        fittedRows_ = proxy_->rowCount();
        fitWidths();
    }
    if (height_ == WhatRowsNeed)
        fitHeight();
    const bool isList = height_ == AllThereIs && model_->columnCount() >= ColumnsOfLists;
    const bool filters = isList || model_->rowCount() > RowsBeforeScrolling || !filter_->text().isEmpty();
    filter_->setVisible(filters);
    filterColumn_->setVisible(filters);
    Q_EMIT settled();
}

// What few columns say is compared across: all of them stay in sight, and long texts in hints.
void SctpaTablePane::fitWidths()
{
    QHeaderView *head = view_->horizontalHeader();
    if (height_ == AllThereIs && model_->columnCount() <= ColumnsInSight) {
        head->setSectionResizeMode(QHeaderView::Stretch);
        head->setSectionResizeMode(0, QHeaderView::ResizeToContents);
        return;
    }
    const int letter = view_->fontMetrics().averageCharWidth();
    view_->resizeColumnsToContents();
    for (int column = 0; column < model_->columnCount(); column++)
        view_->setColumnWidth(
            column, std::min(std::max(view_->columnWidth(column), widthOfSample(column)), WidestInLetters * letter));
}

// What rows beyond those in sight need: some from all over the table, and the last, whose number is the longest.
int SctpaTablePane::widthOfSample(int column) const
{
    const int rows = model_->rowCount(), pad = 2 * (view_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin) + 1);
    int width = 0;
    for (int i = 0; rows > RowsLooked && i < RowsSampled; i++) {
        const int row = int(qint64(rows - 1) * i / (RowsSampled - 1));
        const QString text = Room + model_->index(row, column).data().toString() + Room;
        width = std::max(width, view_->fontMetrics().horizontalAdvance(text) + pad);
    }
    return width;
}

void SctpaTablePane::fitHeight()
{
    const int rows = std::clamp(model_->rowCount(), 1, RowsBeforeScrolling);
    const int height = rows * view_->verticalHeader()->defaultSectionSize() +
                       view_->horizontalHeader()->sizeHint().height() + 2 * view_->frameWidth() +
                       view_->style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const bool scrolls = model_->rowCount() > RowsBeforeScrolling;
    setSizePolicy(QSizePolicy::Preferred, scrolls ? QSizePolicy::Expanding : QSizePolicy::Maximum);
    view_->setMinimumHeight(height);
    view_->setMaximumHeight(scrolls ? QWIDGETSIZE_MAX : height);
    // Not seen yet, it does not tell the layout around it by itself.
    layout()->invalidate();
    updateGeometry();
}

// Of the proxy, in the order shown.
QVector<int> SctpaTablePane::selectedShown() const
{
    QVector<int> rows;
    const QModelIndexList selected = view_->selectionModel()->selectedRows();
    for (const QModelIndex &index : selected)
        rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

QVector<int> SctpaTablePane::selectedRows() const
{
    QVector<int> rows = selectedShown();
    for (int &row : rows)
        row = proxy_->mapToSource(proxy_->index(row, 0)).row();
    return rows;
}

// Of the proxy.
QVector<int> SctpaTablePane::chosenRows() const
{
    const QVector<int> rows = selectedShown();
    return rows.isEmpty() || !hasUserSelected_ ? SctpaText::firstNumbers(proxy_->rowCount()) : rows;
}

QString SctpaTablePane::text(bool csv) const
{
    return csv ? SctpaText::csvText(*proxy_, chosenRows(), delegate_->shownColumns())
               : SctpaText::plainText(*proxy_, chosenRows(), delegate_->shownColumns());
}

QString SctpaTablePane::exportCsv(const QString &file) const
{
    QSaveFile out(file);
    const QByteArray bytes = text(true).toUtf8();
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
        return tr("%1 could not be written: %2").arg(file, out.errorString());
    return QString();
}

void SctpaTablePane::chooseFileAndExport()
{
    const QString name = QStringLiteral("sctp_%1.csv").arg(QString::fromUtf8(model_->windowTable()->name));
    // Wireshark may end while the dialog is open.
    const QPointer<SctpaTablePane> self(this);
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Export as CSV"), name, tr("Comma-separated values (*.csv)"));
    if (!self || file.isEmpty())
        return;
    const QString failure = exportCsv(file);
    if (!failure.isEmpty())
        QMessageBox::warning(this, tr("Export as CSV"), failure);
}

void SctpaTablePane::setWhole(bool isWhole)
{
    title_->setText(isWhole ? tr("%1 · whole association").arg(model_->title()) : model_->title());
}

QAction *SctpaTablePane::addRowEntry(const QString &text, const std::function<void(const QVector<int> &rows)> &act)
{
    auto *action = new QAction(text, this);
    connect(action, &QAction::triggered, this, [this, act] {
        const QVector<int> rows = selectedRows();
        if (!rows.isEmpty())
            act(rows);
    });
    const auto update = [this, action] { action->setEnabled(view_->selectionModel()->hasSelection()); };
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, action, update);
    connect(this, &SctpaTablePane::settled, action, update);
    menu_->insertAction(firstFixed_, action);
    view_->addAction(action);
    update();
    return action;
}

void SctpaTablePane::addHeadWidget(QWidget *widget)
{
    constexpr int BehindTitle = 1;
    head_->insertWidget(BehindTitle, widget);
}

void SctpaTablePane::sortAtFirst(int column, Qt::SortOrder order)
{
    if (isArranged_)
        return;
    view_->sortByColumn(column, order);
    isArranged_ = false;
}

void SctpaTablePane::selectFirst()
{
    if (hasUserSelected_ || proxy_->rowCount() == 0 || view_->selectionModel()->hasSelection())
        return;
    isSelecting_ = true;
    view_->selectRow(0);
    isSelecting_ = false;
}

bool SctpaTablePane::selectFrame(quint32 frame)
{
    QItemSelection selection;
    for (int row = 0; row < proxy_->rowCount(); row++)
        for (int column = 0; column < proxy_->columnCount(); column++)
            if (proxy_->index(row, column).data(SctpaTableModel::FrameRole).toUInt() == frame) {
                selection.select(proxy_->index(row, 0), proxy_->index(row, proxy_->columnCount() - 1));
                break;
            }
    if (selection.isEmpty())
        return false;
    isSelecting_ = true;
    const QModelIndex first = selection.first().topLeft();
    view_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    view_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    view_->scrollTo(first);
    isSelecting_ = false;
    return true;
}

// The head of a group opens or closes; two clicks on its arrow did so already.
void SctpaTablePane::activate(const QModelIndex &index, bool mayToggle)
{
    const int row = proxy_->mapToSource(index).row();
    if (model_->groupOf(row).isEmpty())
        Q_EMIT activated(row);
    else if (mayToggle)
        groups_->toggle(row);
}

void SctpaTablePane::clicked(const QModelIndex &index)
{
    const QVariant frame = index.data(SctpaTableModel::FrameRole);
    if (frame.isValid() && QApplication::keyboardModifiers() == Qt::NoModifier)
        Q_EMIT frameWanted(frame.toUInt());
}

// Frame numbers are links, and look like them; so do arrows.
void SctpaTablePane::entered(const QModelIndex &index)
{
    const bool isLink = index.data(SctpaTableModel::FrameRole).isValid() || groups_->isArrow(index);
    view_->viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool SctpaTablePane::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == view_->horizontalHeader()->viewport() &&
        (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease))
        isHeadPressed_ = event->type() == QEvent::MouseButtonPress;
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const QModelIndex current = view_->currentIndex();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && current.isValid()) {
            activate(current, true);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}
