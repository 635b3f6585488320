/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A look into usrsctp's association, past its API. */
#ifndef USRSCTP_STATE_H
#define USRSCTP_STATE_H

#include <stddef.h>

struct socket;

/* Writes the state of the socket's first association as one row (without time); returns its length, 0 if there is none.
 * Takes no locks: it is called by threads of the stack that hold them. */
int usrsctp_state_row(struct socket *socket, char *row, size_t size);

#endif
