# SPDX-License-Identifier: GPL-2.0-or-later
"""Round trips that grow while acks keep coming are those of a queue; ones that grow at once, or without acks, are not."""

import re

import pytest
from timed_scenario import TimedScenario, page_of

WORDS = "as when a queue on the way fills up"


def transfer(sender, sent_s, acked_s, size=1000):
    """Packets with one chunk each that leave at these times; every second one is acknowledged, at the time that stands for it."""
    far_s = 0.001
    scenario = TimedScenario(**dict(zip(("near_ns", "far_ns"), (100_000, round(far_s * 10**9))[::-1 if sender else 1])))
    events = [(time_s, "data", number) for number, time_s in enumerate(sent_s)]
    events += [(time_s, "sack", number) for number, time_s in enumerate(acked_s) if number % 2 or number + 1 == len(sent_s)]
    for time_s, kind, number in sorted(events):
        if kind == "data":
            scenario.data_at(0.1 + time_s, sender, number, size=size)
        else:
            scenario.sack_at(0.1 + time_s, 1 - sender, number)
    return scenario


def through(sent_s, each_s, way_s):
    """When acks come of packets that a link takes so long for, one after the other."""
    free_s, acked_s = 0, []
    for time_s in sent_s:
        free_s = max(free_s, time_s) + each_s
        acked_s.append(free_s + way_s)
    return acked_s


def evenly(packets, gap_s):
    return [number * gap_s for number in range(packets)]


def in_bursts(bursts, packets, gap_s):
    return [burst * gap_s + number * 0.0001 for burst in range(bursts) for number in range(packets)]


@pytest.mark.parametrize("sender, sent_s, each_s, way_s, least_s, most_s, bps", [
    (0, evenly(100, 0.010), 0.025, 0.005, 0.045, 1.3, 320_000),
    (1, evenly(44, 0.030), 0.100, 0.400, 0.570, 3.4, 80_000),
    (1, in_bursts(3, 60, 0.9), 0.012, 0.040, 0.064, 0.7, 666_667),
])
def test_round_trips_that_grow_while_acks_come_steadily_are_told_as_a_queue(tshark, tmp_path, sender, sent_s, each_s, way_s, least_s, most_s, bps):
    page = page_of(tshark, tmp_path, transfer(sender, sent_s, through(sent_s, each_s, way_s)))
    found = re.search(rf"#0 {sender}→{1 - sender} round trips grew from (\S+) (m?s) to (\S+) (m?s) \(median [^)]*\) while acks kept coming, "
                      rf"for ([\d,]+) bit/s of user data, {WORDS}", page)
    assert found and "Transport: no failures and no pauses" in page
    unit_s = {"s": 1, "ms": 0.001}
    assert float(found[1]) * unit_s[found[2]] == pytest.approx(least_s, rel=0.01)  # of the second packet
    assert float(found[3]) * unit_s[found[4]] == pytest.approx(most_s, rel=0.15)
    assert int(found[5].replace(",", "")) == pytest.approx(bps, rel=0.02)


def longer_way():
    sent_s = evenly(160, 0.005)
    return sent_s, [time_s + (0.030 if number < 60 else 0.110) for number, time_s in enumerate(sent_s)]


def outage():
    sent_s = evenly(160, 0.005)
    return sent_s, [time_s + 0.030 if not 0.2 < time_s < 0.6 else 0.630 for time_s in sent_s]


def shaken():
    sent_s = evenly(160, 0.005)
    return sent_s, [time_s + (0.030, 0.030, 0.090, 0.090)[number % 4] for number, time_s in enumerate(sent_s)]


def late_acks():
    """Lone messages, the SACKs of which are delayed now and then."""
    sent_s = evenly(160, 0.250)
    return sent_s, [time_s + (0.030, 0.030, 0.220)[number % 3] for number, time_s in enumerate(sent_s)]


def set_forward():
    """The clock is set by 400 ms, seven times."""
    sent_s = evenly(160, 0.005)
    acked_s = [time_s + 0.030 for time_s in sent_s]

    def stamp(time_s):
        return time_s + 0.4 * min(int(time_s / 0.1), 7)
    return list(map(stamp, sent_s)), list(map(stamp, acked_s))


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("sender", [0, 1])
@pytest.mark.parametrize("times", [longer_way, outage, shaken, late_acks, set_forward])
def test_round_trips_that_grow_at_once_are_none(tshark, tmp_path, sender, times):
    assert WORDS not in page_of(tshark, tmp_path, transfer(sender, *times()))


def test_a_link_that_takes_all_at_once_has_none(tshark, tmp_path):
    sent_s = in_bursts(3, 60, 0.9)
    assert WORDS not in page_of(tshark, tmp_path, transfer(0, sent_s, through(sent_s, 0.0001, 0.040)))
