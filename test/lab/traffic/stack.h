/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the traffic generator needs of a stack; stack_linux.c and stack_usrsctp.c provide it. Functions that return int
 * return less than 0 on error and leave errno. */
#ifndef STACK_H
#define STACK_H

#include "traffic.h"

typedef struct {
    uint16_t stream;
    uint16_t flags;
    uint32_t ppid;
    uint16_t pr_policy; /* 0: reliable */
    uint32_t pr_value;
    bool does_not_wait;
} message_t;

extern const option_t stack_options[]; /* those of this stack alone; ends with a row without name */

void stack_start(void);
int stack_open(int family, bool one_to_many);
int stack_set_option(int level, int option, const void *value, socklen_t length);
int stack_add_addresses(address_list_t *list);
int stack_remove_address(struct sockaddr *address);
int stack_listen(void);
int stack_accept(void);
int stack_connect(address_list_t *list, sctp_assoc_t *association);
int stack_send(const char *bytes, size_t size, const message_t *message);
int stack_receive(char *buffer, size_t size, bool *is_event, bool *ends_message);
int stack_shutdown(void);
void stack_abort(void);
void stack_close(void);
void stack_exit(int status);

/* Writes what the stack says of itself into process.truth_file until stop. */
void stack_truth_start(void);
void stack_truth_stop(void);

#endif
