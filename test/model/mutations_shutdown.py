"""Shutdown, abort and states: what is sent in a state that does not allow it, or is not sent."""

from generate import chunks
from mutations import breaks
from mutations_setup import restart
from sequels import S, Sequel
from talks import ASCONF, COOKIE_ECHO, RE_CONFIG


def shutdown(sequel, end, below=0, **options):
    return sequel.send(end, chunks.shutdown(sequel.tsn[1 - end] - 1 - below), **options)


def ack(sequel, end, **options):
    return sequel.send(end, chunks.shutdown_ack(), **options)


def complete(sequel, end, **options):
    return sequel.send(end, chunks.shutdown_complete(), **options)


def unhindered(scene):
    """The near end waits neither for a window nor for the answer to a request."""
    sequel = Sequel(scene, where=lambda talk: not talk.has(ASCONF, RE_CONFIG))
    sequel.a_rwnd[sequel.far] = max(sequel.a_rwnd[sequel.far], 100_000)
    return sequel.rounds(sequel.near, 1)


@breaks("SM-011")
def abort_answered_with_abort(scene):
    sequel = Sequel(scene)
    for _ in range(3):
        sequel.send(sequel.far, chunks.abort()).send(sequel.near, chunks.abort())
    return sequel.near


@breaks("SM-021")
def restarts_again_and_again(scene):
    sequel = Sequel(scene)
    for number in range(1, 4):
        sequel.wait(S)
        restart(sequel, (sequel.talk.tags[0] ^ number << 20, sequel.talk.tags[1] ^ number << 20))
    return 0


@breaks("SM-023")
def data_after_abort(scene):
    sequel = Sequel(scene)
    sequel.send(sequel.near, chunks.abort()).wait(S).data(sequel.near)
    return sequel.near


@breaks("SM-026")
def cookie_echo_again(scene):
    sequel = Sequel(scene, near=0)
    echo = sequel.talk.first(0, COOKIE_ECHO)
    sequel.rounds(1, 1).wait(S).send(0, echo.packet["sctp"][echo.at:echo.at + (echo.length + 3) // 4 * 4])
    return 0


@breaks("SD-001")
def shutdown_with_data_outstanding(scene):
    sequel = Sequel(scene)
    scene.deny_partial(sequel.talk)
    shutdown(sequel.data(sequel.near), sequel.near)
    return sequel.near


@breaks("SD-002", causes=("SD-011",))
def shutdown_with_its_own_tsn(scene):
    def apart(talk):
        return (1 << 22) < (talk.initial_tsn(0) - talk.initial_tsn(1) & 0xFFFFFFFF) < (1 << 32) - (1 << 22)
    sequel = Sequel(scene, where=apart)
    sequel.send(sequel.near, chunks.shutdown(sequel.tsn[sequel.near] - 1))
    return sequel.near


@breaks("SD-003")
def new_data_after_shutdown(scene):
    sequel = Sequel(scene)
    shutdown(sequel, sequel.near).data(sequel.near)
    return sequel.near


@breaks("SD-003", causes=("TX-020",))
def new_data_after_shutdown_ack(scene):
    sequel = Sequel(scene)
    ack(shutdown(sequel, sequel.far), sequel.near).data(sequel.near)
    return sequel.near


@breaks("SD-005")
def shutdown_ignored(scene):
    sequel = unhindered(scene)
    for _ in range(3):
        shutdown(sequel, sequel.far, gap_ns=S)
    sequel.wait(2 * S).send(sequel.near, chunks.heartbeat())
    return sequel.near


@breaks("SD-006")
def shutdown_ack_with_data_outstanding(scene):
    sequel = Sequel(scene)
    scene.deny_partial(sequel.talk)
    ack(shutdown(sequel.data(sequel.near), sequel.far, 1), sequel.near)
    return sequel.near


@breaks("SD-007")
def data_answered_with_sack_alone(scene):
    sequel = shutdown_sent(scene)
    for _ in range(4):
        sequel.data(sequel.far, gap_ns=S).sack(sequel.near)
    return sequel.near


def shutdown_sent(scene):
    sequel = Sequel(scene)
    return shutdown(sequel, sequel.near)


@breaks("SD-009")
def shutdown_ack_ignored(scene):
    sequel = shutdown_sent(scene)
    for _ in range(3):
        ack(sequel, sequel.far, gap_ns=S)
    shutdown(sequel, sequel.near, gap_ns=2 * S)
    return sequel.near


@breaks("SD-011")
def shutdown_acknowledges_less(scene):
    sequel = Sequel(scene)
    sequel.rounds(sequel.far, 2)
    shutdown(sequel.wait(S), sequel.near, 1)
    return sequel.near


@breaks("SD-012")
def shutdown_sent_22_times(scene):
    sequel = Sequel(scene)
    for _ in range(22):
        shutdown(sequel, sequel.near, gap_ns=S)
    return sequel.near


@breaks("SD-014")
def both_repeat_shutdown(scene):
    sequel = unhindered(scene)
    shutdown(sequel, sequel.near)
    for _ in range(3):
        shutdown(sequel, sequel.far, gap_ns=S)
    shutdown(sequel, sequel.near, gap_ns=2 * S)
    return sequel.near


@breaks("SD-015")
def both_repeat_shutdown_ack(scene):
    sequel = shutdown_sent(scene)
    ack(shutdown(sequel, sequel.far), sequel.near)
    for _ in range(3):
        ack(sequel, sequel.far, gap_ns=S)
    ack(sequel, sequel.near, gap_ns=2 * S)
    return sequel.near


@breaks("SD-016")
def heartbeat_after_shutdown_complete(scene):
    sequel = shutdown_sent(scene)
    complete(ack(sequel, sequel.far), sequel.near).wait(S).send(sequel.near, chunks.heartbeat())
    return sequel.near
