// SPDX-License-Identifier: GPL-2.0-or-later
//! A capture file of one place on the link: nanosecond pcap, raw IPv4 around the stack's packets.

use crate::link::Packet;
use std::fs::File;
use std::io::{BufWriter, Write};

/// Virtual time 0 is 2026-01-01 00:00:00 UTC.
pub const EPOCH_S: u64 = 1767225600;
const LINKTYPE_RAW: u32 = 101;
const PROTOCOL_SCTP: u8 = 132;

pub struct Tap(BufWriter<File>);

impl Tap {
    pub fn create(path: &str) -> Tap {
        let mut file = BufWriter::new(File::create(path).unwrap());
        let version = 2 | 4 << 16;
        for word in [0xa1b23c4d, version, 0, 0, 0x40000, LINKTYPE_RAW] {
            file.write_all(&u32::to_le_bytes(word)).unwrap();
        }
        Tap(file)
    }

    pub fn write(&mut self, now_ns: u64, packet: &Packet) {
        let header = ip_header(packet);
        let length = (header.len() + packet.data.len()) as u32;
        let seconds = (EPOCH_S + now_ns / 1_000_000_000) as u32;
        for word in [seconds, (now_ns % 1_000_000_000) as u32, length, length] {
            self.0.write_all(&word.to_le_bytes()).unwrap();
        }
        self.0.write_all(&header).unwrap();
        self.0.write_all(&packet.data).unwrap();
    }
}

fn ip_header(packet: &Packet) -> [u8; 20] {
    let (from, to) = (packet.from as u8, 1 - packet.from as u8);
    let length = (packet.data.len() as u16 + 20).to_be_bytes();
    let id = packet.ip_id.to_be_bytes();
    let mut header = [
        0x45, 0, length[0], length[1], id[0], id[1], 0x40, 0, 64, PROTOCOL_SCTP, 0, 0, 10, 9, from, 1, 10, 9, to, 1,
    ];
    let words = header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let mut sum: u32 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    header[10..12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
    header
}
