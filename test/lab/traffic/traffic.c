/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripted SCTP traffic for the lab: opens one socket, as server or client, and runs the commands it is given. Built
 * once for each stack.
 *
 *   traffic -S|-C [OPTIONS] -- COMMAND...          (each COMMAND is one argument)
 *
 *   -S listen for one association   -C connect     -B A[,A] local addresses   -P PORT local port
 *   -H A[,A] peer addresses         -p PORT peer port
 *   --tag NAME (in the log)         --gt FILE --poll MS (ground truth)        --many (one-to-many socket)
 *   --rto INIT,MIN,MAX  --pathmax N  --assocmax N  --initmax N  --cookielife MS  --hb MS (0: none)
 *   --streams OUT[,IN]  --nodelay  --sack DELAY,FREQUENCY  --rcvbuf N  --sndbuf N  --linger0 (close aborts)
 *   --auth CHUNK[,CHUNK]  --key KEY  --reconf  --idata  --asconf 1  --ecn  --sched N  --pfthresh PF,0,PATHMAX
 *   usrsctp only: --nrsack  --pktdrop  --cmt N  --cc N  --udp LOCAL,REMOTE
 *
 * script.c lists the commands. The log goes to stderr: a CLOCK_REALTIME stamp (that of the captures), the tag, what
 * happened. */
#include "stack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_OPTIONS 64

process_t process = { .tag = "" };

typedef struct {
    const option_t *option;
    const char *value;
} chosen_t;

typedef struct {
    const char *local_addresses, *peer_addresses;
    chosen_t chosen[MAX_OPTIONS];
    int chosen_count;
} command_line_t;

double time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

void write_log(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%.6f %s %s\n", time_now(), process.tag, text);
}

void fail(const char *what)
{
    write_log("FATAL %s: %s", what, strerror(errno));
    stack_exit(1);
}

void address_parse(const char *text, int port, struct sockaddr_storage *address)
{
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
    } else if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
    } else {
        errno = EINVAL;
        fail(text);
    }
}

socklen_t address_length(const struct sockaddr *address)
{
    return address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

void address_list_parse(const char *text, int port, address_list_t *list)
{
    char copy[256], *rest = copy, *word;
    size_t used = 0;
    snprintf(copy, sizeof copy, "%s", text);
    memset(list, 0, sizeof *list);
    while ((word = strsep(&rest, ",")) && list->count < MAX_ADDRESSES) {
        struct sockaddr_storage address;
        address_parse(word, port, &address);
        socklen_t length = address_length((struct sockaddr *)&address);
        memcpy(list->bytes + used, &address, length);
        used += length;
        list->count++;
        list->has_ipv6 |= address.ss_family == AF_INET6;
    }
}

const char *address_text(const struct sockaddr *address, char *buffer, size_t size)
{
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (address->sa_family == AF_INET)
        return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, buffer, size);
    if (IN6_IS_ADDR_V4MAPPED(v6))
        return inet_ntop(AF_INET, &v6->s6_addr[12], buffer, size);
    return inet_ntop(AF_INET6, v6, buffer, size);
}

static const option_t *find_option(const option_t *options, const char *name)
{
    for (; options->name; options++)
        if (!strcmp(options->name, name))
            return options;
    return NULL;
}

/* Returns how many arguments the setting of the process took, 0 if it is none. */
static int parse_process_setting(char **argument, command_line_t *line)
{
    const char *name = argument[0], *value = argument[1];
    if (!strcmp(name, "-S"))
        return process.listens = true, 1;
    if (!strcmp(name, "-C"))
        return process.listens = false, 1;
    if (!strcmp(name, "--many"))
        return process.one_to_many = true, 1;
    if (!strcmp(name, "-B"))
        line->local_addresses = value;
    else if (!strcmp(name, "-H"))
        line->peer_addresses = value;
    else if (!strcmp(name, "-P"))
        process.local_port = atoi(value);
    else if (!strcmp(name, "-p"))
        process.peer_port = atoi(value);
    else if (!strcmp(name, "--tag"))
        process.tag = value;
    else if (!strcmp(name, "--gt"))
        process.truth_file = value;
    else if (!strcmp(name, "--poll"))
        process.truth_period_ms = atoi(value);
    else
        return 0;
    return 2;
}

static int parse_option(char **argument, command_line_t *line)
{
    const char *name = argument[0][0] == '-' && argument[0][1] == '-' ? argument[0] + 2 : "";
    const option_t *option = find_option(socket_options, name);
    if (!option)
        option = find_option(stack_options, name);
    if (!option || line->chosen_count == MAX_OPTIONS) {
        fprintf(stderr, "unknown option %s\n", argument[0]);
        exit(2);
    }
    line->chosen[line->chosen_count++] = (chosen_t){ option, option->has_value ? argument[1] : "" };
    return option->has_value ? 2 : 1;
}

/* Returns the first command of the script. */
static char **parse_command_line(char **argument, command_line_t *line)
{
    while (*argument && strcmp(*argument, "--")) {
        int taken = parse_process_setting(argument, line);
        argument += taken ? taken : parse_option(argument, line);
    }
    if (!line->local_addresses || (!process.listens && !line->peer_addresses) || !*argument) {
        fprintf(stderr, "usage: traffic -S|-C -B ADDRESSES [-H ADDRESSES] [OPTIONS] -- COMMAND...\n");
        exit(2);
    }
    return argument + 1;
}

static void apply_options(const command_line_t *line, phase_t phase)
{
    for (int k = 0; k < line->chosen_count; k++) {
        const chosen_t *chosen = &line->chosen[k];
        int x = 0, y = 0, z = 0;
        sscanf(chosen->value, "%d,%d,%d", &x, &y, &z);
        if (chosen->option->phase == phase)
            chosen->option->set(chosen->option->name, chosen->value, x, y, z);
    }
}

static void open_socket(const command_line_t *line)
{
    address_list_t local;
    address_list_parse(line->local_addresses, process.local_port, &local);
    apply_options(line, BEFORE_START);
    stack_start();
    apply_options(line, BEFORE_SOCKET);
    if (stack_open(local.has_ipv6 ? AF_INET6 : AF_INET, process.one_to_many) < 0)
        fail("socket");
    apply_options(line, ON_SOCKET);
    subscribe_events();
    if (stack_add_addresses(&local) < 0)
        fail("bindx");
}

static void serve(void)
{
    if (stack_listen() < 0)
        fail("listen");
    write_log("listening");
    if (process.one_to_many) {
        read_once(1 << 16);
        return;
    }
    if (stack_accept() < 0)
        fail("accept");
    write_log("accepted");
}

static void connect_to_peer(const command_line_t *line)
{
    address_list_t peer;
    address_list_parse(line->peer_addresses, process.peer_port, &peer);
    if (process.one_to_many)
        stack_listen();
    write_log("connecting");
    int result = stack_connect(&peer, &process.association);
    write_log("connect = %d %s", result, result ? strerror(errno) : "");
    if (result)
        stack_exit(1);
}

int main(int argc, char **argv)
{
    command_line_t line = { 0 };
    (void)argc;
    signal(SIGPIPE, SIG_IGN);
    char **command = parse_command_line(argv + 1, &line);
    open_socket(&line);
    if (process.listens)
        serve();
    else
        connect_to_peer(&line);
    if (process.truth_file && process.truth_period_ms)
        stack_truth_start();
    for (; *command; command++)
        run_command(*command);
    stack_truth_stop();
    write_log("rx %llu msgs %llu bytes; tx %llu msgs %llu bytes", process.messages_received, process.bytes_received,
              process.messages_sent, process.bytes_sent);
    stack_exit(0);
}
