/* SPDX-License-Identifier: GPL-2.0-or-later */
// The main function of a test of the dialogs. What Qt's platform keeps until the process ends is none of the leaks that
// are looked for.
#ifndef SCTPA_TEST_UI_OFFSCREEN_MAIN_H
#define SCTPA_TEST_UI_OFFSCREEN_MAIN_H

#include <QApplication>
#include <QtTest>

// Of LeakSanitizer, when it is there.
extern "C" __attribute__((weak)) void __lsan_disable();
extern "C" __attribute__((weak)) void __lsan_enable();

template <typename Test> int offscreenMain(int argc, char *argv[])
{
    if (__lsan_disable)
        __lsan_disable();
    QApplication application(argc, argv);
    if (__lsan_enable)
        __lsan_enable();
    Test test;
    return QTest::qExec(&test, argc, argv);
}

#endif
