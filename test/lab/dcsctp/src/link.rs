// SPDX-License-Identifier: GPL-2.0-or-later
//! The simulated link between A (end 0) and B (end 1): rate, drop-tail queue, delay, jitter, loss, duplicates, an outage, and
//! optionally a place in the middle which sees what passes there.

use crate::parameters::Parameters;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

const IP_HEADER_BYTES: usize = 20;

#[derive(Clone, PartialEq, Eq)]
pub struct Packet {
    pub from: usize,
    pub ip_id: u16,
    pub data: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Middle,
    End,
}

#[derive(PartialEq, Eq)]
pub struct Arrival {
    pub at_ns: u64,
    order: u64,
    pub place: Place,
    pub packet: Packet,
}

impl Ord for Arrival {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at_ns, other.order).cmp(&(self.at_ns, self.order))
    }
}

impl PartialOrd for Arrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// xorshift: the same losses for the same seed
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

pub struct Link {
    delay_ns: f64,
    jitter_ns: f64,
    loss: f64,
    duplicates: f64,
    bits_per_second: f64,
    queue_packets: u64,
    outage_ns: (u64, u64),
    /// the share of delay and loss that lies between A and the middle
    middle: Option<f64>,
    random: Random,
    free_at_ns: [u64; 2],
    ip_ids: [u16; 2],
    arrivals: BinaryHeap<Arrival>,
    arrival_count: u64,
}

impl Link {
    pub fn new(parameters: &Parameters) -> Link {
        Link {
            delay_ns: parameters.number("delay", 20.0) * 1e6,
            jitter_ns: parameters.number("jitter", 0.0) * 1e6,
            loss: parameters.number("loss", 0.01),
            duplicates: parameters.number("dup", 0.0),
            bits_per_second: parameters.number("rate", 20.0) * 1e6,
            queue_packets: parameters.count("queue", 200) as u64,
            outage_ns: parameters.outage_ns(),
            middle: parameters.text("middle").map(|_| parameters.number("middle", 0.5)),
            random: Random((parameters.number("seed", 1.0) as u64).wrapping_mul(0x9E3779B97F4A7C15) | 1),
            free_at_ns: [0; 2],
            ip_ids: [0; 2],
            arrivals: BinaryHeap::new(),
            arrival_count: 0,
        }
    }

    pub fn next_arrival_ns(&self) -> Option<u64> {
        self.arrivals.peek().map(|arrival| arrival.at_ns)
    }

    pub fn arrival_until(&mut self, now_ns: u64) -> Option<Arrival> {
        self.arrivals.peek().filter(|arrival| arrival.at_ns <= now_ns)?;
        self.arrivals.pop()
    }

    /// Takes a packet from an end and gives it back as the tap of that end sees it.
    pub fn send(&mut self, now_ns: u64, from: usize, data: Vec<u8>) -> Packet {
        self.ip_ids[from] = self.ip_ids[from].wrapping_add(1);
        let packet = Packet { from, ip_id: self.ip_ids[from], data };
        self.transmit(now_ns, &packet);
        packet
    }

    fn transmit(&mut self, now_ns: u64, packet: &Packet) {
        let bits = (packet.data.len() + IP_HEADER_BYTES) as f64 * 8.0;
        let serialization_ns = (bits / self.bits_per_second * 1e9) as u64;
        let free_at = &mut self.free_at_ns[packet.from];
        *free_at = (*free_at).max(now_ns);
        if (*free_at - now_ns) / serialization_ns.max(1) > self.queue_packets {
            return;
        }
        *free_at += serialization_ns;
        let departure_ns = *free_at;
        if self.is_outage(now_ns) {
            self.fall_into_outage(departure_ns, packet);
        } else if self.random.uniform() < self.loss {
            self.lose(departure_ns, packet);
        } else {
            let copies = if self.random.uniform() < self.duplicates { 2 } else { 1 };
            for _ in 0..copies {
                self.deliver(departure_ns, packet);
            }
        }
    }

    fn is_outage(&self, now_ns: u64) -> bool {
        let (start, length) = self.outage_ns;
        length > 0 && now_ns >= start && now_ns < start + length
    }

    /// The share of the way that a packet has behind it when the middle sees it.
    fn share_before_middle(&self, from: usize) -> Option<f64> {
        self.middle.map(|share| if from == 0 { share } else { 1.0 - share })
    }

    fn transit_ns(&mut self) -> f64 {
        self.delay_ns + self.random.uniform() * self.jitter_ns
    }

    fn deliver(&mut self, departure_ns: u64, packet: &Packet) {
        let transit_ns = self.transit_ns();
        if let Some(share) = self.share_before_middle(packet.from) {
            self.push(departure_ns + (transit_ns * share) as u64, Place::Middle, packet);
        }
        self.push(departure_ns + transit_ns as u64, Place::End, packet);
    }

    fn lose(&mut self, departure_ns: u64, packet: &Packet) {
        let Some(share) = self.share_before_middle(packet.from) else { return };
        if self.random.uniform() >= share {
            self.push(departure_ns + (self.delay_ns * share) as u64, Place::Middle, packet);
        }
    }

    /// It is the half between the middle and B that fails.
    fn fall_into_outage(&mut self, departure_ns: u64, packet: &Packet) {
        if let (0, Some(share)) = (packet.from, self.middle) {
            self.push(departure_ns + (self.delay_ns * share) as u64, Place::Middle, packet);
        }
    }

    fn push(&mut self, at_ns: u64, place: Place, packet: &Packet) {
        self.arrival_count += 1;
        self.arrivals.push(Arrival { at_ns, order: self.arrival_count, place, packet: packet.clone() });
    }
}
