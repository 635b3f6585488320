/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the traffic generator share: the running process, addresses, the log. traffic.c describes the
 * program. */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef STACK_USRSCTP
#include <usrsctp.h>
#ifndef SCTP_INTERLEAVING_SUPPORTED
#define SCTP_INTERLEAVING_SUPPORTED 0x00001206
#endif
#define SCTP_PR_SCTP_PRIO SCTP_PR_SCTP_BUF
#else
#include <linux/sctp.h>
#endif

#define MAX_ADDRESSES 8

typedef struct {
    char bytes[MAX_ADDRESSES * sizeof(struct sockaddr_in6)]; /* packed, as sctp_bindx() wants them */
    int count;
    bool has_ipv6;
} address_list_t;

typedef struct {
    const char *tag; /* begins every line of the log */
    int local_port, peer_port;
    bool listens, one_to_many;
    const char *truth_file;
    int truth_period_ms;
    sctp_assoc_t association;
    volatile bool peer_finished; /* end of file, SHUTDOWN, or the association is gone */
    volatile bool reader_runs;   /* a thread reads in the background */
    unsigned long long messages_received, bytes_received, messages_sent, bytes_sent;
} process_t;

extern process_t process;

typedef enum { BEFORE_START, BEFORE_SOCKET, ON_SOCKET } phase_t;

/* An option of the command line: --name, or --name VALUE with up to three numbers x,y,z in VALUE. */
typedef struct {
    const char *name;
    bool has_value;
    phase_t phase;
    void (*set)(const char *name, const char *value, int x, int y, int z);
} option_t;

extern const option_t socket_options[]; /* ends with a row without name */

double time_now(void);
void write_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fail(const char *what);

void address_parse(const char *text, int port, struct sockaddr_storage *address);
socklen_t address_length(const struct sockaddr *address);
void address_list_parse(const char *text, int port, address_list_t *list);
const char *address_text(const struct sockaddr *address, char *buffer, size_t size);

void set_option(int option, const void *value, socklen_t length, const char *name);
void set_flag(int option, int value, const char *name);
void set_association_value(int option, int value, const char *name);
void add_key(int number, const char *key);
void subscribe_events(void);

bool read_once(size_t wanted_bytes);
void note_event(const union sctp_notification *event);

void run_command(char *command);

#endif
