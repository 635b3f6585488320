/* SPDX-License-Identifier: GPL-2.0-or-later */
// Reads cells of models by the heads of their columns.
#ifndef SCTPA_TEST_UI_SHEET_READING_H
#define SCTPA_TEST_UI_SHEET_READING_H

#include <QtTest>

#include "models/association.h"

inline QString cell(const QAbstractItemModel &model, int row, const char *head)
{
    for (int column = 0; column < model.columnCount(); column++)
        if (model.headerData(column, Qt::Horizontal, SctpaTableModel::ExactRole).toString() == QString::fromUtf8(head))
            return model.index(row, column).data().toString();
    QTest::qFail(head, __FILE__, __LINE__);
    return QString();
}

inline QVariant exact(const QAbstractItemModel &model, int row, const char *head)
{
    for (int column = 0; column < model.columnCount(); column++)
        if (model.headerData(column, Qt::Horizontal, SctpaTableModel::ExactRole).toString() == QString::fromUtf8(head))
            return model.index(row, column).data(SctpaTableModel::ExactRole);
    QTest::qFail(head, __FILE__, __LINE__);
    return QVariant();
}

inline double number(const QAbstractItemModel &model, int row, const char *head)
{
    return exact(model, row, head).toDouble();
}

inline SctpaWindowTableModel *windowTable(const SctpaAssociation &association, const char *name)
{
    for (const SctpaAssociation::Page &page : association.pages())
        for (SctpaWindowTableModel *windowTable : page.windowTables)
            if (qstrcmp(windowTable->windowTable()->name, name) == 0)
                return windowTable;
    QTest::qFail(name, __FILE__, __LINE__);
    return nullptr;
}

inline void refreshAll(SctpaAssociation &association)
{
    for (int page = 0; page < association.pages().size(); page++)
        association.refresh(page);
}

#endif
