"""Shutdown and abort."""

from generate import chunks
from plays import MS, S, Play
from register import fires, silent


def up():
    return Play().set_up().exchange(2)


def shutdown(play, sender, back=1, **options):
    """SHUTDOWN that acknowledges all that the other end sent but back - 1 TSNs."""
    return play.send(sender, chunks.shutdown(play.ends[1 - sender].tsn - back), **options)


def ack(play, sender, **options):
    return play.send(sender, chunks.shutdown_ack(), **options)


def complete(play, sender, **options):
    return play.send(sender, chunks.shutdown_complete(), **options)


@silent("SD-001")
@silent("SD-002")
@silent("SD-011")
def usual_shutdown():
    return up().shut_down()


@silent("SD-006")
@silent("SD-005")
def usual_shutdown_by_the_peer():
    return up().shut_down(1)


@fires("SD-001")
def shutdown_with_data_outstanding():
    return shutdown(up().data(0), 0)


@silent("SD-001", judged=False)
def shutdown_where_data_may_be_given_up():
    pr = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
    return shutdown(Play().set_up((pr, pr)).exchange(2).data(0), 0)


@fires("SD-002")
def shutdown_with_its_own_tsn():
    play = up()
    return play.send(0, chunks.shutdown(play.ends[0].tsn - 1))


@silent("SD-002")
def shutdown_without_data_of_the_peer():
    return shutdown(Play().set_up().data(0).sack(1), 0)


@fires("SD-003")
def new_data_after_shutdown():
    return shutdown(up(), 0).data(0)


@fires("SD-003")
def new_data_after_shutdown_ack():
    return ack(shutdown(up(), 1), 0).data(0)


@silent("SD-003")
def old_data_after_shutdown():
    play = up().data(0)
    old = play.flow.items[-1].chunks
    return shutdown(play, 0).send(0, *old)


@fires("SD-005")
def shutdown_ignored():
    play = shutdown(shutdown(shutdown(up(), 1), 1, gap_ns=S), 1, gap_ns=S)
    return play.heartbeat(1).wait(2 * S).send(0, chunks.heartbeat())


@silent("SD-005", judged=False)
def shutdown_while_data_flows():
    play = shutdown(shutdown(up(), 1), 1, gap_ns=S).data(0)
    return shutdown(play, 1).wait(2 * S).data(0)


@silent("SD-005")
def two_shutdowns_lost_behind_the_tap():
    play = shutdown(shutdown(up(), 1), 1, gap_ns=S)
    return play.wait(2 * S).send(0, chunks.heartbeat())


@silent("SD-005")
def silence_after_shutdown():
    play = shutdown(shutdown(up(), 1), 1, gap_ns=S)
    return ack(shutdown(play, 1, gap_ns=2 * S), 0)


@fires("SD-006")
def shutdown_ack_with_data_outstanding():
    play = up().data(0)
    return ack(shutdown(play, 1, back=2), 0)


@silent("SD-006")
def data_acknowledged_by_the_shutdown():
    return ack(shutdown(up().data(0), 1), 0)


@fires("SD-007")
def data_answered_with_sack_alone():
    play = shutdown(up(), 0)
    for _ in range(4):
        play.data(1, gap_ns=S).sack(0)
    return play


@silent("SD-007")
def one_shutdown_missed_by_the_capture():
    play = shutdown(up(), 0).data(1).sack(0).data(1, gap_ns=S)
    return shutdown(play.sack(0), 0)


@silent("SD-007")
def data_answered_with_sack_and_shutdown():
    play = shutdown(up(), 0).data(1)
    cum_tsn = play.ends[1].tsn - 1
    play.send(0, chunks.sack(cum_tsn), chunks.shutdown(cum_tsn))
    return ack(play, 1, gap_ns=S)


@fires("SD-009")
def shutdown_ack_ignored():
    play = shutdown(up(), 0)
    ack(ack(ack(play, 1), 1, gap_ns=S), 1, gap_ns=S)
    return shutdown(play, 0, gap_ns=2 * S)


@silent("SD-009")
def shutdown_ack_answered():
    play = shutdown(up(), 0)
    ack(ack(play, 1), 1, gap_ns=S)
    return complete(play, 0)


@silent("SD-009")
def shutdown_repeated_once():
    return shutdown(ack(shutdown(up(), 0), 1), 0, gap_ns=2 * S)


@fires("SD-011")
def shutdown_acknowledges_less():
    return shutdown(up(), 0, back=2, gap_ns=S)


@silent("SD-011")
def shutdown_overtaken_by_the_sack():
    play = up()
    return shutdown(play, 0, back=2)


@fires("SD-012")
def shutdown_sent_22_times():
    play = up()
    for _ in range(22):
        shutdown(play, 0, gap_ns=S)
    return play


@silent("SD-012")
def shutdown_sent_11_times():
    play = up()
    for _ in range(11):
        shutdown(play, 0, gap_ns=S)
    return play


@fires("SD-014")
def both_repeat_shutdown():
    play = shutdown(shutdown(up(), 0), 1)
    shutdown(shutdown(play, 1, gap_ns=S), 1, gap_ns=S)
    return shutdown(play, 0, gap_ns=2 * S)


@silent("SD-014")
def shutdowns_cross():
    play = shutdown(shutdown(up(), 0), 1)
    return ack(ack(play, 0), 1)


@fires("SD-015")
def both_repeat_shutdown_ack():
    play = ack(ack(shutdown(shutdown(up(), 0), 1), 0), 1)
    ack(ack(play, 1, gap_ns=S), 1, gap_ns=S)
    return ack(play, 0, gap_ns=2 * S)


@silent("SD-015")
def shutdown_acks_cross():
    play = ack(ack(shutdown(shutdown(up(), 0), 1), 0), 1)
    ack(play, 1, gap_ns=S)
    return complete(play, 0)


@fires("SD-016")
def heartbeat_after_shutdown_complete():
    return up().shut_down().wait(S).send(0, chunks.heartbeat())


@silent("SD-016")
def sack_overtaken_by_shutdown_complete():
    play = up().shut_down()
    return play.send(0, chunks.sack(play.ends[1].tsn - 1), gap_ns=MS)


@fires("SM-023")
def data_after_abort():
    return up().abort().wait(S).data(0)


@silent("SM-023")
def data_after_a_middlebox_aborted():
    return up().abort(ttl=250).wait(S).data(0)


@fires("SM-011")
def abort_answered_with_abort():
    play = up().abort(1)
    return play.abort(0, t=True).abort(1).abort(0, t=True).abort(1).abort(0, t=True)


@silent("SM-011")
def abort_answered_once():
    play = up().abort(1)
    return play.abort(0, t=True).abort(1).abort(0, t=True).data(1).abort(1).abort(0, t=True)
