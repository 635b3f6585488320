/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Showing addresses and endpoints. */
#include "address_labels.h"

#include <string.h>
#include <wsutil/inet_addr.h>

#include "text.h"

enum { NAME_COLUMNS = 70, LETTERS = 26 };

struct sctpa_labels {
    const sctpa_view_t *view;
    bool spells_out;     /* no letters */
    GHashTable *letters; /* name -> number + 1 */
    GPtrArray *names;    /* by number, owned */
};

sctpa_labels_t *sctpa_labels_new(const sctpa_view_t *view)
{
    sctpa_labels_t *labels = g_new0(sctpa_labels_t, 1);
    labels->view = view;
    labels->letters = g_hash_table_new(g_str_hash, g_str_equal);
    labels->names = g_ptr_array_new_with_free_func(g_free);
    return labels;
}

sctpa_labels_t *sctpa_labels_new_spelled_out(const sctpa_view_t *view)
{
    sctpa_labels_t *labels = sctpa_labels_new(view);
    labels->spells_out = true;
    return labels;
}

void sctpa_labels_free(sctpa_labels_t *labels)
{
    g_hash_table_destroy(labels->letters);
    g_ptr_array_free(labels->names, TRUE);
    g_free(labels);
}

void sctpa_addr_append(GString *out, const sctpa_addr_t *addr)
{
    char text[64] = "";
    if (addr->bytes == 4)
        g_snprintf(text, sizeof text, "%u.%u.%u.%u", addr->data[0], addr->data[1], addr->data[2], addr->data[3]);
    else if (addr->bytes == 16)
        ws_inet_ntop6(addr->data, text, sizeof text);
    if (sctpa_addr_is_socket(addr)) {
        char *socket = sctpa_addr_text(addr);
        g_string_append(out, socket);
        g_free(socket);
    }
    g_string_append(out, text);
}

/* A, B, ... Z, AA, AB, ... */
static void append_letter(GString *out, unsigned number)
{
    char letters[8];
    unsigned n = 0;
    for (number++; number > 0; number = (number - 1) / LETTERS)
        letters[n++] = (char)('A' + (number - 1) % LETTERS);
    while (n > 0)
        g_string_append_c(out, letters[--n]);
}

static void append_letter_of(sctpa_labels_t *labels, const char *name, GString *out)
{
    unsigned number = GPOINTER_TO_UINT(g_hash_table_lookup(labels->letters, name));
    if (number == 0) {
        char *copy = g_strdup(name);
        g_ptr_array_add(labels->names, copy);
        number = labels->names->len;
        g_hash_table_insert(labels->letters, copy, GUINT_TO_POINTER(number));
    }
    append_letter(out, number - 1);
}

/* Appends the display name, made safe; brackets around an IPv6 number that a port follows. */
static void append_name(const sctpa_view_t *view, const sctpa_addr_t *addr, bool with_port, GString *out)
{
    const char *name = view->addr_name ? view->addr_name(view->user, addr) : NULL;
    GString *number = g_string_new(NULL);

    sctpa_addr_append(number, addr);
    if (!name)
        name = number->str;
    bool brackets = with_port && strchr(name, ':');
    g_string_append(out, brackets ? "[" : "");
    sctpa_text_escape(out, name, NAME_COLUMNS);
    g_string_append(out, brackets ? "]" : "");
    g_string_free(number, TRUE);
}

static void append_addr(sctpa_labels_t *labels, const sctpa_addr_t *addr, bool with_port, GString *out)
{
    GString *name = g_string_new(NULL);

    if (!addr || addr->bytes == 0)
        g_string_append_c(name, '?');
    else
        append_name(labels->view, addr, with_port, name);
    if (labels->spells_out || sctpa_text_columns(name->str) <= SCTPA_ADDR_COLUMNS) {
        g_string_append(out, name->str);
    } else {
        g_string_truncate(name, 0);
        append_name(labels->view, addr, false, name);
        append_letter_of(labels, name->str, out);
    }
    g_string_free(name, TRUE);
}

void sctpa_labels_addr(sctpa_labels_t *labels, const sctpa_addr_t *addr, GString *out)
{
    append_addr(labels, addr, false, out);
}

void sctpa_labels_end(sctpa_labels_t *labels, const sctpa_end_t *end, GString *out)
{
    const sctpa_view_t *view = labels->view;
    const char *port = view->port_name ? view->port_name(view->user, end->port) : NULL;
    GString *text = g_string_new(NULL);
    gsize addr_length;

    append_addr(labels, sctpa_end_first_addr(end), true, text);
    g_string_append_c(text, ':');
    addr_length = text->len;
    sctpa_text_escape(text, port, SCTPA_ENDPOINT_COLUMNS);
    if (text->len == addr_length || sctpa_text_columns(text->str) > SCTPA_ENDPOINT_COLUMNS) {
        g_string_truncate(text, addr_length);
        g_string_append_printf(text, "%u", end->port);
    }
    g_string_append(out, text->str);
    g_string_free(text, TRUE);
}

void sctpa_labels_endpoint(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end, GString *out)
{
    sctpa_labels_end(labels, &assoc->ends[end], out);
    if (labels->spells_out)
        g_string_append_printf(out, " (%u)", end);
}

void sctpa_labels_endpoint_cell(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, unsigned end, sctpa_table_t *table)
{
    GString *text = g_string_new(NULL);
    sctpa_labels_endpoint(labels, assoc, end, text);
    sctpa_table_take(table, text);
}

void sctpa_labels_assoc(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, GString *out)
{
    g_string_append_printf(out, "#%u: 0 = ", assoc->number);
    sctpa_labels_end(labels, &assoc->ends[0], out);
    g_string_append(out, ", 1 = ");
    sctpa_labels_end(labels, &assoc->ends[1], out);
}

void sctpa_labels_add_line(sctpa_labels_t *labels, const sctpa_assoc_t *assoc, sctpa_table_t *table)
{
    GString *text = g_string_new(NULL);
    sctpa_labels_assoc(labels, assoc, text);
    sctpa_table_line(table, text->str);
    g_string_free(text, TRUE);
}

void sctpa_labels_write(const sctpa_labels_t *labels, GString *out)
{
    for (unsigned i = 0; i < labels->names->len; i++) {
        g_string_append(out, i == 0 ? "\n" : "");
        append_letter(out, i);
        g_string_append_printf(out, " = %s\n", (const char *)g_ptr_array_index(labels->names, i));
    }
}
