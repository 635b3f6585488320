/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz body without libFuzzer: over files and directories, and over seeded mutations of them.
 * Usage: fuzz_<name> [--random N SEED] [file or directory]... */
#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT_BYTES = 1 << 16, MAX_CHANGES = 8 };

static void add_file(GPtrArray *inputs, const char *path)
{
    gchar *bytes;
    gsize length;
    GError *error = NULL;
    if (!g_file_get_contents(path, &bytes, &length, &error)) {
        g_printerr("%s\n", error->message);
        exit(2);
    }
    g_ptr_array_add(inputs, g_bytes_new_take(bytes, length));
}

static void add_path(GPtrArray *inputs, const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    if (!dir) {
        add_file(inputs, path);
        return;
    }
    for (const char *name; (name = g_dir_read_name(dir));) {
        gchar *below = g_build_filename(path, name, NULL);
        add_path(inputs, below);
        g_free(below);
    }
    g_dir_close(dir);
}

static void change_once(GRand *random, uint8_t *bytes, size_t length)
{
    static const uint8_t interesting[] = {
        0, 1, 3, 4, 5, 8, 0x0F, 0x10, 0x40, 0x7F, 0x80, 0x81, 0xC0, 0xC1, 0xC2, 0xFF
    };
    size_t at = (size_t)g_rand_int_range(random, 0, (gint32)length),
           from = (size_t)g_rand_int_range(random, 0, (gint32)length);
    size_t moved = (size_t)g_rand_int_range(random, 1, 33);
    switch (g_rand_int_range(random, 0, 4)) {
    case 0: bytes[at] = (uint8_t)g_rand_int(random); break;
    case 1: bytes[at] ^= (uint8_t)(1 << g_rand_int_range(random, 0, 8)); break;
    case 2: bytes[at] = interesting[g_rand_int_range(random, 0, (gint32)sizeof interesting)]; break;
    case 3: memmove(bytes + at, bytes + from, MIN(length - MAX(at, from), moved)); break;
    }
}

/* A changed copy of an input, perhaps shorter or with bytes of itself appended. */
static GBytes *mutated(GRand *random, GBytes *input)
{
    gsize length;
    const uint8_t *bytes = g_bytes_get_data(input, &length);
    GByteArray *copy = g_byte_array_new();
    g_byte_array_append(copy, bytes, (guint)length);
    if (g_rand_int_range(random, 0, 8) == 0)
        g_byte_array_set_size(copy, (guint)g_rand_int_range(random, 0, (gint32)length + 1));
    if (g_rand_int_range(random, 0, 8) == 0 && length && copy->len + length < MAX_INPUT_BYTES)
        g_byte_array_append(copy, bytes, (guint)g_rand_int_range(random, 0, (gint32)length));
    for (int i = g_rand_int_range(random, 0, MAX_CHANGES); i > 0 && copy->len; i--)
        change_once(random, copy->data, copy->len);
    return g_byte_array_free_to_bytes(copy);
}

static GBytes *random_input(GRand *random)
{
    uint8_t bytes[512];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)g_rand_int(random);
    return g_bytes_new(bytes, (gsize)g_rand_int_range(random, 0, (gint32)sizeof bytes));
}

static void run(GBytes *input)
{
    gsize length;
    const uint8_t *bytes = g_bytes_get_data(input, &length);
    LLVMFuzzerTestOneInput(bytes ? bytes : (const uint8_t *)"", length);
}

static void run_random(const GPtrArray *inputs, gint64 n, guint32 seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    for (gint64 i = 0; i < n; i++) {
        GBytes *input = inputs->len ? mutated(random, inputs->pdata[g_rand_int_range(random, 0, (gint32)inputs->len)])
                                    : random_input(random);
        run(input);
        g_bytes_unref(input);
    }
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    GPtrArray *inputs = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    gint64 n_random = 0;
    guint32 seed = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--random") == 0 && i + 2 < argc) {
            n_random = g_ascii_strtoll(argv[++i], NULL, 10);
            seed = (guint32)g_ascii_strtoull(argv[++i], NULL, 10);
        } else {
            add_path(inputs, argv[i]);
        }
    }
    for (guint i = 0; i < inputs->len; i++)
        run(inputs->pdata[i]);
    run_random(inputs, n_random, seed);
    g_print("%u inputs, %" G_GINT64_FORMAT " random ones from seed %u: passed\n", inputs->len, n_random, seed);
    g_ptr_array_unref(inputs);
    return 0;
}
