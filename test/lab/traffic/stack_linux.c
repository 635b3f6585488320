/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's stack through its socket API. Ground truth: what SCTP_STATUS and SCTP_GET_PEER_ADDR_INFO say, changes
 * only. */
#include "stack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sctp_bindx(int, struct sockaddr *, int, int);
int sctp_connectx(int, struct sockaddr *, int, sctp_assoc_t *);
int sctp_getpaddrs(int, sctp_assoc_t, struct sockaddr **);
int sctp_freepaddrs(struct sockaddr *);

enum { BINDX_ADD = 1, BINDX_REMOVE = 2 };

#define TRUTH_ROW_BYTES 4096

static int descriptor = -1;
static volatile bool truth_stops;
static bool truth_runs;
static pthread_t truth_thread;

void stack_start(void) {}

int stack_open(int family, bool one_to_many)
{
    descriptor = socket(family, one_to_many ? SOCK_SEQPACKET : SOCK_STREAM, IPPROTO_SCTP);
    return descriptor;
}

int stack_set_option(int level, int option, const void *value, socklen_t length)
{
    return setsockopt(descriptor, level, option, value, length);
}

int stack_add_addresses(address_list_t *list)
{
    return sctp_bindx(descriptor, (struct sockaddr *)list->bytes, list->count, BINDX_ADD);
}

int stack_remove_address(struct sockaddr *address)
{
    return sctp_bindx(descriptor, address, 1, BINDX_REMOVE);
}

int stack_listen(void)
{
    return listen(descriptor, 5);
}

static sctp_assoc_t association_of_socket(void)
{
    struct sctp_status status;
    socklen_t length = sizeof status;
    memset(&status, 0, sizeof status);
    getsockopt(descriptor, IPPROTO_SCTP, SCTP_STATUS, &status, &length);
    return status.sstat_assoc_id;
}

int stack_accept(void)
{
    int accepted = accept(descriptor, NULL, NULL);
    if (accepted < 0)
        return accepted;
    close(descriptor);
    descriptor = accepted;
    process.association = association_of_socket();
    return 0;
}

int stack_connect(address_list_t *list, sctp_assoc_t *association)
{
    int result = sctp_connectx(descriptor, (struct sockaddr *)list->bytes, list->count, association);
    if (!result && !process.one_to_many)
        *association = association_of_socket();
    return result;
}

static void add_control(struct msghdr *header, int type, const void *value, size_t size)
{
    struct cmsghdr *control = (struct cmsghdr *)((char *)header->msg_control + header->msg_controllen);
    control->cmsg_level = IPPROTO_SCTP;
    control->cmsg_type = type;
    control->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(control), value, size);
    header->msg_controllen += CMSG_SPACE(size);
}

int stack_send(const char *bytes, size_t size, const message_t *message)
{
    struct sctp_sndinfo info = { .snd_sid = message->stream,
                                 .snd_flags = message->flags,
                                 .snd_ppid = htonl(message->ppid),
                                 .snd_assoc_id = process.association };
    struct sctp_prinfo reliability = { .pr_policy = message->pr_policy, .pr_value = message->pr_value };
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof info) + CMSG_SPACE(sizeof reliability)] = { 0 };
    struct iovec part = { .iov_base = (void *)bytes, .iov_len = size };
    struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control };
    add_control(&header, SCTP_SNDINFO, &info, sizeof info);
    if (message->pr_policy)
        add_control(&header, SCTP_PRINFO, &reliability, sizeof reliability);
    return sendmsg(descriptor, &header, MSG_NOSIGNAL | (message->does_not_wait ? MSG_DONTWAIT : 0));
}

int stack_receive(char *buffer, size_t size, bool *is_event, bool *ends_message)
{
    char control[256];
    struct iovec part = { .iov_base = buffer, .iov_len = size };
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    int bytes = recvmsg(descriptor, &header, 0);
    *is_event = header.msg_flags & MSG_NOTIFICATION;
    *ends_message = header.msg_flags & MSG_EOR;
    return bytes;
}

int stack_shutdown(void)
{
    return shutdown(descriptor, SHUT_WR);
}

void stack_abort(void)
{
    struct linger setting = { .l_onoff = 1, .l_linger = 0 };
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &setting, sizeof setting);
    close(descriptor);
}

void stack_close(void)
{
    close(descriptor);
}

void stack_exit(int status)
{
    exit(status);
}

static int write_path(char *row, size_t size, const struct sctp_status *status, const struct sockaddr *address)
{
    struct sctp_paddrinfo info;
    struct sockaddr_storage primary;
    socklen_t length = sizeof info;
    char text[INET6_ADDRSTRLEN], primary_text[INET6_ADDRSTRLEN];
    memset(&info, 0, sizeof info);
    memcpy(&info.spinfo_address, address, address_length(address));
    info.spinfo_assoc_id = status->sstat_assoc_id;
    if (getsockopt(descriptor, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &length) < 0)
        return 0;
    memcpy(&primary, &status->sstat_primary.spinfo_address, sizeof primary);
    address_text((struct sockaddr *)&primary, primary_text, sizeof primary_text);
    address_text(address, text, sizeof text);
    return snprintf(row, size, "\t%s,%d,%u,%u,%u,%u,%d", text, info.spinfo_state, info.spinfo_cwnd, info.spinfo_srtt,
                    info.spinfo_rto, info.spinfo_mtu, !strcmp(text, primary_text));
}

static bool write_state(char *row)
{
    struct sctp_status status;
    struct sockaddr *addresses;
    socklen_t length = sizeof status;
    memset(&status, 0, sizeof status);
    status.sstat_assoc_id = process.association;
    if (getsockopt(descriptor, IPPROTO_SCTP, SCTP_STATUS, &status, &length) < 0)
        return false;
    int used = snprintf(row, TRUTH_ROW_BYTES, "%d\t%u\t%u\t%u", status.sstat_state, status.sstat_rwnd,
                        status.sstat_unackdata, status.sstat_penddata);
    int count = sctp_getpaddrs(descriptor, status.sstat_assoc_id, &addresses);
    if (count <= 0)
        return true;
    char *address = (char *)addresses;
    for (int k = 0; k < count; k++) {
        used += write_path(row + used, TRUTH_ROW_BYTES - used, &status, (struct sockaddr *)address);
        address += address_length((struct sockaddr *)address);
    }
    sctp_freepaddrs(addresses);
    return true;
}

static void *write_truth(void *argument)
{
    static char row[TRUTH_ROW_BYTES], last[TRUTH_ROW_BYTES];
    FILE *file = argument;
    fprintf(file, "#time\tassoc_state\tpeer_rwnd\tunack\tpend\tpaths: addr,state,cwnd,srtt_ms,rto_ms,mtu,primary\n");
    while (!truth_stops) {
        if (write_state(row) && strcmp(row, last)) {
            fprintf(file, "%.6f\t%s\n", time_now(), row);
            strcpy(last, row);
        }
        usleep(process.truth_period_ms * 1000);
    }
    fclose(file);
    return NULL;
}

void stack_truth_start(void)
{
    FILE *file = fopen(process.truth_file, "w");
    if (!file)
        fail(process.truth_file);
    truth_runs = !pthread_create(&truth_thread, NULL, write_truth, file);
}

void stack_truth_stop(void)
{
    truth_stops = true;
    if (truth_runs)
        pthread_join(truth_thread, NULL);
    truth_runs = false;
}

static void set_asconf(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)x, (void)y, (void)z;
    set_association_value(SCTP_AUTH_SUPPORTED, 1, name);
    set_association_value(SCTP_ASCONF_SUPPORTED, 1, name);
}

static void set_ecn(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)x, (void)y, (void)z;
    set_association_value(SCTP_ECN_SUPPORTED, 1, name);
}

static void set_scheduler(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)y, (void)z;
    set_association_value(SCTP_STREAM_SCHEDULER, x, name);
}

static void set_pf_threshold(const char *name, const char *value, int potentially_failed, int y, int path_max)
{
    struct sctp_paddrthlds setting;
    (void)value, (void)y;
    memset(&setting, 0, sizeof setting);
    setting.spt_pathmaxrxt = path_max;
    setting.spt_pathpfthld = potentially_failed;
    set_option(SCTP_PEER_ADDR_THLDS, &setting, sizeof setting, name);
}

const option_t stack_options[] = {
    { "asconf", true, ON_SOCKET, set_asconf },
    { "ecn", false, ON_SOCKET, set_ecn },
    { "sched", true, ON_SOCKET, set_scheduler },
    { "pfthresh", true, ON_SOCKET, set_pf_threshold },
    { NULL, false, ON_SOCKET, NULL },
};
