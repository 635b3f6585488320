/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of a script:
 *
 *   send N SIZE [s=STREAM|rr=STREAMS] [unord] [imm] [ttl=MS|rtx=N|prio=P] [ppid=X] [gap=US] [nb]
 *   recv BYTES | drain [BYTES MS] (until the end; BYTES every MS) | bg_drain [BYTES MS] (the same in the background)
 *   sleep MS | waitclose MS (until the peer has finished or the time is up)
 *   primary ADDRESS | peerprimary ADDRESS | addip ADDRESS | delip ADDRESS
 *   reset in|out|both [STREAM,...] | resetassoc | addstreams OUT IN | usekey NUMBER KEY
 *   shutdown | abort | close | exit (without closing)
 */
#include "stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RESET_STREAMS 128

typedef struct {
    int bytes, pause_ms;
} pace_t;

typedef struct {
    message_t message;
    int count, size, streams, gap_us;
} send_plan_t;

static void pause_ms(int ms)
{
    for (; ms > 500; ms -= 500)
        usleep(500 * 1000);
    usleep(ms * 1000);
}

static bool has_prefix(const char *word, const char *prefix, int *value)
{
    size_t length = strlen(prefix);
    if (strncmp(word, prefix, length))
        return false;
    *value = strtol(word + length, NULL, 0);
    return true;
}

static void parse_send_word(const char *word, send_plan_t *plan)
{
    message_t *message = &plan->message;
    int value;
    if (has_prefix(word, "s=", &value))
        message->stream = value;
    else if (has_prefix(word, "rr=", &value))
        plan->streams = value;
    else if (!strcmp(word, "unord"))
        message->flags |= SCTP_UNORDERED;
    else if (!strcmp(word, "imm"))
        message->flags |= SCTP_SACK_IMMEDIATELY;
    else if (has_prefix(word, "ttl=", &value))
        message->pr_policy = SCTP_PR_SCTP_TTL, message->pr_value = value;
    else if (has_prefix(word, "rtx=", &value))
        message->pr_policy = SCTP_PR_SCTP_RTX, message->pr_value = value;
    else if (has_prefix(word, "prio=", &value))
        message->pr_policy = SCTP_PR_SCTP_PRIO, message->pr_value = value;
    else if (has_prefix(word, "ppid=", &value))
        message->ppid = value;
    else if (has_prefix(word, "gap=", &value))
        plan->gap_us = value;
    else if (!strcmp(word, "nb"))
        message->does_not_wait = true;
}

static send_plan_t parse_send(char *arguments)
{
    send_plan_t plan = { 0 };
    int consumed = 0;
    char *word;
    sscanf(arguments, "%d %d%n", &plan.count, &plan.size, &consumed);
    arguments += consumed;
    while ((word = strsep(&arguments, " ")))
        parse_send_word(word, &plan);
    return plan;
}

static void command_send(char *arguments)
{
    send_plan_t plan = parse_send(arguments);
    char *payload = malloc(plan.size + 1);
    write_log("send %d x %d", plan.count, plan.size);
    for (int number = 0; number < plan.count; number++) {
        for (int k = 0; k < plan.size; k++)
            payload[k] = 'a' + (number + k) % 26;
        if (plan.streams)
            plan.message.stream = number % plan.streams;
        if (stack_send(payload, plan.size, &plan.message) < 0) {
            if (plan.message.does_not_wait && errno == EAGAIN)
                continue;
            write_log("send #%d: %s", number, strerror(errno));
            break;
        }
        process.messages_sent++;
        process.bytes_sent += plan.size;
        if (plan.gap_us)
            usleep(plan.gap_us);
    }
    free(payload);
    write_log("sent total %llu msgs %llu bytes", process.messages_sent, process.bytes_sent);
}

static void command_recv(char *arguments)
{
    unsigned long long target = process.bytes_received + strtoull(arguments, NULL, 0);
    while (process.bytes_received < target && read_once(1 << 20))
        ;
}

static void read_all(void)
{
    while (read_once(1 << 20))
        if (process.peer_finished && process.one_to_many)
            return;
}

static bool read_paced(const pace_t *pace)
{
    unsigned long long target = process.bytes_received + pace->bytes;
    while (process.bytes_received < target)
        if (!read_once(target - process.bytes_received))
            return false;
    pause_ms(pace->pause_ms);
    return true;
}

static void drain(const pace_t *pace)
{
    if (!pace->bytes)
        read_all();
    else
        while (read_paced(pace))
            ;
}

static void command_drain(char *arguments)
{
    pace_t pace = { 0 };
    sscanf(arguments, "%d %d", &pace.bytes, &pace.pause_ms);
    drain(&pace);
}

static void *reader(void *pace)
{
    drain(pace);
    process.reader_runs = false;
    return NULL;
}

static void command_bg_drain(char *arguments)
{
    static pace_t pace;
    pthread_t thread;
    sscanf(arguments, "%d %d", &pace.bytes, &pace.pause_ms);
    process.reader_runs = true;
    pthread_create(&thread, NULL, reader, &pace);
}

static void command_sleep(char *arguments)
{
    pause_ms(atoi(arguments));
}

static void command_waitclose(char *arguments)
{
    if (!process.reader_runs && !process.peer_finished)
        command_bg_drain("");
    for (int left_ms = atoi(arguments); left_ms > 0 && !process.peer_finished; left_ms -= 20)
        usleep(20 * 1000);
}

static void command_primary(char *address)
{
    struct sctp_setprim setting;
    struct sockaddr_storage parsed;
    memset(&setting, 0, sizeof setting);
    address_parse(address, process.peer_port, &parsed);
    memcpy(&setting.ssp_addr, &parsed, sizeof parsed);
    setting.ssp_assoc_id = process.association;
    set_option(SCTP_PRIMARY_ADDR, &setting, sizeof setting, "PRIMARY_ADDR");
}

static void command_peerprimary(char *address)
{
    struct sctp_setpeerprim setting;
    struct sockaddr_storage parsed;
    memset(&setting, 0, sizeof setting);
    address_parse(address, process.local_port, &parsed);
    memcpy(&setting.sspp_addr, &parsed, sizeof parsed);
    setting.sspp_assoc_id = process.association;
    set_option(SCTP_SET_PEER_PRIMARY_ADDR, &setting, sizeof setting, "SET_PEER_PRIMARY");
}

static void command_addip(char *address)
{
    address_list_t list;
    address_list_parse(address, process.local_port, &list);
    if (stack_add_addresses(&list) < 0)
        write_log("bindx: %s", strerror(errno));
}

static void command_delip(char *address)
{
    struct sockaddr_storage parsed;
    address_parse(address, process.local_port, &parsed);
    if (stack_remove_address((struct sockaddr *)&parsed) < 0)
        write_log("bindx: %s", strerror(errno));
}

static void command_reset(char *arguments)
{
    struct sctp_reset_streams *setting = calloc(1, sizeof *setting + MAX_RESET_STREAMS * sizeof(uint16_t));
    char *direction = strsep(&arguments, " "), *word;
    setting->srs_assoc_id = process.association;
    if (strcmp(direction, "out"))
        setting->srs_flags |= SCTP_STREAM_RESET_INCOMING;
    if (strcmp(direction, "in"))
        setting->srs_flags |= SCTP_STREAM_RESET_OUTGOING;
    while ((word = strsep(&arguments, ",")) && setting->srs_number_streams < MAX_RESET_STREAMS)
        setting->srs_stream_list[setting->srs_number_streams++] = atoi(word);
    set_option(SCTP_RESET_STREAMS, setting, sizeof *setting + setting->srs_number_streams * sizeof(uint16_t),
               "RESET_STREAMS");
    free(setting);
}

static void command_resetassoc(char *arguments)
{
    (void)arguments;
    set_option(SCTP_RESET_ASSOC, &process.association, sizeof process.association, "RESET_ASSOC");
}

static void command_addstreams(char *arguments)
{
    int outgoing = 0, incoming = 0;
    sscanf(arguments, "%d %d", &outgoing, &incoming);
    struct sctp_add_streams setting = { .sas_assoc_id = process.association,
                                        .sas_outstrms = outgoing,
                                        .sas_instrms = incoming };
    set_option(SCTP_ADD_STREAMS, &setting, sizeof setting, "ADD_STREAMS");
}

static void command_usekey(char *arguments)
{
    int number = atoi(strsep(&arguments, " "));
    struct sctp_authkeyid active = { .scact_assoc_id = process.association, .scact_keynumber = number };
    add_key(number, arguments ? arguments : "");
    set_option(SCTP_AUTH_ACTIVE_KEY, &active, sizeof active, "ACTIVE_KEY");
}

static void command_shutdown(char *arguments)
{
    (void)arguments;
    stack_shutdown();
}

static void command_abort(char *arguments)
{
    (void)arguments;
    stack_abort();
}

static void command_close(char *arguments)
{
    (void)arguments;
    stack_close();
}

static void command_exit(char *arguments)
{
    (void)arguments;
    _exit(0);
}

static const struct {
    const char *name;
    void (*run)(char *arguments);
} commands[] = {
    { "send", command_send },
    { "recv", command_recv },
    { "drain", command_drain },
    { "bg_drain", command_bg_drain },
    { "sleep", command_sleep },
    { "waitclose", command_waitclose },
    { "primary", command_primary },
    { "peerprimary", command_peerprimary },
    { "addip", command_addip },
    { "delip", command_delip },
    { "reset", command_reset },
    { "resetassoc", command_resetassoc },
    { "addstreams", command_addstreams },
    { "usekey", command_usekey },
    { "shutdown", command_shutdown },
    { "abort", command_abort },
    { "close", command_close },
    { "exit", command_exit },
};

void run_command(char *command)
{
    char *arguments = command, *name = strsep(&arguments, " ");
    if (!arguments)
        arguments = name + strlen(name);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        if (strcmp(commands[k].name, name))
            continue;
        if (strcmp(name, "send"))
            write_log("cmd %s %s", name, arguments);
        commands[k].run(arguments);
        return;
    }
    write_log("unknown command %s", name);
    stack_exit(2);
}
