# SPDX-License-Identifier: GPL-2.0-or-later
"""Shutdown, abort and states: what is sent in a state that does not allow it, or is not sent."""

from generate import chunks
from mutations import breaks
from mutations_setup import restart
from continuation import S, Continuation
from captured_associations import ASCONF, COOKIE_ECHO, RE_CONFIG


def shutdown(continuation, end, below=0, **options):
    return continuation.send(end, chunks.shutdown(continuation.tsn[1 - end] - 1 - below), **options)


def ack(continuation, end, **options):
    return continuation.send(end, chunks.shutdown_ack(), **options)


def complete(continuation, end, **options):
    return continuation.send(end, chunks.shutdown_complete(), **options)


def unhindered(editor):
    """The near end waits neither for a window nor for the answer to a request."""
    continuation = Continuation(editor, where=lambda association: not association.has(ASCONF, RE_CONFIG))
    continuation.a_rwnd[continuation.far] = max(continuation.a_rwnd[continuation.far], 100_000)
    return continuation.rounds(continuation.near, 1)


def with_wrong_tag(continuation, end, *parts):
    return continuation.send(end, *parts, vtag=continuation.association.tags[1 - end] ^ 0x5A5A5A5A)


@breaks("SM-001")
def data_with_wrong_tag(editor):
    continuation = unhindered(editor)
    data = continuation.chunk(continuation.near)
    with_wrong_tag(continuation, continuation.near, data).wait(S).send(continuation.near, data).sack(continuation.far)
    return continuation.near


@breaks("SM-003", causes=["SM-001"])
def packet_with_wrong_tag_answered(editor):
    continuation = unhindered(editor)
    info = bytes(range(40))
    continuation.data(continuation.near)
    with_wrong_tag(continuation, continuation.far, chunks.sack(continuation.tsn[continuation.near] - 1, a_rwnd=100_000), chunks.heartbeat(info))
    continuation.send(continuation.near, chunks.heartbeat_ack(info)).wait(S)
    continuation.send(continuation.near, continuation.sent).sack(continuation.far)
    return continuation.near


@breaks("SM-004")
def abort_reflects_without_t_bit(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.abort(), vtag=continuation.association.tags[continuation.near])
    return continuation.near


@breaks("SM-006")
def shutdown_complete_reflects_without_t_bit(editor):
    continuation = unhindered(editor)
    continuation.sack(continuation.near)
    ack(shutdown(continuation, continuation.near), continuation.far)
    complete(continuation, continuation.near, vtag=continuation.association.tags[continuation.near])
    return continuation.near


@breaks("SM-011")
def abort_answered_with_abort(editor):
    continuation = Continuation(editor)
    for _ in range(3):
        continuation.send(continuation.far, chunks.abort()).send(continuation.near, chunks.abort())
    return continuation.near


@breaks("SM-021")
def restarts_again_and_again(editor):
    continuation = Continuation(editor)
    for number in range(1, 4):
        continuation.wait(S)
        restart(continuation, (continuation.association.tags[0] ^ number << 20, continuation.association.tags[1] ^ number << 20))
    return 0


@breaks("SM-023")
def data_after_abort(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.abort()).wait(S).data(continuation.near)
    return continuation.near


@breaks("SM-026")
def cookie_echo_again(editor):
    continuation = Continuation(editor, near=0)
    echo = continuation.association.first(0, COOKIE_ECHO)
    continuation.rounds(1, 1).wait(S).send(0, echo.packet["sctp"][echo.at:echo.at + (echo.length + 3) // 4 * 4])
    return 0


@breaks("SD-001")
def shutdown_with_data_outstanding(editor):
    continuation = Continuation(editor)
    editor.deny_partial(continuation.association)
    shutdown(continuation.data(continuation.near), continuation.near)
    return continuation.near


@breaks("SD-002", causes=("SD-011",))
def shutdown_with_its_own_tsn(editor):
    def apart(association):
        return (1 << 22) < (association.initial_tsn(0) - association.initial_tsn(1) & 0xFFFFFFFF) < (1 << 32) - (1 << 22)
    continuation = Continuation(editor, where=apart)
    continuation.send(continuation.near, chunks.shutdown(continuation.tsn[continuation.near] - 1))
    return continuation.near


@breaks("SD-003")
def new_data_after_shutdown(editor):
    continuation = Continuation(editor)
    shutdown(continuation, continuation.near).data(continuation.near)
    return continuation.near


@breaks("SD-003")
def new_data_after_shutdown_ack(editor):
    continuation = Continuation(editor)
    ack(shutdown(continuation, continuation.far), continuation.near).data(continuation.near)
    return continuation.near


@breaks("SD-005")
def shutdown_ignored(editor):
    continuation = unhindered(editor)
    for _ in range(3):
        shutdown(continuation, continuation.far, gap_ns=S)
    continuation.wait(2 * S).send(continuation.near, chunks.heartbeat())
    return continuation.near


@breaks("SD-006")
def shutdown_ack_with_data_outstanding(editor):
    continuation = Continuation(editor)
    editor.deny_partial(continuation.association)
    ack(shutdown(continuation.data(continuation.near), continuation.far, 1), continuation.near)
    return continuation.near


@breaks("SD-007")
def data_answered_with_sack_alone(editor):
    continuation = shutdown_sent(editor)
    for _ in range(4):
        continuation.data(continuation.far, gap_ns=S).sack(continuation.near)
    return continuation.near


def shutdown_sent(editor):
    continuation = Continuation(editor)
    return shutdown(continuation, continuation.near)


@breaks("SD-009")
def shutdown_ack_ignored(editor):
    continuation = shutdown_sent(editor)
    for _ in range(3):
        ack(continuation, continuation.far, gap_ns=S)
    shutdown(continuation, continuation.near, gap_ns=2 * S)
    return continuation.near


@breaks("SD-011")
def shutdown_acknowledges_less(editor):
    continuation = Continuation(editor)
    continuation.rounds(continuation.far, 2)
    shutdown(continuation.wait(S), continuation.near, 1)
    return continuation.near


@breaks("SD-012")
def shutdown_sent_22_times(editor):
    continuation = Continuation(editor)
    for _ in range(22):
        shutdown(continuation, continuation.near, gap_ns=S)
    return continuation.near


@breaks("SD-014")
def both_repeat_shutdown(editor):
    continuation = unhindered(editor)
    shutdown(continuation, continuation.near)
    for _ in range(3):
        shutdown(continuation, continuation.far, gap_ns=S)
    shutdown(continuation, continuation.near, gap_ns=2 * S)
    return continuation.near


@breaks("SD-015")
def both_repeat_shutdown_ack(editor):
    continuation = shutdown_sent(editor)
    ack(shutdown(continuation, continuation.far), continuation.near)
    for _ in range(3):
        ack(continuation, continuation.far, gap_ns=S)
    ack(continuation, continuation.near, gap_ns=2 * S)
    return continuation.near


@breaks("SD-016")
def heartbeat_after_shutdown_complete(editor):
    continuation = shutdown_sent(editor)
    complete(ack(continuation, continuation.far), continuation.near).wait(S).send(continuation.near, chunks.heartbeat())
    return continuation.near
