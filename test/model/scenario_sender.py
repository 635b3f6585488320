"""What the data sender sends: streams, SSNs, fragments, what it sends again."""

from generate import chunks
from plays import MS, S, Play
from register import fires, silent

FORWARD_TSN = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)


def up(params=(b"", b""), **options):
    """An association that is set up, with a round trip measured."""
    return Play(**options).set_up(params=params).data().sack()


def send(play, *datas, gap_ns=None):
    """DATA chunks of end 0 in one packet: (options of chunks.data) each, TSNs one after the other unless given."""
    end, parts = play.ends[0], []
    for data in datas:
        tsn = data.pop("tsn", end.tsn)
        parts.append(chunks.data(tsn, data.pop("payload", bytes(20)), **data))
        end.tsn = tsn + 1
    return play.send(0, *parts, gap_ns=gap_ns)


@fires("TX-002")
def other_payload_sent_again():
    play = up().data(size=20)
    return play.wait(S).send(0, chunks.data(play.ends[0].tsn - 1, bytes(30), ssn=1)).sack()


@silent("TX-002")
def same_payload_sent_again_with_i_bit():
    play = up().data(size=20)
    return play.wait(S).send(0, chunks.data(play.ends[0].tsn - 1, bytes(20), ssn=1, flags=chunks.BEGIN | chunks.END |
                                            chunks.IMMEDIATE)).sack()


@silent("TX-002")
def unordered_sent_again_with_other_ssn():
    play = up()
    flags = chunks.BEGIN | chunks.END | chunks.UNORDERED
    send(play, dict(ssn=5, flags=flags))
    return play.wait(S).send(0, chunks.data(play.ends[0].tsn - 1, bytes(20), ssn=6, flags=flags)).sack()


@fires("TX-003")
def first_ssn_is_one():
    play = Play().set_up()
    return send(play, dict(ssn=1)).sack()


@silent("TX-003")
@silent("TX-004")
@silent("TX-011")
def streams_begin_at_zero():
    play = Play().set_up()
    send(play, dict(sid=0, ssn=0), dict(sid=3, ssn=0), dict(sid=3, ssn=7, flags=chunks.BEGIN | chunks.END | chunks.UNORDERED))
    return send(play, dict(sid=3, ssn=1), dict(sid=9, ssn=0), dict(sid=0, ssn=1)).sack()


@fires("TX-004")
def ssn_left_out():
    play = up()
    return send(play, dict(ssn=2)).sack()


@fires("TX-004")
def ssn_counts_unordered_message():
    play = up()
    send(play, dict(ssn=1, flags=chunks.BEGIN | chunks.END | chunks.UNORDERED))
    return send(play, dict(ssn=2)).sack()


@silent("TX-004")
def ssn_wraps():
    play = Play().send(0, chunks.heartbeat()).send(1, chunks.heartbeat_ack())
    return send(play, dict(ssn=65534), dict(ssn=65535), dict(ssn=0), dict(ssn=1)).sack()


@silent("TX-004")
def ssn_of_message_given_up():
    play = up((FORWARD_TSN, FORWARD_TSN))
    send(play, dict(ssn=1))
    send(play, dict(ssn=3))
    play.send(0, chunks.forward_tsn(play.ends[0].tsn - 1, [(0, 2)]))
    return play.sack()


@silent("TX-004")
def ssn_after_reset():
    play = up()
    send(play, dict(ssn=1)).sack()
    play.send(0, chunks.re_config(chunks.tlv(chunks.OUTGOING_RESET, bytes(12))))
    play.send(1, chunks.re_config(chunks.tlv(chunks.RESPONSE, bytes(7) + b"\1")))
    return send(play, dict(ssn=0)).sack()


@fires("TX-007")
def fragment_of_other_stream():
    play = up()
    return send(play, dict(ssn=1, flags=chunks.BEGIN), dict(sid=1, ssn=1, flags=chunks.END)).sack()


@silent("TX-007")
@silent("TX-008")
@silent("TX-009")
@silent("TX-010")
def unordered_fragments_with_any_ssn():
    play = up()
    return send(play, dict(ssn=1, flags=chunks.BEGIN | chunks.UNORDERED), dict(ssn=9, flags=chunks.UNORDERED),
                dict(ssn=7, flags=chunks.END | chunks.UNORDERED), dict(ssn=1)).sack()


@fires("TX-008")
def fragment_with_other_ppid():
    play = up()
    return send(play, dict(ssn=1, ppid=46, flags=chunks.BEGIN), dict(ssn=1, ppid=47, flags=chunks.END)).sack()


@fires("TX-009")
def fragments_with_a_message_between():
    play = up()
    return send(play, dict(ssn=1, flags=chunks.BEGIN), dict(sid=1, ssn=0), dict(ssn=1, flags=chunks.END)).sack()


def left_out(gaps):
    """A first and a last fragment in one packet, two TSNs between them left out; what the receiver says it has of them."""
    play = up((FORWARD_TSN, FORWARD_TSN))
    tsn = play.ends[0].tsn
    send(play, dict(ssn=1, flags=chunks.BEGIN))
    send(play, dict(ssn=1, tsn=tsn, flags=chunks.BEGIN), dict(ssn=1, tsn=tsn + 3, flags=chunks.END))
    play.send(1, chunks.sack(tsn, gaps=gaps))
    return send(play, dict(ssn=2), gap_ns=S)


@fires("TX-009")
def fragments_with_tsns_left_out():
    return left_out([(3, 3)])


@silent("TX-009")
def fragments_that_the_capture_missed():
    return left_out([(1, 3)])


@silent("TX-009")
def fragments_between_lost_before_tap():
    play = up((FORWARD_TSN, FORWARD_TSN))
    tsn = play.ends[0].tsn
    send(play, dict(ssn=1, flags=chunks.BEGIN))
    send(play, dict(ssn=1, tsn=tsn + 3, flags=chunks.END))
    return send(play, dict(ssn=2), gap_ns=S)


@fires("TX-010")
def fragment_after_end():
    play = up()
    return send(play, dict(ssn=1), dict(ssn=2, flags=chunks.END)).sack()


@fires("TX-010")
def message_without_end():
    play = up()
    return send(play, dict(ssn=1, flags=chunks.BEGIN), dict(ssn=2)).sack()


@silent("TX-010")
def message_given_up():
    play = up((FORWARD_TSN, FORWARD_TSN))
    return send(play, dict(ssn=1), dict(ssn=2, flags=chunks.BEGIN), dict(ssn=3)).sack()


@fires("TX-011")
def stream_beyond_agreed():
    play = up()
    return send(play, dict(sid=10)).sack()


@silent("TX-011")
def stream_was_added():
    play = up()
    send(play, dict(sid=9)).sack()
    play.send(0, chunks.re_config(chunks.tlv(chunks.ADD_OUTGOING, bytes(8))))
    play.send(1, chunks.re_config(chunks.tlv(chunks.RESPONSE, bytes(7) + b"\1")))
    return send(play, dict(sid=10)).sack()


def acknowledged_with_data(play):
    """End 0 sends data, end 1 acknowledges it together with data of its own, end 0 that."""
    play.data(0)
    tsn = play.ends[0].tsn - 1
    end = play.ends[1]
    play.send(1, chunks.sack(tsn), chunks.data(end.tsn, b"answer", ssn=end.ssn))
    end.tsn += 1
    end.ssn += 1
    play.sack(0)
    return tsn


def window_of(a_rwnd, packets):
    """The window shrinks to a_rwnd while 8 packets are acknowledged; then so many packets of 1000 bytes leave."""
    play = Play().set_up()
    for _ in range(4):
        play.data(size=1000).send(1, chunks.sack(play.ends[0].tsn - 1, a_rwnd=a_rwnd)).wait(100 * MS)
    for n in range(packets):
        play.data(size=1000)
        if n % 5 == 4:
            play.send(1, chunks.sack(play.ends[0].tsn - n // 2 - 1, a_rwnd=a_rwnd)).wait(50 * MS)
    return play.sack()


@fires("TX-012")
def window_overrun():
    return window_of(4000, 60)


@silent("TX-012")
def window_filled():
    return window_of(4000, 5)


@silent("TX-012")
def window_taken_back_in_flight():
    play = Play().set_up()
    for _ in range(4):
        play.data(size=1000).sack().wait(100 * MS)
    play.data(size=1000).send(1, chunks.sack(play.ends[0].tsn - 1, a_rwnd=4000))
    for _ in range(20):
        play.data(size=1000)
    return play.sack()


@fires("TX-018")
def acknowledged_sent_again():
    play = up()
    tsn = acknowledged_with_data(play)
    return play.wait(S).send(0, chunks.data(tsn, bytes(20), ssn=1))


@silent("TX-018")
def acknowledgement_was_perhaps_lost():
    play = up()
    acknowledged_with_data(play)
    play.data(0).sack()
    return play.wait(S).send(0, chunks.data(play.ends[0].tsn - 1, bytes(20), ssn=2))


def gap_acked(play, again, taken_back=False):
    """Three TSNs, the first lost; SACKs say so four times; then TSN number again is sent again."""
    first = play.ends[0].tsn
    play.data().data().data()
    for _ in range(4):
        play.send(1, chunks.sack(first - 1, gaps=() if taken_back and _ == 3 else [(2, 3)]), gap_ns=200 * MS)
    return play.send(0, chunks.data(first + again, bytes(20), ssn=1 + again))


@fires("TX-019")
def gap_acked_sent_again():
    return gap_acked(up(), 1)


@silent("TX-019")
def missing_sent_again():
    return gap_acked(up(), 0)


@fires("TX-020", accused=1)
def data_after_shutdown_ack():
    play = Play(near_ns=20 * MS, far_ns=MS // 10).set_up().exchange(2)
    play.send(0, chunks.shutdown(play.ends[1].tsn - 1)).send(1, chunks.shutdown_ack())
    return play.wait(S).data(1)


@silent("TX-020", accused=1)
def data_after_shutdown_of_the_peer():
    play = Play(near_ns=20 * MS, far_ns=MS // 10).set_up().exchange(2)
    play.send(0, chunks.shutdown(play.ends[1].tsn - 1)).data(1).send(0, chunks.shutdown(play.ends[1].tsn - 1))
    return play.send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete())


@fires("TX-022")
def ppid_reversed():
    play = Play().set_up()
    for ssn in range(12):
        send(play, dict(ssn=ssn, ppid=60 << 24)).sack()
    return play


@silent("TX-022")
def ppid_in_network_order():
    play = Play().set_up()
    for ssn in range(12):
        send(play, dict(ssn=ssn, ppid=60)).sack()
    return play


def ppids_on_port(port, ppid):
    play = Play(ports=(5001, port)).set_up()
    for ssn in range(12):
        send(play, dict(ssn=ssn, ppid=ppid)).sack()
    return play


@fires("TX-021")
def s1ap_on_port_of_ngap():
    return ppids_on_port(38412, 18)


@silent("TX-021")
def ngap_on_its_port():
    return ppids_on_port(38412, 60)


@silent("TX-021")
def no_ppid_on_port_of_ngap():
    return ppids_on_port(38412, 0)


def hundred(flags):
    play = Play().set_up()
    for ssn in range(110):
        send(play, dict(ssn=ssn, flags=flags(ssn)))
        if ssn % 2:
            play.sack()
    return play


@fires("TX-024")
def i_bit_on_all():
    return hundred(lambda ssn: chunks.BEGIN | chunks.END | chunks.IMMEDIATE)


@silent("TX-024")
def i_bit_on_every_second():
    return hundred(lambda ssn: chunks.BEGIN | chunks.END | (chunks.IMMEDIATE if ssn % 2 else 0))


def one_is_missing(others):
    """One TSN is sent again and again each second; others: is further data acknowledged meanwhile?"""
    play = up()
    first = play.ends[0].tsn
    play.data()
    for n in range(1, 8):
        if others:
            play.data().send(1, chunks.sack(first - 1, gaps=[(2, 1 + n)]))
        play.wait(S).send(0, chunks.data(first, bytes(20), ssn=1))
    return play


@fires("TX-027")
def one_tsn_never_arrives():
    return one_is_missing(True)


@silent("TX-027")
def nothing_arrives():
    return one_is_missing(False)
