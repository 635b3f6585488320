// SPDX-License-Identifier: GPL-2.0-or-later
//! What the two applications do: A sends messages (paced or at once), B may send some back, A may reset streams, A ends it.

use crate::parameters::Parameters;
use dcsctp::api::{DcSctpSocket, Message, PpId, SendOptions, StreamId};
use std::time::Duration;

const RESET_PAUSE_NS: u64 = 300_000_000;
const MESSAGES_AFTER_RESET: usize = 20;
const AFTER_SHUTDOWN_NS: u64 = 5_000_000_000;
const AFTER_ABORT_NS: u64 = 1_000_000_000;
const EARLIEST_ABORT_NS: u64 = 300_000_000;

pub type Sockets = [Box<dyn DcSctpSocket>; 2];

pub struct Application {
    messages: usize,
    message_bytes: usize,
    messages_back: usize,
    streams: usize,
    gap_ns: u64,
    resets_left: usize,
    end: String,
    send_options: SendOptions,
    pub connected: [bool; 2],
    pub sent: usize,
    sent_back: usize,
    next_send_ns: u64,
    pub stop_at_ns: Option<u64>,
}

impl Application {
    pub fn new(parameters: &Parameters) -> Application {
        Application {
            messages: parameters.count("msgs", 800),
            message_bytes: parameters.count("size", 1400),
            messages_back: parameters.count("back", 0),
            streams: parameters.count("streams", 4),
            gap_ns: parameters.milliseconds("gap", 0.0).as_nanos() as u64,
            resets_left: parameters.count("reset", 0),
            end: parameters.text("end").unwrap_or("shutdown").to_string(),
            send_options: send_options(parameters),
            connected: [false; 2],
            sent: 0,
            sent_back: 0,
            next_send_ns: 0,
            stop_at_ns: None,
        }
    }

    pub fn send(&mut self, now_ns: u64, sockets: &mut Sockets) {
        if self.connected[0] && self.sent < self.messages && now_ns >= self.next_send_ns {
            self.send_from_a(now_ns, sockets);
        }
        while self.connected[1] && self.sent_back < self.messages_back {
            let message = self.message(self.sent_back, PpId(53), vec![b'z'; self.message_bytes]);
            let _ = sockets[1].send(message, &self.send_options);
            self.sent_back += 1;
        }
    }

    fn send_from_a(&mut self, now_ns: u64, sockets: &mut Sockets) {
        let count = if self.gap_ns > 0 { 1 } else { self.messages - self.sent };
        for _ in 0..count {
            let payload = (0..self.message_bytes).map(|k| b'a' + ((self.sent + k) % 26) as u8).collect();
            let message = self.message(self.sent, PpId(51), payload);
            if sockets[0].send(message, &self.send_options).is_err() {
                break;
            }
            self.sent += 1;
        }
        self.next_send_ns = now_ns + self.gap_ns;
    }

    fn message(&self, number: usize, ppid: PpId, payload: Vec<u8>) -> Message {
        Message::new(StreamId((number % self.streams) as u16), ppid, payload)
    }

    fn is_idle(&self, sockets: &Sockets) -> bool {
        let nothing_in_flight = |socket: &dyn DcSctpSocket| socket.get_metrics().is_some_and(|m| m.unack_data_count == 0);
        let nothing_queued =
            |socket: &dyn DcSctpSocket| (0..self.streams).all(|k| socket.buffered_amount(StreamId(k as u16)) == 0);
        self.sent >= self.messages
            && self.sent_back >= self.messages_back
            && sockets.iter().all(|socket| nothing_in_flight(&**socket) && nothing_queued(&**socket))
    }

    /// Resets streams or ends the association when it is time; true if it did, and the stack may have something to send.
    pub fn may_go_on(&mut self, now_ns: u64, sockets: &mut Sockets) -> bool {
        if self.stop_at_ns.is_some() {
            return false;
        }
        if self.end == "abort" && self.sent >= self.messages && now_ns > EARLIEST_ABORT_NS {
            sockets[0].close();
            self.stop_at_ns = Some(now_ns + AFTER_ABORT_NS);
            return true;
        }
        if !self.connected[0] || !self.is_idle(sockets) {
            return false;
        }
        if self.resets_left > 0 {
            self.reset_streams(now_ns, sockets);
            return true;
        }
        if self.end != "abort" {
            if self.end == "shutdown" {
                sockets[0].shutdown();
            }
            self.stop_at_ns = Some(now_ns + AFTER_SHUTDOWN_NS);
            return true;
        }
        false
    }

    fn reset_streams(&mut self, now_ns: u64, sockets: &mut Sockets) {
        let status = sockets[0].reset_streams(&[StreamId(0), StreamId(1)]);
        println!("{:.6} A reset_streams {:?}", now_ns as f64 / 1e9, status);
        self.resets_left -= 1;
        self.sent = self.sent.saturating_sub(MESSAGES_AFTER_RESET);
        self.next_send_ns = now_ns + RESET_PAUSE_NS;
    }

    pub fn next_send_ns(&self, now_ns: u64) -> Option<u64> {
        let waits = self.connected[0] && self.sent < self.messages && (self.gap_ns > 0 || self.next_send_ns > now_ns);
        waits.then(|| self.next_send_ns.max(now_ns))
    }
}

fn send_options(parameters: &Parameters) -> SendOptions {
    let lifetime_ms = parameters.number("lifetime", 0.0);
    let retransmissions = parameters.number("rtx", -1.0);
    SendOptions {
        unordered: parameters.is_set("unordered"),
        lifetime: (lifetime_ms > 0.0).then(|| Duration::from_millis(lifetime_ms as u64)),
        max_retransmissions: (retransmissions >= 0.0).then_some(retransmissions as u16),
        ..SendOptions::default()
    }
}
