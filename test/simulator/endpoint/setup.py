# SPDX-License-Identifier: GPL-2.0-or-later
"""Setting up an association (RFC 9260 5.1, 5.3): INIT, INIT ACK, State Cookie, COOKIE ECHO, COOKIE ACK, and what they negotiate.

Leaves out what happens when a TCB exists already (restart.py) and the verification of addresses (paths.py).
"""

import collections
import hashlib
import hmac
import math
import struct

from .. import wire
from ..wire import Tlv

A_RWND_MIN = 1500  # RFC 9260 3.3.2
MAC_BYTES = 32
ADDRESS_TYPES = (wire.IPV4_ADDRESS, wire.IPV6_ADDRESS)

# What a State Cookie holds (5.1.3). peer_init: value of the INIT; auth: the own RANDOM, CHUNKS and HMAC-ALGO as they stood in the INIT ACK.
Cookie = collections.namedtuple(
    "Cookie",
    "created_ns life_ns own_tag peer_tag local_tie_tag peer_tie_tag own_port peer_port initial_tsn outbound_streams inbound_streams "
    "source destination auth peer_init",
)
FIXED = struct.Struct("!QQIIIIHHIHH")

# What the parameters of an INIT or INIT ACK say. unrecognized: those to be reported; extensions: chunk types; failure: a cause if they cannot be
# taken.
Offer = collections.namedtuple(
    "Offer",
    "addresses cookie unrecognized forward_tsn extensions zero_checksum ecn random auth_chunks hmacs auth_bytes preservative_ms "
    "adaptation reported_back failure address_types",
)


def read_offer(init, is_recognized):
    """Offer of an Init's parameters; is_recognized(type) (RFC 9260 3.2.1, 3.2.2)."""
    f = dict(
        addresses=[],
        cookie=None,
        unrecognized=[],
        forward_tsn=False,
        extensions=(),
        zero_checksum=None,
        ecn=False,
        random=None,
        auth_chunks=(),
        hmacs=(),
        auth_bytes=b"",
        preservative_ms=0,
        adaptation=None,
        reported_back=[],
        failure=None,
        address_types=None,
    )
    for parameter in init.parameters:
        type_, value = parameter.type, parameter.value
        if parameter.is_malformed:
            f["failure"] = f["failure"] or Tlv(wire.PROTOCOL_VIOLATION)
            break
        if not is_recognized(type_):
            if type_ & 0x4000:
                f["unrecognized"].append(parameter)
            if not type_ & 0x8000:
                break
        elif type_ in ADDRESS_TYPES:
            if len(value) in (4, 16):
                f["addresses"].append(wire.address_text(value))
        elif type_ == wire.HOST_NAME_ADDRESS:
            f["failure"] = f["failure"] or Tlv(wire.UNRESOLVABLE_ADDRESS, parameter.unpadded())
        elif type_ == wire.STATE_COOKIE:
            f["cookie"] = value
        elif type_ == wire.UNRECOGNIZED_PARAMETER:
            f["reported_back"] += wire.parse_tlvs(value)
        elif type_ == wire.FORWARD_TSN_SUPPORTED:
            f["forward_tsn"] = True
        elif type_ == wire.SUPPORTED_EXTENSIONS:
            f["extensions"] = tuple(value)
        elif type_ == wire.ZERO_CHECKSUM_ACCEPTABLE and len(value) == 4:
            f["zero_checksum"] = int.from_bytes(value, "big")
        elif type_ == wire.ECN_CAPABLE:
            f["ecn"] = True
        elif type_ == wire.RANDOM:
            f["random"] = value
        elif type_ == wire.CHUNK_LIST:
            f["auth_chunks"] = tuple(value)
        elif type_ == wire.REQUESTED_HMAC:
            f["hmacs"] = tuple(number for (number,) in struct.iter_unpack("!H", value[: len(value) & ~1]))
        elif type_ == wire.COOKIE_PRESERVATIVE and len(value) == 4:
            f["preservative_ms"] = int.from_bytes(value, "big")
        elif type_ == wire.ADAPTATION_LAYER_INDICATION and len(value) == 4:
            f["adaptation"] = int.from_bytes(value, "big")
        elif type_ == wire.SUPPORTED_ADDRESS_TYPES:
            f["address_types"] = tuple(number for (number,) in struct.iter_unpack("!H", value[: len(value) & ~1]))
    f["auth_bytes"] = key_vector(init.parameters)
    return Offer(**f)


def key_vector(parameters):
    """RFC 4895 6.1: RANDOM, CHUNKS and HMAC-ALGO in this order, with type and length, without padding."""
    return b"".join(p.unpadded() for type_ in (wire.RANDOM, wire.CHUNK_LIST, wire.REQUESTED_HMAC) for p in parameters if p.type == type_)


class SetupResponder:
    """What an endpoint does with INIT and COOKIE ECHO without keeping a state."""

    def is_recognized_parameter(self, type_):
        """Of INIT and INIT ACK; extensions that the policy turns off are not recognized."""
        policy = self.policy
        if type_ == wire.FORWARD_TSN_SUPPORTED:
            return policy.forward_tsn or policy.forward_tsn_parameter_is_known
        return type_ in (
            wire.IPV4_ADDRESS, wire.IPV6_ADDRESS, wire.STATE_COOKIE, wire.UNRECOGNIZED_PARAMETER, wire.COOKIE_PRESERVATIVE, wire.HOST_NAME_ADDRESS,
            wire.SUPPORTED_ADDRESS_TYPES, wire.ECN_CAPABLE, wire.ZERO_CHECKSUM_ACCEPTABLE, wire.RANDOM, wire.CHUNK_LIST, wire.REQUESTED_HMAC,
            wire.PADDING,
            wire.SUPPORTED_EXTENSIONS, wire.ADAPTATION_LAYER_INDICATION,
        )  # fmt: skip

    def read_offer(self, init):
        return read_offer(init, self.is_recognized_parameter)

    def receive_init(self, packet, datagram, association):
        """RFC 9260 5.1 B, 5.2.1, 5.2.2, 8.4 (3), 8.5.1 A."""
        chunk = packet.chunks[0]
        if packet.tag != 0:
            self.receive_init_with_tag(packet, datagram, association)
            return
        if len(packet.chunks) != 1 or chunk.is_malformed:
            return
        init = wire.read_init(chunk)
        if init is None or init.tag == 0:
            return
        failure = self.init_failure(init)
        offer = self.read_offer(init)
        failure = failure or offer.failure or self.offer_failure(offer)
        if failure is not None:
            self.refuse_init(packet, datagram, init, [failure])
        elif association is not None:
            association.receive_unexpected_init(packet, datagram, init, offer)
        elif not self.is_listening:
            if self.policy.abort_of_closed_port:
                self.refuse_init(packet, datagram, init, [])
        else:
            self.send_init_ack(packet, datagram, init, offer)

    def receive_init_with_tag(self, packet, datagram, association):
        """An INIT whose Verification Tag is not 0: no rule of 8.5.1 takes it; out of the blue without an association (8.4), else discarded."""
        if association is None:
            self.receive_out_of_the_blue(packet, datagram)

    def init_failure(self, init):
        """The cause for which an INIT cannot be taken, None if it can (3.3.2)."""
        if init.a_rwnd < A_RWND_MIN or init.outbound_streams == 0 or init.inbound_streams == 0:
            return Tlv(wire.INVALID_PARAMETER)
        return None

    def offer_failure(self, offer):
        """RFC 4895 6.1: RANDOM has 32 bytes; RFC 5061 6: ASCONF without AUTH must be refused by who supports ASCONF."""
        if self.policy.auth and offer.random is not None and len(offer.random) != 32:
            return Tlv(wire.PROTOCOL_VIOLATION)
        if (
            self.policy.asconf
            and self.policy.asconf_needs_auth
            and wire.ASCONF in offer.extensions
            and (wire.AUTH not in offer.extensions or offer.random is None)
        ):
            return Tlv(wire.PROTOCOL_VIOLATION)
        return None

    def refuse_init(self, packet, datagram, init, causes):
        """5.1: ABORT with the Initiate Tag as Verification Tag, T bit 0."""
        if self.policy.invalid_init_answer:
            self.reply(packet, datagram, init.tag, [wire.causes_chunk(wire.ABORT, causes)])

    def new_tag(self):
        """5.3.1: random, not 0."""
        return self.random.randint(1, 0xFFFFFFFF)

    def new_initial_tsn(self):
        """3.3.2: random."""
        return self.random.randint(0, 0xFFFFFFFF)

    def send_init_ack(self, packet, datagram, init, offer):
        """5.1 B: to where the INIT came from, and nothing is kept."""
        outbound = (
            min(self.policy.outbound_streams, init.inbound_streams)
            if self.policy.outbound_streams_limited_in_init_ack
            else self.policy.outbound_streams
        )
        self.answer_init(packet, datagram, init, offer, self.new_tag(), self.new_initial_tsn(), 0, 0, outbound, self.policy.inbound_streams, None)

    def answer_init(self, packet, datagram, init, offer, own_tag, initial_tsn, local_tie_tag, peer_tie_tag, outbound, inbound, auth):
        """The INIT ACK with its State Cookie. auth: own AUTH parameters if these are fixed already, else None."""
        parameters = self.setup_parameters(None, offer, auth)
        auth_bytes = b"".join(p.unpadded() for p in parameters if p.type in (wire.RANDOM, wire.CHUNK_LIST, wire.REQUESTED_HMAC))
        life_ns = self.policy.cookie_life_ns + self.cookie_life_increment_ns(offer.preservative_ms)
        cookie = Cookie(
            self.simulation.now_ns,
            life_ns,
            own_tag,
            init.tag,
            local_tie_tag,
            peer_tie_tag,
            self.port,
            packet.source_port,
            initial_tsn,
            outbound,
            inbound,
            datagram.source,
            datagram.destination,
            auth_bytes,
            packet.chunks[0].value,
        )
        state_cookie = Tlv(wire.STATE_COOKIE, self.seal_cookie(cookie))
        addresses = [p for p in parameters if p.type in ADDRESS_TYPES]
        others = [p for p in parameters if p.type not in ADDRESS_TYPES]
        unrecognized = [Tlv(wire.UNRECOGNIZED_PARAMETER, p.unpadded()) for p in offer.unrecognized]
        order = self.policy.init_ack_order
        if order == "first":
            parameters = [state_cookie] + parameters + unrecognized
        elif order == "last":
            parameters = parameters + unrecognized + [state_cookie]
        else:
            parameters = addresses + [state_cookie] + others + unrecognized
        chunk = wire.init_chunk(wire.INIT_ACK, own_tag, self.policy.receive_buffer_bytes, outbound, inbound, initial_tsn, parameters)
        self.reply(packet, datagram, init.tag, [chunk])

    def cookie_life_increment_ns(self, asked_ms):
        """What of a Cookie Preservative (3.3.2.1.3) is granted: as much as was asked, up to a limit."""
        return min(asked_ms * 1_000_000, self.policy.cookie_life_increment_max_ns)

    def setup_parameters(self, association, peer_offer, auth=None):
        """Parameters of an INIT (association is given, peer_offer None) or INIT ACK, cookie and reports aside, in the order of the policy."""
        policy, groups = self.policy, {}
        types = self.own_extensions(peer_offer)
        if policy.adaptation is not None:
            groups["adaptation"] = [Tlv(wire.ADAPTATION_LAYER_INDICATION, struct.pack("!I", policy.adaptation))]
        if policy.ecn and (peer_offer is None or peer_offer.ecn):
            groups["ecn"] = [Tlv(wire.ECN_CAPABLE)]
        is_asked = peer_offer is None or peer_offer.forward_tsn or wire.FORWARD_TSN in peer_offer.extensions
        if policy.forward_tsn and policy.forward_tsn_parameter and (is_asked or policy.forward_tsn_unasked):
            groups["forward_tsn"] = [Tlv(wire.FORWARD_TSN_SUPPORTED)]
        if policy.zero_checksum and (peer_offer is None or peer_offer.zero_checksum is not None):
            groups["zero_checksum"] = [Tlv(wire.ZERO_CHECKSUM_ACCEPTABLE, struct.pack("!I", wire.EDMID_DTLS))]
        if types:
            groups["extensions"] = [Tlv(wire.SUPPORTED_EXTENSIONS, bytes(types))]
        if wire.AUTH in types:
            groups["auth"] = self.auth_parameters() if not auth else wire.parse_tlvs_unpadded(auth)
        if peer_offer is None and association is not None and association.preservative_ms:
            groups["preservative"] = [Tlv(wire.COOKIE_PRESERVATIVE, struct.pack("!I", association.preservative_ms))]
        if peer_offer is None and policy.sends_address_types:
            kinds = sorted({wire.IPV6_ADDRESS if ":" in a else wire.IPV4_ADDRESS for a in self.addresses})
            groups["address_types"] = [Tlv(wire.SUPPORTED_ADDRESS_TYPES, b"".join(struct.pack("!H", kind) for kind in kinds))]
        if len(self.addresses) > 1 or policy.lists_own_address:
            groups["addresses"] = [wire.address_parameter(address) for address in self.listed_addresses(peer_offer)]
        return [parameter for name in policy.parameter_order for parameter in groups.get(name, ())]

    def listed_addresses(self, peer_offer):
        """Own addresses that the peer is told (5.1.2): those of the families that it says it can use."""
        kinds = peer_offer.address_types if peer_offer is not None else None
        if not kinds:
            return self.addresses
        return [a for a in self.addresses if (wire.IPV6_ADDRESS if ":" in a else wire.IPV4_ADDRESS) in kinds] or self.addresses

    def own_extensions(self, peer_offer):
        """Supported Extensions (RFC 5061 4.2.7) of what the policy has; in an INIT ACK, too, all of them: each end states what it can."""
        policy = self.policy
        have = {
            wire.FORWARD_TSN: policy.forward_tsn and policy.lists_forward_tsn_as_extension,
            wire.I_FORWARD_TSN: policy.forward_tsn and policy.interleaving,
            wire.AUTH: policy.auth, wire.ASCONF: policy.asconf and (policy.auth or not policy.asconf_needs_auth),
            wire.ASCONF_ACK: policy.asconf and (policy.auth or not policy.asconf_needs_auth),
            wire.RE_CONFIG: policy.reconfig, wire.I_DATA: policy.interleaving, wire.NR_SACK: policy.nr_sack,
        }  # fmt: skip
        return [type_ for type_ in policy.extensions_order if have.get(type_)]

    def auth_parameters(self):
        """RANDOM, CHUNKS, HMAC-ALGO of RFC 4895 3.1 to 3.3; ASCONF and ASCONF-ACK are authenticated (RFC 5061 4.1.1)."""
        policy = self.policy
        types = sorted(set(policy.auth_chunks) | ({wire.ASCONF, wire.ASCONF_ACK} if policy.asconf else set()))
        random = bytes(self.random.getrandbits(8) for _ in range(policy.auth_random_bytes))
        return [
            Tlv(wire.RANDOM, random), Tlv(wire.REQUESTED_HMAC, b"".join(struct.pack("!H", h) for h in policy.auth_hmacs)), Tlv(wire.CHUNK_LIST,
            bytes(types)),
        ]  # fmt: skip

    # The State Cookie (5.1.3, 5.1.5).
    def seal_cookie(self, cookie):
        source, destination = wire.address_bytes(cookie.source), wire.address_bytes(cookie.destination)
        body = self.policy.cookie_magic + FIXED.pack(*cookie[:11])
        for part in (source, destination, cookie.auth, cookie.peer_init):
            body += struct.pack("!H", len(part)) + part
        body += bytes(max(0, self.policy.cookie_bytes_min - MAC_BYTES - len(body)))
        body += bytes(-len(body) % 4)
        return body + hmac.new(self.cookie_secret, body, hashlib.sha256).digest()

    def open_cookie(self, sealed):
        """Cookie, None if its MAC is not the own one."""
        body, mac = sealed[:-MAC_BYTES], sealed[-MAC_BYTES:]
        if len(sealed) < MAC_BYTES or hmac.new(self.cookie_secret, body, hashlib.sha256).digest() != mac:
            return None
        at = len(self.policy.cookie_magic)
        fixed = FIXED.unpack_from(body, at)
        at += FIXED.size
        parts = []
        for _ in range(4):
            (length,) = struct.unpack_from("!H", body, at)
            parts.append(body[at + 2 : at + 2 + length])
            at += 2 + length
        return Cookie(*fixed, wire.address_text(parts[0]), wire.address_text(parts[1]), parts[2], parts[3])

    def receive_cookie_echo(self, packet, datagram, association):
        """5.1.5 without, 5.2.4 with a TCB; the rest of the packet follows."""
        if packet.chunks[0].is_malformed:
            return
        cookie = self.open_cookie(packet.chunks[0].value)
        if cookie is None or not self.cookie_is_of(cookie, packet):
            return
        if association is not None:
            association.receive_cookie_echo_again(packet, datagram, cookie)
            return
        staleness_ns = self.simulation.now_ns - cookie.created_ns - cookie.life_ns
        if staleness_ns > 0:
            self.send_stale_cookie(packet, datagram, cookie, staleness_ns)
            return
        association = self.new_association(packet.source_port)
        association.establish_from_cookie(cookie, datagram)
        association.send_cookie_ack()
        association.go_up()
        association.receive_packet(packet, datagram, first=1)

    def cookie_is_of(self, cookie, packet):
        """5.1.5 (3): ports and Verification Tag are those of the cookie."""
        return cookie.own_port == packet.destination_port and cookie.peer_port == packet.source_port and cookie.own_tag == packet.tag

    def send_stale_cookie(self, packet, datagram, cookie, staleness_ns):
        """5.1.5 (4)."""
        measure = min(math.ceil(staleness_ns / 1000), 0xFFFFFFFF) if self.policy.stale_cookie_measure else 0
        self.reply(packet, datagram, cookie.peer_tag, [wire.causes_chunk(wire.ERROR, [wire.word_cause(wire.STALE_COOKIE, measure)])])


class Setup:
    """The association's part: the side that sends the INIT, and what both sides take from each other's parameters."""

    def begin_setup(self):
        self.t1_init = self.new_timer("T1-init", self.t1_init_expired)
        self.t1_cookie = self.new_timer("T1-cookie", self.t1_cookie_expired)
        self.setup_retransmissions = 0
        self.setup_rto_ns = self.policy.rto_initial_ns
        self.setup_sent_ns = None
        self.preservative_ms = 0
        self.stale_cookies = 0
        self.init = None
        self.cookie_value = None
        self.pending_errors = []
        self.local_tie_tag = self.peer_tie_tag = 0
        self.requested_addresses = []
        self.init_path_index = 0
        self.own_parameters = []
        self.uses_forward_tsn = (
            self.uses_interleaving
        ) = self.uses_reconfig = self.uses_asconf = self.uses_auth = self.uses_ecn = self.uses_nr_sack = False
        self.uses_zero_checksum = False
        self.peer_extensions = ()
        self.peer_adaptation = None
        self.outbound_streams = self.policy.outbound_streams
        self.inbound_streams = self.policy.inbound_streams

    def associate(self, peer_addresses):
        """5.1 A."""
        self.requested_addresses = peer_addresses
        self.own_tag = self.endpoint.new_tag()
        self.set_initial_tsn(self.endpoint.new_initial_tsn())
        self.outbound_streams = self.policy.outbound_streams
        for address in peer_addresses:
            self.add_path(address, confirmed=True)
        self.enter("COOKIE-WAIT", "associate")
        self.send_init()

    def send_init(self):
        """3.3.2; alone in its packet, Verification Tag 0."""
        if self.init is None:
            self.own_parameters = self.endpoint.setup_parameters(self, None)
            self.init = wire.init_chunk(
                wire.INIT,
                self.own_tag,
                self.policy.receive_buffer_bytes,
                self.policy.outbound_streams,
                self.policy.inbound_streams,
                self.initial_tsn,
                self.own_parameters,
            )
        path = self.setup_path()
        self.setup_sent_ns = self.simulation.now_ns if self.setup_retransmissions == 0 else None
        self.emit(path, [self.init], tag=0)
        self.t1_init.start(self.setup_rto_ns, self.setup_rto_ns)

    def setup_path(self):
        """5.1: retransmissions use all addresses of the peer."""
        paths = [self.paths[a] for a in self.requested_addresses if a in self.paths] or self.every_path
        return paths[self.init_path_index % len(paths)]

    def t1_init_expired(self):
        """5.1, 6.3: the INIT once more, up to Max.Init.Retransmits."""
        self.setup_retransmissions += 1
        if self.setup_retransmissions > self.policy.init_retransmissions_max:
            self.close("setup failed")
            return
        self.back_off_setup()
        self.send_init()

    def back_off_setup(self):
        """6.3.3 E2 for T1."""
        self.init_path_index += 1
        if self.policy.init_timer_doubles:
            self.setup_rto_ns = min(self.setup_rto_ns * 2, self.policy.rto_max_ns)

    def receive_init_ack(self, chunk):
        """5.1 C, 3.3.3; elsewhere than in COOKIE-WAIT it is discarded (5.2.3)."""
        if self.state != "COOKIE-WAIT":
            return None
        if not self.stands_alone and self.policy.bundled_alone_answer != "take":
            return self.receive_bundled_init_ack(chunk)
        init = wire.read_init(chunk)
        if init is None:
            return False
        offer = self.endpoint.read_offer(init)
        failure = self.init_ack_failure(init, offer)
        if failure is not None:
            self.refuse_init_ack(init, failure)
            return False
        self.t1_init.stop()
        if self.setup_sent_ns is not None and self.policy.rtt_from_setup:
            self.measure_rtt(self.arrival_path or self.setup_path(), self.simulation.now_ns - self.setup_sent_ns)
        self.take_offer(init, offer, self.arrival_source)
        self.cookie_value = offer.cookie
        self.setup_retransmissions = 0
        self.setup_rto_ns = self.policy.rto_initial_ns
        self.enter("COOKIE-ECHOED", "INIT ACK")
        self.pending_errors = self.unrecognized_parameter_errors(offer.unrecognized)
        self.send_cookie_echo()
        return False

    def receive_bundled_init_ack(self, chunk):
        """6.10: must not happen; no clause says what is done."""
        if self.policy.bundled_alone_answer == "abort":
            self.refuse_init_ack(wire.read_init(chunk), Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text))
        return False

    def init_ack_failure(self, init, offer):
        """The cause for which an INIT ACK cannot be taken, None if it can (3.3.3, 5.1.2 B)."""
        if (
            init.tag == 0
            or init.a_rwnd < A_RWND_MIN
            or init.outbound_streams == 0
            or init.inbound_streams == 0
            or self.init_ack_asks_too_many_streams(init)
        ):
            return Tlv(wire.INVALID_PARAMETER)
        if offer.failure is not None or self.endpoint.offer_failure(offer) is not None:
            return offer.failure or self.endpoint.offer_failure(offer)
        if offer.cookie is None:
            return wire.missing_parameter_cause([wire.STATE_COOKIE])
        return None

    def init_ack_asks_too_many_streams(self, init):
        """3.3.3: OS must not be greater than the MIS of the INIT; what the receiver does then is nowhere said: taken (see disagreements.md)."""
        return False

    def refuse_init_ack(self, init, failure):
        """3.3.3: OS, MIS or tag 0: the TCB is destroyed; a_rwnd below 1500: no state changes; in all cases an ABORT."""
        reflects = init.tag == 0 or self.policy.t_bit_for_refused_init_ack
        tag = self.own_tag if reflects else init.tag
        self.emit(self.arrival_path or self.setup_path(), [wire.causes_chunk(wire.ABORT, [failure], wire.FLAG_T if reflects else 0)], tag=tag)
        if init.a_rwnd >= A_RWND_MIN or 0 in (init.tag, init.outbound_streams, init.inbound_streams):
            self.close("setup failed")

    def unrecognized_parameter_errors(self, parameters):
        """3.2.2: an ERROR that goes with the COOKIE ECHO."""
        if not parameters:
            return []
        return [wire.causes_chunk(wire.ERROR, [Tlv(wire.UNRECOGNIZED_PARAMETERS, wire.encode_tlvs(parameters))])]

    def send_cookie_echo(self):
        """5.1 C: first in its packet; DATA may follow, nothing else is sent until the COOKIE ACK."""
        path = self.setup_path() if self.setup_retransmissions else self.cookie_echo_path()
        chunks = [wire.Chunk(wire.COOKIE_ECHO, 0, self.cookie_value)]
        if self.pending_errors and self.packet_bytes(path, chunks + self.pending_errors) <= path.pmtu:
            chunks += self.pending_errors
        self.setup_sent_ns = self.simulation.now_ns if self.setup_retransmissions == 0 else None
        data = self.data_with_cookie_echo(path, chunks)
        self.emit(path, chunks, data)
        self.t1_cookie.start(self.setup_rto_ns, self.setup_rto_ns)

    def cookie_echo_path(self):
        """To where the INIT ACK came from, if that is confirmed, else to where the INIT went (5.4, 6.4)."""
        path = self.arrival_path
        return path if path is not None and path.is_confirmed else self.setup_path()

    def data_with_cookie_echo(self, path, chunks):
        """5.1 C: pending DATA, up to one packet."""
        if not self.policy.bundles_data_with_cookie_echo or self.setup_retransmissions:
            return []
        return self.take_data(path, self.room_bytes(path, chunks))

    def t1_cookie_expired(self):
        """5.1.4: the COOKIE ECHO once more, up to Max.Init.Retransmits."""
        self.setup_retransmissions += 1
        if self.setup_retransmissions > self.policy.init_retransmissions_max:
            self.close("setup failed")
            return
        self.back_off_setup()
        self.send_cookie_echo()

    def receive_cookie_ack(self, chunk):
        """5.1 E; elsewhere than in COOKIE-ECHOED it is discarded (5.2.5)."""
        if self.state != "COOKIE-ECHOED":
            return
        self.t1_cookie.stop()
        if self.setup_sent_ns is not None and self.policy.rtt_from_setup and self.arrival_path is not None:
            self.measure_rtt(self.arrival_path, self.simulation.now_ns - self.setup_sent_ns)
        self.enter("ESTABLISHED", "COOKIE ACK")
        self.go_up()

    def send_cookie_ack(self):
        """5.1 D; to an unconfirmed address only with a HEARTBEAT (5.4)."""
        path = self.arrival_path or self.primary
        if not path.is_confirmed and not self.policy.bundles_control:
            path = self.data_path()
        self.queue_control(wire.Chunk(wire.COOKIE_ACK), path)
        if not path.is_confirmed:
            self.send_heartbeat(path)

    def go_up(self):
        """COMMUNICATION UP; paths are probed and HEARTBEATs begin (5.4, 8.3)."""
        self.was_up = True
        self.start_heartbeats()
        self.application.up(self)

    def receive_stale_cookie(self):
        """5.2.6: one of three ways; the cookie's answer came after one round trip."""
        if self.state != "COOKIE-ECHOED":
            return
        self.t1_cookie.stop()
        answer = self.policy.stale_cookie_answer
        if answer == "close":
            self.close("stale cookie")
            return
        if answer == "preservative":
            rtt_ms = (self.simulation.now_ns - self.setup_sent_ns) // 1_000_000 if self.setup_sent_ns is not None else 0
            self.preservative_ms = rtt_ms + 1000
        self.stale_cookies += 1
        self.setup_retransmissions += 1
        if max(self.stale_cookies, self.setup_retransmissions) > self.policy.init_retransmissions_max:
            self.close("setup failed")
            return
        self.take_back_data()
        self.init = None
        self.enter("COOKIE-WAIT", "stale cookie")
        self.send_init()

    # What was negotiated.
    def take_offer(self, init, offer, source):
        """The peer's tag, TSN, window, streams, addresses and extensions (5.1.1, 5.1.2)."""
        policy = self.policy
        self.peer_tag = init.tag
        self.set_peer_initial_tsn(init.initial_tsn)
        self.peer_rwnd = init.a_rwnd
        self.peer_rwnd_max = init.a_rwnd
        self.outbound_streams = min(self.outbound_streams, init.inbound_streams)
        self.inbound_streams = min(self.inbound_streams, init.outbound_streams)
        self.take_addresses(offer.addresses, source)
        extensions = self.peer_extensions = offer.extensions
        self.uses_interleaving = policy.interleaving and wire.I_DATA in extensions
        peer_forwards = wire.I_FORWARD_TSN in extensions if self.uses_interleaving else offer.forward_tsn or wire.FORWARD_TSN in extensions
        self.uses_forward_tsn = policy.forward_tsn and peer_forwards and not self.forward_tsn_was_refused(offer)
        self.uses_reconfig = policy.reconfig and wire.RE_CONFIG in extensions
        self.uses_auth = policy.auth and offer.random is not None and bool(offer.hmacs)
        self.uses_asconf = (
            policy.asconf and wire.ASCONF in extensions and wire.ASCONF_ACK in extensions and (self.uses_auth or not policy.asconf_needs_auth)
        )
        self.uses_ecn = policy.ecn and offer.ecn
        self.uses_nr_sack = policy.nr_sack and wire.NR_SACK in extensions
        self.uses_zero_checksum = policy.zero_checksum and offer.zero_checksum == wire.EDMID_DTLS
        self.peer_adaptation = offer.adaptation
        if self.uses_auth:
            self.take_auth_offer(offer)
        self.begin_congestion_of_paths()
        self.begin_streams()
        self.begin_reconfig_numbers(init.initial_tsn)

    def forward_tsn_was_refused(self, offer):
        """RFC 3758 3.3.3: the INIT ACK reports Forward-TSN-Supported as unrecognized."""
        return any(parameter.type == wire.FORWARD_TSN_SUPPORTED for parameter in offer.reported_back)

    def take_addresses(self, addresses, source):
        """5.1.2 A, C: those listed and the source; of families that this endpoint has none of, none."""
        families = {":" in address for address in self.own_addresses}
        wanted = [source] if source is not None else []
        wanted += [address for address in addresses if address not in wanted and (":" in address) in families]
        for address in wanted:
            if address not in self.paths:
                self.add_path(address, confirmed=address in self.requested_addresses)
        if self.requested_addresses:
            for address in [a for a in self.paths if a not in wanted]:
                self.remove_path(address)
        if self.primary is None or self.primary.address not in self.paths:
            self.primary = next(iter(self.paths.values()))

    def establish_from_cookie(self, cookie, datagram):
        """5.1.5 (5): the TCB from what the cookie holds."""
        chunk = wire.Chunk(wire.INIT, 0, cookie.peer_init)
        init = wire.read_init(chunk)
        offer = self.endpoint.read_offer(init)
        self.own_tag = cookie.own_tag
        self.outbound_streams = cookie.outbound_streams
        self.inbound_streams = cookie.inbound_streams
        self.set_initial_tsn(cookie.initial_tsn)
        self.own_parameters = wire.parse_tlvs_unpadded(cookie.auth)
        self.add_path(cookie.source, confirmed=True)
        self.take_offer(init, offer, cookie.source)
        self.arrival_path = self.paths.get(datagram.source)
        self.learn_udp_port(self.arrival_path, datagram)
        self.enter("ESTABLISHED", "COOKIE ECHO")
