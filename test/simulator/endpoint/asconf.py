# SPDX-License-Identifier: GPL-2.0-or-later
"""Dynamic addresses (RFC 5061): ASCONF and ASCONF-ACK, addresses added and deleted, the peer's primary.

Leaves out the bundling of several ASCONF chunks by the sender (5.5, MAY), and wildcard addresses but for Delete IP Address.
"""

from .. import wire
from ..wire import Tlv

STATES = ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED", "SHUTDOWN-SENT")


class Asconf:
    """The association's part."""

    def begin_asconf(self):
        self.asconf_timer = self.new_timer("T4-RTO", self.t4_expired)
        self.asconf_queue = []
        self.asconf_chunk = None
        self.asconf_serial = self.next_serial = self.peer_serial = 0
        self.asconf_changes = []
        self.asconf_path = None
        self.asconf_acks = {}
        self.pending_addresses = set()
        self.deleting_addresses = set()

    def begin_asconf_numbers(self, peer_initial_tsn):
        """5.1 A2."""
        self.next_serial = self.initial_tsn
        self.peer_serial = peer_initial_tsn - 1

    # The user's calls.
    def add_address(self, address):
        """4.2.1, F1: the address is used once the ASCONF-ACK has come."""
        if address in self.own_addresses or address in self.pending_addresses or address in self.deleting_addresses:
            return False
        return self.change_address(wire.ADD_IP_ADDRESS, address)

    def delete_address(self, address):
        """4.2.2, F4: not used as a source from now on; F5: never the last one."""
        if len([a for a in self.own_addresses if a != address and a not in self.deleting_addresses]) == 0 and not self.pending_addresses:
            return False
        return self.change_address(wire.DELETE_IP_ADDRESS, address)

    def set_peer_primary(self, address):
        """4.2.4."""
        return self.change_address(wire.SET_PRIMARY_ADDRESS, address)

    def change_address(self, type_, address):
        """A3: one ASCONF is outstanding at any time. False: the extension is not there."""
        if not self.uses_asconf or self.state not in STATES:
            return False
        self.asconf_queue.append((type_, address))
        if type_ == wire.ADD_IP_ADDRESS:
            self.pending_addresses.add(address)
            if address not in self.endpoint.addresses:
                self.endpoint.addresses.append(address)
        elif type_ == wire.DELETE_IP_ADDRESS:
            self.deleting_addresses.add(address)
            if address in self.own_addresses and len(self.own_addresses) > 1:
                self.own_addresses.remove(address)
        self.flush()
        return True

    # The sender (5.1).
    def queue_due_asconf(self):
        """A1 to A4."""
        if self.asconf_chunk is not None or not self.asconf_queue or self.state not in STATES:
            return
        self.asconf_changes, self.asconf_queue = self.asconf_queue, []
        parameters = [
            wire.correlated(type_, correlation, wire.address_parameter(address).encode())
            for correlation, (type_, address) in enumerate(self.asconf_changes, 1)
        ]
        self.asconf_serial = self.next_serial
        self.next_serial += 1
        self.asconf_chunk = wire.asconf_chunk(wire.ASCONF, self.asconf_serial, parameters, self.lookup_address())
        self.asconf_path = self.data_path()
        self.send_asconf()

    def lookup_address(self):
        """4.1.1: one that the peer knows; 5.3.2: the one that is deleted, if there is no other."""
        known = [a for a in self.own_addresses if a not in self.pending_addresses]
        return (known or sorted(self.deleting_addresses) or self.own_addresses)[0]

    def send_asconf(self):
        self.queue_control(self.asconf_chunk, self.asconf_path)
        self.asconf_timer.start(self.asconf_path.rto_ns, self.asconf_path.rto_ns)

    def t4_expired(self):
        """B1 to B5."""
        if self.state not in STATES or self.asconf_chunk is None:
            return
        self.count_path_error(self.asconf_path)
        if self.count_association_error():
            return
        self.back_off_rto(self.asconf_path)
        self.asconf_path = self.other_path(self.asconf_path) or self.data_path()
        self.send_asconf()
        self.flush()

    def receive_asconf_ack(self, chunk):
        """A5 to A8, F0."""
        if self.state not in STATES or len(chunk.value) < 4:
            return None
        serial = wire.unwrap(wire.read_word(chunk), self.next_serial)
        if self.asconf_chunk is None or serial != self.asconf_serial:
            if serial >= self.next_serial:
                self.abort_with([Tlv(wire.ILLEGAL_ASCONF_ACK)])
                return False
            return None
        self.asconf_timer.stop()
        self.asconf_chunk = None
        self.errors = 0
        self.clear_path_errors(self.asconf_path)
        self.take_asconf_results(wire.parse_tlvs(chunk.value[4:]))
        return None

    def take_asconf_results(self, responses):
        """A7, A8: what is not reported before a failure succeeded, what is not after it failed."""
        failed, succeeded = {}, set()
        for response in responses:
            if len(response.value) >= 4:
                correlation = int.from_bytes(response.value[:4], "big")
                if response.type == wire.ERROR_CAUSE_INDICATION:
                    failed[correlation] = wire.parse_tlvs(response.value[4:])
                elif response.type == wire.SUCCESS_INDICATION:
                    succeeded.add(correlation)
        first_failure = min(failed, default=None)
        for correlation, (type_, address) in enumerate(self.asconf_changes, 1):
            is_done = correlation not in failed and (first_failure is None or correlation < first_failure or correlation in succeeded)
            self.finish_change(type_, address, is_done)

    def finish_change(self, type_, address, is_done):
        """F2, F4."""
        if type_ == wire.ADD_IP_ADDRESS:
            self.pending_addresses.discard(address)
            if is_done and address not in self.own_addresses:
                self.own_addresses.append(address)
        elif type_ == wire.DELETE_IP_ADDRESS:
            self.deleting_addresses.discard(address)
            if not is_done and address not in self.own_addresses:
                self.own_addresses.append(address)
        what = {wire.ADD_IP_ADDRESS: "added", wire.DELETE_IP_ADDRESS: "deleted", wire.SET_PRIMARY_ADDRESS: "set primary"}[type_]
        self.application.address_changed(self, address, what if is_done else "refused")

    # The receiver (5.2).
    def receive_asconf(self, chunk):
        """D4 to E6."""
        if self.state not in STATES or len(chunk.value) < 4:
            return None
        if not self.asconf_is_authenticated():
            return False
        serial = wire.unwrap(wire.read_word(chunk), self.peer_serial)
        if serial <= self.peer_serial:
            if serial in self.asconf_acks:
                self.answer_asconf(self.asconf_acks[serial])
            return None
        if serial != self.peer_serial + 1:
            return None
        ack = wire.asconf_chunk(wire.ASCONF_ACK, serial, self.process_asconf(wire.parse_tlvs(chunk.value[4:])[1:]))
        self.asconf_acks = {serial: ack}
        self.peer_serial = serial
        self.answer_asconf(ack)
        return None

    def asconf_is_authenticated(self):
        """D5; without AUTH where the policy wants none."""
        return not self.policy.asconf_needs_auth or (self.uses_auth and self.authenticated_from not in (None, "wrong"))

    def answer_asconf(self, ack):
        """E6: to the source of the ASCONF."""
        path = self.paths.get(self.arrival_source) or self.arrival_path or self.data_path()
        self.queue_control(ack, path)

    def process_asconf(self, parameters):
        """V1 to V3: responses to what fails; silence is success."""
        responses = []
        for parameter in parameters:
            if len(parameter.value) < 4:
                break
            correlation, body = int.from_bytes(parameter.value[:4], "big"), parameter.value[4:]
            cause = self.asconf_failure(parameter, body)
            if cause is not None:
                responses.append(wire.correlated(wire.ERROR_CAUSE_INDICATION, correlation, cause.encode()))
        return responses

    def asconf_failure(self, parameter, body):
        """Does what the parameter asks; the cause if it does not (F7 to F9, F13, F14, 5.4)."""
        address = self.address_of_asconf(body)
        if parameter.type not in (wire.ADD_IP_ADDRESS, wire.DELETE_IP_ADDRESS, wire.SET_PRIMARY_ADDRESS):
            return Tlv(wire.UNRECOGNIZED_PARAMETERS, parameter.unpadded())
        if address is None:
            return Tlv(wire.UNRESOLVABLE_ADDRESS, body)
        if parameter.type == wire.ADD_IP_ADDRESS:
            if address not in self.paths:
                self.add_path(address, confirmed=False)
                self.begin_congestion_of_paths()
                self.report_path(self.paths[address], "ADDED")
                self.send_heartbeat(self.paths[address])
                self.start_heartbeat_timer(self.paths[address])
        elif parameter.type == wire.DELETE_IP_ADDRESS:
            return self.delete_peer_address(address, parameter)
        elif address in self.paths and self.paths[address].is_confirmed:
            self.primary = self.paths[address]
            self.primary_changed = True
        return None

    def address_of_asconf(self, body):
        tlvs = wire.parse_tlvs(body)
        if not tlvs or tlvs[0].type not in (wire.IPV4_ADDRESS, wire.IPV6_ADDRESS) or len(tlvs[0].value) not in (4, 16):
            return None
        address = wire.address_text(tlvs[0].value)
        return self.arrival_source if address in ("0.0.0.0", "::") else address

    def delete_peer_address(self, address, parameter):
        """F7, F8, F13."""
        if address not in self.paths:
            return None
        if len(self.paths) == 1:
            return Tlv(wire.DELETE_LAST_ADDRESS, parameter.unpadded())
        if address == self.arrival_source:
            return Tlv(wire.DELETE_SOURCE_ADDRESS, parameter.unpadded())
        path = self.remove_path(address)
        self.report_path(path, "REMOVED")
        return None
