/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the words of violations. */
#include "violation.h"

#include <stdarg.h>

#include "wire/address.h"

sctpa_words_t sctpa_words(const char *format, ...)
{
    sctpa_words_t words;
    va_list args;
    va_start(args, format);
    g_vsnprintf(words.text, sizeof words.text, format, args);
    va_end(args);
    return words;
}

sctpa_words_t sctpa_addr_words(const sctpa_addr_t *addr)
{
    char *text = sctpa_addr_text(addr);
    sctpa_words_t words = sctpa_words("%s", text);
    g_free(text);
    return words;
}

bool sctpa_violation_is_new(const sctpa_violation_t *violation)
{
    return violation->is_new(violation);
}
