"""Windows of receivers: whether they are true, reopened and moved in useful steps. End 0, near the tap, receives what end 1 sends."""

from generate import chunks
from plays import MS, S, Play
from register import fires, silent


def saying(play, cum_tsn, **options):
    return play.send(0, chunks.sack(cum_tsn, **options))


def filled():
    """End 1 has sent three chunks that are held."""
    play = Play().set_up().data(1, size=1000).sack(0)
    for _ in range(3):
        play.data(1, size=1000)
        saying(play, play.ends[1].tsn - 1, a_rwnd=9_000)
    return play


def refused(a_rwnd):
    play = filled()
    cum_tsn = play.ends[1].tsn - 1
    saying(play.data(1, size=1000), cum_tsn + 1, a_rwnd=a_rwnd)
    tsn = play.ends[1].tsn
    for _ in range(4):
        play.wait(1 * S).send(1, chunks.data(tsn, bytes(1000), ssn=5))
        saying(play, tsn - 1, a_rwnd=a_rwnd)
    return play


@fires("FL-015")
def drops_inside_its_window():
    return refused(5_000)


@silent("FL-015")
def takes_what_is_inside_its_window():
    play = filled()
    for _ in range(4):
        play.data(1, size=1000).sack(0)
    return play


@silent("FL-015", judged=False)
def drops_beyond_its_window():
    play = Play().set_up()
    for a_rwnd in (131072, 500):
        play.send(0, chunks.sack(play.ends[1].tsn - 1, a_rwnd=a_rwnd))
    for _ in range(4):
        play.wait(1 * S).send(1, chunks.data(play.ends[1].tsn, bytes(1000)))
        saying(play, play.ends[1].tsn - 1, a_rwnd=500)
    return play


def opened_after(wait_ns, told):
    play = filled()
    for _ in range(3):
        play.data(1, size=1000)
        saying(play, play.ends[1].tsn - 1, a_rwnd=0)
        if told:
            saying(play.wait(wait_ns), play.ends[1].tsn - 1)
        play.wait(wait_ns).data(1, size=1000).sack(0)
    return play


@fires("FL-007")
def only_the_probe_shows_the_open_window():
    return opened_after(1 * S, False)


@silent("FL-007")
def window_opens_at_once():
    return opened_after(50 * MS, False)


@silent("FL-007", judged=False)
def window_update_tells():
    return opened_after(1 * S, True)


def updates(count, step, gap_ns):
    play = filled()
    play.data(1, size=1000)
    for i in range(count):
        play.send(0, chunks.sack(play.ends[1].tsn - 1, a_rwnd=i * step), gap_ns=gap_ns)
    return play


@fires("FL-012")
def ten_updates_in_a_millisecond():
    return updates(10, 2000, MS // 10)


@silent("FL-012")
def ten_updates_in_a_second():
    return updates(10, 2000, 100 * MS)


@silent("FL-012")
def updates_by_a_quarter():
    return updates(4, 40_000, MS // 10)


def trickle(step):
    play = filled()
    for _ in range(7):
        play.data(1, size=1000)
        saying(play, play.ends[1].tsn - 1, a_rwnd=0)
        saying(play.wait(100 * MS), play.ends[1].tsn - 1, a_rwnd=step)
    return play


@fires("FL-005")
def window_trickles():
    return trickle(100)


@silent("FL-005")
def window_opens_by_a_chunk():
    return trickle(1000)


def probed(times, gap_ns=10 * S):
    play = filled().data(1, size=1000)
    saying(play, play.ends[1].tsn - 1, a_rwnd=0)
    for _ in range(times):
        play.wait(gap_ns).send(1, chunks.data(play.ends[1].tsn, bytes(1000), ssn=6))
        saying(play, play.ends[1].tsn - 1, a_rwnd=0)
    return play


@fires("FL-016")
def closed_for_a_minute():
    return probed(6)


@silent("FL-016")
def closed_for_twenty_seconds():
    return probed(4, 5 * S)


def held_up(probed_after_ns):
    """The window closes in the middle of a message."""
    play = filled()
    end = play.ends[1]
    play.send(1, chunks.data(end.tsn, bytes(1000), ssn=end.ssn, flags=chunks.BEGIN))
    end.tsn = end.tsn + 1 & 0xFFFFFFFF
    saying(play, end.tsn - 1, a_rwnd=0)
    if probed_after_ns:
        play.wait(probed_after_ns).send(1, chunks.data(end.tsn, bytes(1000), ssn=end.ssn, flags=0))
        saying(play, end.tsn - 1, a_rwnd=0)
    for _ in range(4):
        play.wait(40 * S).heartbeat(1)
    return play


@fires("FL-011", accused=1)
def nobody_probes_for_two_minutes():
    return held_up(0)


@silent("FL-011", accused=1)
def probe_after_a_second():
    return held_up(1 * S)


@fires("FL-014", accused=1)
def gives_up_while_probes_are_answered():
    return probed(6).abort(1)


@silent("FL-014", accused=1)
def application_gives_up():
    return probed(6).abort(1, causes=(chunks.user_abort(b"bored"),))
