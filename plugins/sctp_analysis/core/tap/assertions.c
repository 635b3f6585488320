/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes what the user asserts. */
#include "assertions.h"

#include <arpa/inet.h>

/* How a value is written. */
typedef enum { AS_TIME, AS_COUNT, AS_SHARE } form_t;

/* What may be asserted of an endpoint: name, parameter, how it is written, least and most (ms of a time). */
static const struct {
    const char *name;
    sctpa_parameter_t parameter;
    form_t form;
    int64_t least, most;
} assertable[] = {
    { "RTO.Initial", SCTPA_PARAMETER_RTO_INITIAL, AS_TIME, 1, 3600000 },
    { "RTO.Min", SCTPA_PARAMETER_RTO_MIN, AS_TIME, 0, 3600000 },
    { "RTO.Max", SCTPA_PARAMETER_RTO_MAX, AS_TIME, 1, 3600000 },
    { "Max.Burst", SCTPA_PARAMETER_MAX_BURST, AS_COUNT, 1, 65535 },
    { "RTO.Alpha", SCTPA_PARAMETER_RTO_ALPHA_SHARE, AS_SHARE, 1, 65535 },
    { "RTO.Beta", SCTPA_PARAMETER_RTO_BETA_SHARE, AS_SHARE, 1, 65535 },
    { "Valid.Cookie.Life", SCTPA_PARAMETER_VALID_COOKIE_LIFE, AS_TIME, 1, 86400000 },
    { "Association.Max.Retrans", SCTPA_PARAMETER_ASSOCIATION_MAX_RETRANS, AS_COUNT, 0, 65535 },
    { "Path.Max.Retrans", SCTPA_PARAMETER_PATH_MAX_RETRANS, AS_COUNT, 0, 65535 },
    { "Max.Init.Retransmits", SCTPA_PARAMETER_MAX_INIT_RETRANSMITS, AS_COUNT, 0, 65535 },
    { "HB.interval", SCTPA_PARAMETER_HB_INTERVAL, AS_TIME, 1, 86400000 },
    { "PotentiallyFailed.Max.Retrans", SCTPA_PARAMETER_PF_MAX_RETRANS, AS_COUNT, 0, 65535 },
    { "SACK.Delay", SCTPA_PARAMETER_SACK_DELAY, AS_TIME, 0, 500 },
    { "SACK.Freq", SCTPA_PARAMETER_SACK_EVERY, AS_COUNT, 1, 65535 },
    { "PMTU", SCTPA_PARAMETER_PMTU, AS_COUNT, 68, 65535 },
};

/* A text that is read, up to at; the first that is wrong in it ends the reading. */
typedef struct {
    const char *name, *text, *at;
    char *error;
} reader_t;

static bool fail(reader_t *reader, const char *at, char *what)
{
    if (!reader->error)
        reader->error = g_strdup_printf("%s, character %u: %s", reader->name, (unsigned)(at - reader->text) + 1, what);
    g_free(what);
    return false;
}

/* The next word, up to a blank, comma or semicolon; g_free. */
static char *next_word(reader_t *reader)
{
    const char *from = reader->at;
    reader->at += strcspn(reader->at, " \t,;");
    return g_strndup(from, (gsize)MIN(reader->at - from, 100));
}

static void skip(reader_t *reader, const char *separators)
{
    reader->at += strspn(reader->at, separators);
}

/* A number of digits alone, up to most; -1 none. */
static int64_t read_number(const char *text, int64_t most)
{
    gchar *end;
    if (!g_ascii_isdigit(*text))
        return -1;
    guint64 number = g_ascii_strtoull(text, &end, 10);
    return *end == '\0' && number <= (guint64)most ? (int64_t)number : -1;
}

static bool read_address(const char *text, sctpa_addr_t *addr)
{
    memset(addr, 0, sizeof *addr);
    addr->bytes = inet_pton(AF_INET, text, addr->data) == 1 ? 4 : inet_pton(AF_INET6, text, addr->data) == 1 ? 16 : 0;
    return addr->bytes != 0;
}

static bool read_network(reader_t *reader, sctpa_network_t *network)
{
    const char *at = reader->at;
    char *word = next_word(reader), *slash = strchr(word, '/');
    bool is_read;
    if (slash)
        *slash = '\0';
    is_read = read_address(word, &network->addr);
    int64_t bits = slash ? read_number(slash + 1, 8 * network->addr.bytes) : 8 * network->addr.bytes;
    if (slash)
        *slash = '/';
    if (!is_read || bits < 0)
        is_read = fail(reader, at, g_strdup_printf("'%s' is not an IPv4 or IPv6 address or network", word));
    network->prefix_bits = (uint8_t)bits;
    g_free(word);
    return is_read;
}

static void read_taken_at(reader_t *reader, sctpa_assertions_t *assertions)
{
    for (skip(reader, " \t,"); *reader->at && !reader->error; skip(reader, " \t,")) {
        if (assertions->n_taken_at == SCTPA_ASSERTED_NETWORKS_MAX)
            fail(reader, reader->at, g_strdup_printf("more than %d addresses", SCTPA_ASSERTED_NETWORKS_MAX));
        else if (*reader->at == ';')
            fail(reader, reader->at, g_strdup("';' does not separate addresses, a comma does"));
        else
            assertions->n_taken_at += read_network(reader, &assertions->taken_at[assertions->n_taken_at]);
    }
}

/* "8" of "1/8" or of "0.125"; -1 neither. */
static int64_t read_share(const char *text, int64_t most)
{
    gchar *end;
    if (g_str_has_prefix(text, "1/"))
        return read_number(text + 2, most);
    double share = g_ascii_strtod(text, &end);
    return *text && *end == '\0' && share > 1.0 / (double)(most + 1) && share <= 1 ? (int64_t)(1 / share + 0.5) : -1;
}

/* Milliseconds of "1500", "1500ms" or "2s" that are at most most; -1 none. */
static int64_t read_time(char *text, int64_t most)
{
    size_t length = strlen(text);
    int64_t unit = 1;
    if (g_str_has_suffix(text, "ms")) {
        length -= 2;
    } else if (g_str_has_suffix(text, "s")) {
        length -= 1;
        unit = 1000;
    }
    char *digits = g_strndup(text, length);
    int64_t number = read_number(digits, most / unit);
    g_free(digits);
    return number < 0 ? -1 : number * unit;
}

/* What is wrong with a value; g_free. */
static char *range_text(unsigned i)
{
    long long least = (long long)assertable[i].least, most = (long long)assertable[i].most;
    if (assertable[i].form == AS_SHARE)
        return g_strdup_printf("%s needs a share such as 1/8 or 0.125", assertable[i].name);
    return g_strdup_printf("%s needs a number from %lld to %lld%s", assertable[i].name, least, most,
                           assertable[i].form == AS_TIME ? " (ms)" : "");
}

/* NAME=VALUE */
static bool read_value(reader_t *reader, sctpa_asserted_values_t *values)
{
    const char *at = reader->at;
    char *word = next_word(reader), *equals = strchr(word, '=');
    unsigned i = 0;
    if (equals)
        *equals = '\0';
    while (i < G_N_ELEMENTS(assertable) && g_ascii_strcasecmp(word, assertable[i].name) != 0)
        i++;
    bool is_read = equals && i < G_N_ELEMENTS(assertable);
    if (!equals)
        fail(reader, at, g_strdup_printf("'%s' is not NAME=VALUE", word));
    else if (!is_read)
        fail(reader, at, g_strdup_printf("'%s' is not a parameter", word));
    if (is_read) {
        int64_t most = assertable[i].most;
        int64_t value = assertable[i].form == AS_TIME    ? read_time(equals + 1, most)
                        : assertable[i].form == AS_SHARE ? read_share(equals + 1, most)
                                                         : read_number(equals + 1, most);
        is_read = value >= assertable[i].least;
        if (!is_read)
            fail(reader, at + (equals + 1 - word), range_text(i));
        values->given |= 1u << assertable[i].parameter;
        values->values[assertable[i].parameter] = assertable[i].form == AS_TIME ? value * SCTPA_NS_PER_MS : value;
    }
    g_free(word);
    return is_read;
}

static bool is_same(const sctpa_network_t *a, const sctpa_network_t *b)
{
    return sctpa_addr_equal(&a->addr, &b->addr) && a->prefix_bits == b->prefix_bits;
}

/* Where the values of the next endpoint go, that of a network named before or a new one; NULL: it is wrong. */
static sctpa_asserted_values_t *read_endpoint(reader_t *reader, sctpa_assertions_t *assertions)
{
    sctpa_network_t read;
    unsigned i = 0;
    if (*reader->at == '*') {
        reader->at++;
        return &assertions->values[0];
    }
    if (!read_network(reader, &read))
        return NULL;
    while (i < assertions->n_endpoints && !is_same(&read, &assertions->endpoints[i]))
        i++;
    if (i == SCTPA_ASSERTED_NETWORKS_MAX) {
        fail(reader, reader->at, g_strdup_printf("more than %d addresses", SCTPA_ASSERTED_NETWORKS_MAX));
        return NULL;
    }
    if (i == assertions->n_endpoints)
        assertions->endpoints[assertions->n_endpoints++] = read;
    return &assertions->values[1 + i];
}

static void read_clause(reader_t *reader, sctpa_assertions_t *assertions)
{
    const char *at = reader->at;
    unsigned n = 0;
    sctpa_asserted_values_t *values = read_endpoint(reader, assertions);
    for (skip(reader, " \t,"); !reader->error && *reader->at && *reader->at != ';'; skip(reader, " \t,"))
        n += read_value(reader, values);
    if (n == 0)
        fail(reader, at, g_strdup("no NAME=VALUE follows the address"));
    if (!reader->error && values->given >> SCTPA_PARAMETER_RTO_MIN & values->given >> SCTPA_PARAMETER_RTO_MAX & 1 &&
        values->values[SCTPA_PARAMETER_RTO_MIN] > values->values[SCTPA_PARAMETER_RTO_MAX])
        fail(reader, at, g_strdup("RTO.Min is greater than RTO.Max"));
}

static void read_parameters(reader_t *reader, sctpa_assertions_t *assertions)
{
    for (skip(reader, " \t;"); *reader->at && !reader->error; skip(reader, " \t;"))
        read_clause(reader, assertions);
}

static bool holds(const sctpa_network_t *network, const sctpa_addr_t *addr)
{
    unsigned bytes = network->prefix_bits / 8, rest = network->prefix_bits % 8;
    if (network->addr.bytes != addr->bytes || memcmp(network->addr.data, addr->data, bytes) != 0)
        return false;
    return rest == 0 || (network->addr.data[bytes] ^ addr->data[bytes]) >> (8 - rest) == 0;
}

/* An endpoint has what is asserted of wider networks, too, unless it says otherwise. */
static void complete_values(sctpa_assertions_t *assertions)
{
    sctpa_asserted_values_t own[1 + SCTPA_ASSERTED_NETWORKS_MAX];
    memcpy(own, assertions->values, sizeof own);
    for (unsigned i = 0; i < assertions->n_endpoints; i++)
        for (unsigned parameter = 0; parameter < SCTPA_PARAMETERS; parameter++) {
            const sctpa_network_t *network = &assertions->endpoints[i];
            sctpa_asserted_values_t *values = &assertions->values[1 + i];
            int widest = own[1 + i].given >> parameter & 1 ? INT_MAX : -2;
            for (unsigned k = 0; k <= assertions->n_endpoints; k++) {
                int bits = k == 0 ? -1 : assertions->endpoints[k - 1].prefix_bits;
                bool is_wider =
                    k == 0 || (bits < network->prefix_bits && holds(&assertions->endpoints[k - 1], &network->addr));
                if (!is_wider || !(own[k].given >> parameter & 1) || bits <= widest)
                    continue;
                widest = bits;
                values->given |= 1u << parameter;
                values->values[parameter] = own[k].values[parameter];
            }
        }
}

sctpa_assertions_t *sctpa_assertions_new(bool complete, int64_t quiet_ns, const char *taken_at, const char *parameters,
                                         char **error)
{
    sctpa_assertions_t *assertions = g_new0(sctpa_assertions_t, 1);
    reader_t places = { "taken_at", taken_at ? taken_at : "", taken_at ? taken_at : "", NULL };
    reader_t values = { "endpoint_parameters", parameters ? parameters : "", parameters ? parameters : "", NULL };
    assertions->complete = complete;
    assertions->quiet_ns = quiet_ns;
    read_taken_at(&places, assertions);
    read_parameters(&values, assertions);
    *error = places.error ? places.error : values.error;
    if (places.error)
        g_free(values.error);
    if (*error) {
        g_free(assertions);
        return NULL;
    }
    complete_values(assertions);
    return assertions;
}

bool sctpa_assertions_taken_at(const sctpa_assertions_t *assertions, const sctpa_addr_t *addr)
{
    for (unsigned i = 0; i < assertions->n_taken_at; i++)
        if (holds(&assertions->taken_at[i], addr))
            return true;
    return false;
}

unsigned sctpa_assertions_endpoint(const sctpa_assertions_t *assertions, const sctpa_addr_t *addr)
{
    unsigned narrowest = 0;
    for (unsigned i = 1; i <= assertions->n_endpoints; i++)
        if (holds(&assertions->endpoints[i - 1], addr) &&
            (narrowest == 0 ||
             assertions->endpoints[i - 1].prefix_bits >= assertions->endpoints[narrowest - 1].prefix_bits))
            narrowest = i;
    return narrowest;
}

const char *sctpa_asserted_word(unsigned bit)
{
    static const char *const words[SCTPA_ASSERTED_PARAMETER_BIT] = { "complete", "taken-at", "quiet-until" };
    if (bit < SCTPA_ASSERTED_PARAMETER_BIT)
        return words[bit];
    for (unsigned i = 0; i < G_N_ELEMENTS(assertable); i++)
        if (assertable[i].parameter == bit - SCTPA_ASSERTED_PARAMETER_BIT)
            return assertable[i].name;
    return sctpa_parameter_row((sctpa_parameter_t)(bit - SCTPA_ASSERTED_PARAMETER_BIT))->rfc_name;
}

char *sctpa_network_text(const sctpa_network_t *network)
{
    char *addr = sctpa_addr_text(&network->addr);
    if (network->prefix_bits == 8 * network->addr.bytes)
        return addr;
    char *text = g_strdup_printf("%s/%u", addr, network->prefix_bits);
    g_free(addr);
    return text;
}

char *sctpa_asserted_values_text(const sctpa_assertions_t *assertions, unsigned i)
{
    const sctpa_asserted_values_t *values = &assertions->values[i];
    char *network = i == 0 ? g_strdup("*") : sctpa_network_text(&assertions->endpoints[i - 1]);
    GString *text = g_string_new(network);
    g_free(network);
    for (unsigned k = 0; k < G_N_ELEMENTS(assertable); k++) {
        int64_t value = values->values[assertable[k].parameter];
        if (!(values->given >> assertable[k].parameter & 1))
            continue;
        g_string_append_printf(text, " %s=%s%lld", assertable[k].name, assertable[k].form == AS_SHARE ? "1/" : "",
                               (long long)(assertable[k].form == AS_TIME ? value / SCTPA_NS_PER_MS : value));
    }
    return g_string_free(text, FALSE);
}
