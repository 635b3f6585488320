# SPDX-License-Identifier: GPL-2.0-or-later
"""The steps of a shutdown with which a capture goes on."""

from generate import chunks
from continuation import Continuation


def send_shutdown(continuation, end, below=0, **options):
    return continuation.send(end, chunks.shutdown(continuation.ends[1 - end].tsn - 1 - below), **options)


def send_shutdown_ack(continuation, end, **options):
    return continuation.send(end, chunks.shutdown_ack(), **options)


def send_shutdown_complete(continuation, end, **options):
    return continuation.send(end, chunks.shutdown_complete(), **options)


def unhindered(editor):
    """The near end waits neither for a window nor for the answer to a request."""
    continuation = Continuation(editor, where=lambda association: not association.has(chunks.ASCONF, chunks.RE_CONFIG))
    continuation.ends[continuation.far].a_rwnd = max(continuation.ends[continuation.far].a_rwnd, 100_000)
    return continuation.rounds(continuation.near, 1)
