/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells AddressSanitizer which memory nobody owns, so that whoever still reads it is found. Without it nothing. */
#ifndef SCTPA_BASE_UNOWNED_H
#define SCTPA_BASE_UNOWNED_H

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define SCTPA_DISOWN(at, bytes) __asan_poison_memory_region(at, bytes)
#define SCTPA_OWN(at, bytes) __asan_unpoison_memory_region(at, bytes)
#else
#define SCTPA_DISOWN(at, bytes) ((void)0)
#define SCTPA_OWN(at, bytes) ((void)0)
#endif

#endif
