/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usrsctp, the FreeBSD stack in user space: over raw IP (no sctp module may be loaded there, it would answer too), or
 * over UDP with --udp. Ground truth: the stack's own variables at every packet; sendmsg() and recvmsg() are wrapped for
 * that. */
#include "stack.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "usrsctp_state.h"

#define TRUTH_ROW_BYTES 4096
#define LIBRARY_LINGERS_US 400000

static struct socket *endpoint;
static int udp_local_port, udp_remote_port;
static bool has_asconf;
static FILE *truth_file;
static pthread_mutex_t truth_mutex = PTHREAD_MUTEX_INITIALIZER;

ssize_t __real_sendmsg(int descriptor, const struct msghdr *header, int flags);
ssize_t __real_recvmsg(int descriptor, struct msghdr *header, int flags);

static void write_truth_row(const char *event)
{
    static char row[TRUTH_ROW_BYTES];
    pthread_mutex_lock(&truth_mutex);
    if (truth_file && endpoint && usrsctp_state_row(endpoint, row, sizeof row) > 0)
        fprintf(truth_file, "%.6f\t%s\t%s\n", time_now(), event, row);
    pthread_mutex_unlock(&truth_mutex);
}

/* 'tx' as a packet goes out (its DATA is not yet counted in flight), 'rx' before the stack looks at one that came in */
ssize_t __wrap_sendmsg(int descriptor, const struct msghdr *header, int flags)
{
    write_truth_row("tx");
    return __real_sendmsg(descriptor, header, flags);
}

ssize_t __wrap_recvmsg(int descriptor, struct msghdr *header, int flags)
{
    ssize_t bytes = __real_recvmsg(descriptor, header, flags);
    if (bytes > 0)
        write_truth_row("rx");
    return bytes;
}

void stack_truth_start(void)
{
    FILE *file = fopen(process.truth_file, "w");
    if (!file)
        fail(process.truth_file);
    fprintf(file,
            "#time\tevent\tstate\tpeer_rwnd\ttotal_flight\tqueued\tlast_acked\tpaths: addr,dest_state,cwnd,ssthresh,"
            "pba,flight,rto_ms,srtt_ms,rttvar_ms,errors,mtu,fast_recovery,primary\n");
    truth_file = file;
}

void stack_truth_stop(void)
{
    pthread_mutex_lock(&truth_mutex);
    if (truth_file)
        fclose(truth_file);
    truth_file = NULL;
    pthread_mutex_unlock(&truth_mutex);
}

void stack_start(void)
{
    usrsctp_init(udp_local_port, NULL, NULL);
    usrsctp_sysctl_set_sctp_blackhole(2); /* no ABORT for what belongs to another process */
    usrsctp_sysctl_set_sctp_no_csum_on_loopback(0);
    usrsctp_sysctl_set_sctp_ecn_enable(0);
    usrsctp_sysctl_set_sctp_auto_asconf(0);
}

static void set_remote_udp_port(int family)
{
    struct sctp_udpencaps setting;
    memset(&setting, 0, sizeof setting);
    setting.sue_address.ss_family = family;
    setting.sue_port = htons(udp_remote_port);
    set_option(SCTP_REMOTE_UDP_ENCAPS_PORT, &setting, sizeof setting, "udp");
}

int stack_open(int family, bool one_to_many)
{
    endpoint = usrsctp_socket(family, one_to_many ? SOCK_SEQPACKET : SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
    if (!endpoint)
        return -1;
    if (udp_remote_port)
        set_remote_udp_port(family);
    if (has_asconf)
        set_flag(SCTP_AUTO_ASCONF, 0, "asconf");
    return 0;
}

int stack_set_option(int level, int option, const void *value, socklen_t length)
{
    return usrsctp_setsockopt(endpoint, level, option, value, length);
}

int stack_add_addresses(address_list_t *list)
{
    return usrsctp_bindx(endpoint, (struct sockaddr *)list->bytes, list->count, SCTP_BINDX_ADD_ADDR);
}

int stack_remove_address(struct sockaddr *address)
{
    return usrsctp_bindx(endpoint, address, 1, SCTP_BINDX_REM_ADDR);
}

int stack_listen(void)
{
    return usrsctp_listen(endpoint, 5);
}

int stack_accept(void)
{
    struct socket *listening = endpoint, *accepted = usrsctp_accept(listening, NULL, NULL);
    if (!accepted)
        return -1;
    endpoint = accepted;
    usrsctp_close(listening);
    return 0;
}

int stack_connect(address_list_t *list, sctp_assoc_t *association)
{
    return usrsctp_connectx(endpoint, (struct sockaddr *)list->bytes, list->count, association);
}

int stack_send(const char *bytes, size_t size, const message_t *message)
{
    struct sctp_sendv_spa info;
    memset(&info, 0, sizeof info);
    info.sendv_flags = SCTP_SEND_SNDINFO_VALID;
    info.sendv_sndinfo.snd_sid = message->stream;
    info.sendv_sndinfo.snd_flags = message->flags;
    info.sendv_sndinfo.snd_ppid = htonl(message->ppid);
    info.sendv_sndinfo.snd_assoc_id = process.association;
    if (message->pr_policy) {
        info.sendv_flags |= SCTP_SEND_PRINFO_VALID;
        info.sendv_prinfo.pr_policy = message->pr_policy;
        info.sendv_prinfo.pr_value = message->pr_value;
    }
    return usrsctp_sendv(endpoint, bytes, size, NULL, 0, &info, sizeof info, SCTP_SENDV_SPA, 0);
}

int stack_receive(char *buffer, size_t size, bool *is_event, bool *ends_message)
{
    struct sockaddr_storage from;
    struct sctp_rcvinfo info;
    socklen_t from_length = sizeof from, info_length = sizeof info;
    unsigned info_type = 0;
    int flags = 0;
    int bytes = usrsctp_recvv(endpoint, buffer, size, (struct sockaddr *)&from, &from_length, &info, &info_length,
                              &info_type, &flags);
    *is_event = flags & MSG_NOTIFICATION;
    *ends_message = flags & MSG_EOR;
    return bytes;
}

int stack_shutdown(void)
{
    return usrsctp_shutdown(endpoint, SHUT_WR);
}

void stack_abort(void)
{
    struct sctp_sndinfo info = { .snd_flags = SCTP_ABORT, .snd_assoc_id = process.association };
    if (usrsctp_sendv(endpoint, "bye", 3, NULL, 0, &info, sizeof info, SCTP_SENDV_SNDINFO, 0) < 0)
        write_log("abort failed");
    usleep(LIBRARY_LINGERS_US / 2);
}

static void *close_socket(void *socket)
{
    usrsctp_close(socket);
    return NULL;
}

/* usrsctp_close() does not return while another thread is in usrsctp_recvv(): wait for that one, but not for ever. */
void stack_close(void)
{
    pthread_t thread;
    for (int k = 0; process.reader_runs && k < 40; k++)
        usleep(50000);
    stack_truth_stop();
    pthread_create(&thread, NULL, close_socket, endpoint);
    endpoint = NULL;
    usleep(LIBRARY_LINGERS_US);
}

void stack_exit(int status)
{
    _exit(status);
}

static void set_stack_wide(const char *name, const char *value, int x, int y, int z)
{
    (void)value, (void)y, (void)z;
    if (!strcmp(name, "nrsack"))
        usrsctp_sysctl_set_sctp_nrsack_enable(1);
    else if (!strcmp(name, "pktdrop"))
        usrsctp_sysctl_set_sctp_pktdrop_enable(1);
    else if (!strcmp(name, "ecn"))
        usrsctp_sysctl_set_sctp_ecn_enable(1);
    else if (!strcmp(name, "cmt"))
        usrsctp_sysctl_set_sctp_cmt_on_off(x);
    else if (!strcmp(name, "cc"))
        usrsctp_sysctl_set_sctp_default_cc_module(x);
    else if (!strcmp(name, "sched"))
        usrsctp_sysctl_set_sctp_default_ss_module(x);
    else if (!strcmp(name, "pfthresh"))
        usrsctp_sysctl_set_sctp_path_pf_threshold(x);
}

static void set_asconf(const char *name, const char *value, int x, int y, int z)
{
    (void)name, (void)value, (void)x, (void)y, (void)z;
    usrsctp_sysctl_set_sctp_auto_asconf(1);
    has_asconf = true;
}

static void set_udp(const char *name, const char *value, int local_port, int remote_port, int z)
{
    (void)name, (void)value, (void)z;
    udp_local_port = local_port;
    udp_remote_port = remote_port;
}

const option_t stack_options[] = {
    { "nrsack", false, BEFORE_SOCKET, set_stack_wide },
    { "pktdrop", false, BEFORE_SOCKET, set_stack_wide },
    { "ecn", false, BEFORE_SOCKET, set_stack_wide },
    { "cmt", true, BEFORE_SOCKET, set_stack_wide },
    { "cc", true, BEFORE_SOCKET, set_stack_wide },
    { "sched", true, BEFORE_SOCKET, set_stack_wide },
    { "pfthresh", true, BEFORE_SOCKET, set_stack_wide },
    { "asconf", true, BEFORE_SOCKET, set_asconf },
    { "udp", true, BEFORE_START, set_udp },
    { NULL, false, ON_SOCKET, NULL },
};
