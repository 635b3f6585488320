// SPDX-License-Identifier: GPL-2.0-or-later
//! Two dcSCTP sockets over a simulated link in virtual time: deterministic but for the tags and TSNs that the stack draws.
//! Writes into DIRECTORY: A.pcap and B.pcap (what the ends' interfaces show), M.pcap with middle=, gt.tsv and stack.log.
//!
//! Parameters and their defaults: delay=20 jitter=0 (ms each way) loss=0.01 dup=0 rate=20 (Mbit/s) queue=200 (packets)
//! outage=START:LENGTH (s) middle=SHARE (a tap in the middle; SHARE of delay and loss lie between A and it) seed=1
//! msgs=800 size=1400 streams=4 gap=0 (ms) back=0 (messages from B) unordered=0 lifetime=0 (ms) rtx=-1 idata=0
//! mtu=1191 rwnd=5242880 hb=30000 (ms) reset=0 collide=0 end=shutdown|abort|none until=60 (s)

mod application;
mod link;
mod parameters;
mod tap;
mod truth;

use application::{Application, Sockets};
use dcsctp::api::{Options, SocketEvent, SocketTime};
use link::{Link, Place};
use parameters::Parameters;
use std::time::Duration;
use tap::Tap;
use truth::Truth;

const NAMES: [&str; 2] = ["A", "B"];

struct Simulation {
    now_ns: u64,
    until_ns: u64,
    sockets: Sockets,
    link: Link,
    taps: [Tap; 2],
    middle: Option<Tap>,
    application: Application,
    truth: Truth,
    delivered: usize,
}

fn socket_options(parameters: &Parameters) -> Options {
    Options {
        enable_message_interleaving: parameters.is_set("idata"),
        mtu: parameters.count("mtu", 1191),
        max_receiver_window_buffer_size: parameters.count("rwnd", 5 << 20),
        per_stream_send_queue_limit: 64 << 20,
        max_send_buffer_size: 256 << 20,
        heartbeat_interval: parameters.milliseconds("hb", 30000.0),
        ..Options::default()
    }
}

fn socket_time(now_ns: u64) -> SocketTime {
    SocketTime::zero() + Duration::from_nanos(now_ns)
}

impl Simulation {
    fn new(parameters: &Parameters) -> Simulation {
        let file = |name: &str| format!("{}/{}", parameters.directory, name);
        truth::start_log(&file("stack.log"));
        let options = socket_options(parameters);
        let mut sockets = NAMES.map(|name| dcsctp::new_socket(name, &options));
        sockets[0].connect();
        if parameters.is_set("collide") {
            sockets[1].advance_time(socket_time(0));
            sockets[1].connect();
        }
        Simulation {
            now_ns: 0,
            until_ns: (parameters.number("until", 60.0) * 1e9) as u64,
            sockets,
            link: Link::new(parameters),
            taps: ["A.pcap", "B.pcap"].map(|name| Tap::create(&file(name))),
            middle: parameters.text("middle").map(|_| Tap::create(&file("M.pcap"))),
            application: Application::new(parameters),
            truth: Truth::create(&file("gt.tsv")),
            delivered: 0,
        }
    }

    fn run(&mut self) {
        loop {
            self.application.send(self.now_ns, &mut self.sockets);
            let connected_before = self.application.connected;
            self.serve_sockets();
            if self.application.connected != connected_before {
                continue;
            }
            if self.application.may_go_on(self.now_ns, &mut self.sockets) {
                continue;
            }
            let next_ns = self.next_event_ns();
            if next_ns >= self.application.stop_at_ns.unwrap_or(u64::MAX).min(self.until_ns) {
                break;
            }
            self.advance(next_ns);
        }
        let seconds = self.now_ns as f64 / 1e9;
        println!("virtual {seconds:.3}s, A sent {} messages, delivered {}", self.application.sent, self.delivered);
        log::logger().flush();
    }

    fn serve_sockets(&mut self) {
        for end in 0..2 {
            while let Some(event) = self.sockets[end].poll_event() {
                self.handle(end, event);
            }
            while self.sockets[end].get_next_message().is_some() {
                self.delivered += 1;
            }
            self.truth.note(self.now_ns, end, &*self.sockets[end]);
        }
    }

    fn handle(&mut self, end: usize, event: SocketEvent) {
        let seconds = self.now_ns as f64 / 1e9;
        match event {
            SocketEvent::SendPacket(data) => {
                let packet = self.link.send(self.now_ns, end, data);
                self.taps[end].write(self.now_ns, &packet);
            }
            SocketEvent::OnConnected() => {
                self.application.connected[end] = true;
                println!("{seconds:.6} {} connected", NAMES[end]);
            }
            SocketEvent::OnBufferedAmountLow(_) | SocketEvent::OnTotalBufferedAmountLow() => {}
            other => println!("{seconds:.6} {} {other:?}", NAMES[end]),
        }
    }

    fn next_event_ns(&self) -> u64 {
        let infinite = SocketTime::infinite_future();
        let timers = self.sockets.iter().map(|socket| socket.poll_timeout()).filter(|time| *time < infinite);
        timers
            .map(|time| (time - SocketTime::zero()).as_nanos() as u64)
            .chain(self.link.next_arrival_ns())
            .chain(self.application.next_send_ns(self.now_ns))
            .min()
            .unwrap_or(u64::MAX)
    }

    fn advance(&mut self, next_ns: u64) {
        self.now_ns = next_ns.max(self.now_ns);
        truth::set_log_time(self.now_ns);
        for socket in &mut self.sockets {
            socket.advance_time(socket_time(self.now_ns));
        }
        while let Some(arrival) = self.link.arrival_until(self.now_ns) {
            let packet = arrival.packet;
            match (arrival.place, &mut self.middle) {
                (Place::Middle, Some(tap)) => tap.write(arrival.at_ns, &packet),
                (Place::Middle, None) => {}
                (Place::End, _) => {
                    let end = 1 - packet.from;
                    self.taps[end].write(self.now_ns, &packet);
                    self.sockets[end].handle_input(&packet.data);
                }
            }
        }
    }
}

fn main() {
    Simulation::new(&Parameters::from_command_line()).run();
}
