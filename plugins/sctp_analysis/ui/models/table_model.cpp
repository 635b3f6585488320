/* SPDX-License-Identifier: GPL-2.0-or-later */
// Cells of report/ tables for Qt's views.
#include "table_model.h"

#include <QCoreApplication>
#include <QFont>
#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

#include "link_color.h"

namespace {

// Compares texts so that numbers in them count by value: 10.0.0.9 before 10.0.0.10.
int compareNaturally(const QString &a, const QString &b)
{
    const QChar *x = a.constData(), *y = b.constData();
    while (!x->isNull() && !y->isNull()) {
        if (!x->isDigit() || !y->isDigit()) {
            if (*x != *y)
                return x->unicode() < y->unicode() ? -1 : 1;
            x++, y++;
            continue;
        }
        const QChar *from = x, *fromOther = y;
        while (x->isDigit())
            x++;
        while (y->isDigit())
            y++;
        const auto digits = x - from, otherDigits = y - fromOther;
        if (digits != otherDigits)
            return digits < otherDigits ? -1 : 1;
        for (auto i = 0; i < digits; i++)
            if (from[i] != fromOther[i])
                return from[i].unicode() < fromOther[i].unicode() ? -1 : 1;
    }
    return x->isNull() ? (y->isNull() ? 0 : -1) : 1;
}

bool isUnknown(const char *text)
{
    return text[0] == '\0' || (text[0] == '-' && text[1] == '\0');
}

}

SctpaKey SctpaKey::of(const sctpa_cell_t &cell)
{
    if (cell.has_value)
        return { Number, cell.value, QString() };
    if (isUnknown(cell.text))
        return {};
    return { Text, 0, QString::fromUtf8(cell.text) };
}

bool SctpaKey::operator<(const SctpaKey &other) const
{
    if (kind != other.kind)
        return kind < other.kind;
    return kind == Number ? number < other.number : kind == Text && compareNaturally(text, other.text) < 0;
}

SctpaTableModel::SctpaTableModel(const sctpa_window_table_t *windowTable, QObject *parent)
    : QAbstractTableModel(parent), windowTable_(windowTable)
{
}

QString SctpaTableModel::title() const
{
    return QCoreApplication::translate("sctpa_window_table", windowTable_->title);
}

int SctpaTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(windowTable_->n_columns);
}

QVariant SctpaTableModel::exact(const sctpa_cell_t &cell) const
{
    if (cell.is_number)
        return cell.value;
    return isUnknown(cell.text) ? QString() : QString::fromUtf8(cell.text);
}

QVariant SctpaTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return QVariant();
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return QString::fromUtf8(cell(index.row(), column).text);
    case Qt::TextAlignmentRole:
        return int(windowTable_->columns[column].align == SCTPA_RIGHT ? Qt::AlignRight | Qt::AlignVCenter
                                                                      : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return isLink(cell(index.row(), column), column)
                   ? QVariant(QBrush(SctpaLinkColor::on(QGuiApplication::palette())))
                   : QVariant();
    case FrameRole: {
        const sctpa_cell_t frame = cell(index.row(), column);
        return isLink(frame, column) && frame.is_number && frame.value > 0 ? QVariant(quint32(frame.value))
                                                                           : QVariant();
    }
    case ExactRole: return exact(cell(index.row(), column));
    default: return QVariant();
    }
}

QVariant SctpaTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return QVariant();
    if (role == Qt::TextAlignmentRole)
        return int(windowTable_->columns[section].align == SCTPA_RIGHT ? Qt::AlignRight | Qt::AlignVCenter
                                                                       : Qt::AlignLeft | Qt::AlignVCenter);
    const QString head = QString::fromUtf8(windowTable_->columns[section].head);
    if (role == ExactRole)
        return head;
    if (role == Qt::ToolTipRole)
        return hintOf(section);
    if (role != Qt::DisplayRole)
        return QVariant();
    QString shown = QCoreApplication::translate("sctpa_window_table", windowTable_->columns[section].head);
    if (formatsMoments_ && windowTable_->columns[section].holds == SCTPA_HOLDS_MOMENTS &&
        shown.endsWith(QLatin1String(" s")))
        shown.chop(2);
    return shown;
}

// "timeouts: retransmissions that ...", broken into lines by Qt.
bool SctpaTableModel::hasFrames() const
{
    return std::any_of(windowTable_->columns, windowTable_->columns + windowTable_->n_columns,
                       [](const sctpa_column_t &column) { return column.holds == SCTPA_HOLDS_FRAMES; });
}

QVariant SctpaTableModel::hintOf(int section) const
{
    const char *meaning = windowTable_->columns[section].meaning;
    if (!meaning)
        return QVariant();
    return QStringLiteral("<qt><b>%1</b>: %2</qt>")
        .arg(QCoreApplication::translate("sctpa_window_table", windowTable_->columns[section].head).toHtmlEscaped(),
             QCoreApplication::translate("sctpa_window_table", meaning).toHtmlEscaped());
}

quint32 SctpaTableModel::frameOfRow(int row) const
{
    for (int column = 0; column < columnCount(); column++) {
        const QVariant frame = data(index(row, column), FrameRole);
        if (frame.isValid())
            return frame.toUInt();
    }
    return 0;
}

int SctpaTableModel::headOf(int) const
{
    return -1;
}

QVector<int> SctpaTableModel::groupOf(int) const
{
    return {};
}

bool SctpaTableModel::isOpen(int) const
{
    return false;
}

void SctpaTableModel::setOpen(int, bool) {}

SctpaKey SctpaTableModel::key(int row, int column) const
{
    return SctpaKey::of(cell(row, column));
}

QVector<SctpaKey> SctpaTableModel::keys(int column) const
{
    QVector<SctpaKey> keys;
    const int rows = rowCount();
    keys.reserve(rows);
    for (int row = 0; row < rows; row++)
        keys.append(key(row, column));
    return keys;
}

void SctpaTableModel::setFormatsMoments(bool formatsMoments)
{
    if (formatsMoments == formatsMoments_)
        return;
    formatsMoments_ = formatsMoments;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int SctpaWindowTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : rows_;
}

sctpa_cell_t SctpaWindowTableModel::cell(int row, int column) const
{
    return sctpa_table_cell(table_.get(), unsigned(row), unsigned(column));
}

void SctpaWindowTableModel::refresh(sctpa_window_table_source_t *source, const sctpa_assoc_t *assoc)
{
    SctpaTable table(sctpa_window_table_make(windowTable(), source, assoc));
    const int rows = int(sctpa_table_rows(table.get()));
    setFormatsMoments(source->view->moment != nullptr);
    if (rows < rows_) {
        beginRemoveRows(QModelIndex(), rows, rows_ - 1);
        rows_ = rows;
        endRemoveRows();
    }
    table_.swap(table);
    if (rows_ > 0)
        Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, columnCount() - 1));
    if (rows > rows_) {
        beginInsertRows(QModelIndex(), rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    }
}

void SctpaWindowTableModel::clear()
{
    beginResetModel();
    table_.reset();
    rows_ = 0;
    endResetModel();
}
