/* SPDX-License-Identifier: GPL-2.0-or-later */
// How much memory the process has allocated.
#ifndef SCTPA_TEST_UI_MEMORY_READING_H
#define SCTPA_TEST_UI_MEMORY_READING_H

#include <cstddef>
#include <malloc.h>

// Of AddressSanitizer, when it is there.
extern "C" __attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes();

inline size_t allocatedBytes()
{
    return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes() : mallinfo2().uordblks;
}

#endif
