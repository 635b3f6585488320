/* SPDX-License-Identifier: GPL-2.0-or-later */
// What benchmarks of the windows read: time that the calling thread used, memory that is allocated, maps included.
#ifndef SCTPA_TEST_UI_COST_READING_H
#define SCTPA_TEST_UI_COST_READING_H

#include <ctime>
#include <malloc.h>

inline double mainThreadMs()
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return double(used.tv_sec) * 1e3 + double(used.tv_nsec) / 1e6;
}

inline double allocatedMb()
{
    const struct mallinfo2 info = mallinfo2();
    return double(info.uordblks + info.hblkhd) / 1e6;
}

#endif
