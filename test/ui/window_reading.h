/* SPDX-License-Identifier: GPL-2.0-or-later */
// Finds the buttons and actions of a window by their texts.
#ifndef SCTPA_TEST_UI_WINDOW_READING_H
#define SCTPA_TEST_UI_WINDOW_READING_H

#include <QAbstractItemModel>
#include <QAction>
#include <QPushButton>
#include <QtTest>

inline int columnNamed(const QAbstractItemModel &model, const char *head)
{
    for (int column = 0; column < model.columnCount(); column++)
        if (model.headerData(column, Qt::Horizontal).toString().trimmed() == QString::fromUtf8(head))
            return column;
    QTest::qFail(head, __FILE__, __LINE__);
    return -1;
}

inline QPushButton *button(const QWidget *window, const char *text)
{
    for (QPushButton *button : window->findChildren<QPushButton *>())
        if (button->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
            return button;
    QTest::qFail(text, __FILE__, __LINE__);
    return nullptr;
}

inline QAction *action(const QWidget *window, const char *text)
{
    for (QAction *action : window->findChildren<QAction *>())
        if (action->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
            return action;
    QTest::qFail(text, __FILE__, __LINE__);
    return nullptr;
}

#endif
