/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the meaning of a column in the list of them. */
#include "column_words.h"

#include <glib.h>

typedef struct {
    const char *table, *head, *meaning;
} word_t;

static const word_t words[] = {
#define SCTPA_COLUMN_WORD(table, head, meaning) { table, head, meaning },
#include "column_words.def"
#undef SCTPA_COLUMN_WORD
};

const char *sctpa_column_word(const char *table, const char *head)
{
    const char *of_any = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (!g_str_equal(words[i].head, head))
            continue;
        if (g_str_equal(words[i].table, table))
            return words[i].meaning;
        if (words[i].table[0] == '\0')
            of_any = words[i].meaning;
    }
    return of_any;
}
