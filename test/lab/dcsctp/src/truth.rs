// SPDX-License-Identifier: GPL-2.0-or-later
//! What the stack says of itself: its metrics after every event (gt.tsv, only changes) and its own log (stack.log).

use crate::tap::EPOCH_S;
use dcsctp::api::DcSctpSocket;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

static NOW_NS: AtomicU64 = AtomicU64::new(0);
static LOG: Mutex<Option<BufWriter<File>>> = Mutex::new(None);

struct StackLog;

fn time_stamp(now_ns: u64) -> String {
    format!("{}.{:09}", EPOCH_S + now_ns / 1_000_000_000, now_ns % 1_000_000_000)
}

impl log::Log for StackLog {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        let text = record.args().to_string();
        if text.contains("SCTP_PACKET") {
            return;
        }
        if let Some(file) = LOG.lock().unwrap().as_mut() {
            let _ = writeln!(file, "{} {}", time_stamp(NOW_NS.load(Ordering::Relaxed)), text);
        }
    }

    fn flush(&self) {
        if let Some(file) = LOG.lock().unwrap().as_mut() {
            let _ = file.flush();
        }
    }
}

pub fn start_log(path: &str) {
    *LOG.lock().unwrap() = Some(BufWriter::new(File::create(path).unwrap()));
    log::set_logger(&StackLog).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
}

pub fn set_log_time(now_ns: u64) {
    NOW_NS.store(now_ns, Ordering::Relaxed);
}

pub struct Truth {
    file: BufWriter<File>,
    last: [String; 2],
}

impl Truth {
    pub fn create(path: &str) -> Truth {
        let mut file = BufWriter::new(File::create(path).unwrap());
        writeln!(file, "time\tend\tcwnd\tsrtt_ms\tunacked_chunks\tpeer_rwnd\trtx_packets\trtx_bytes").unwrap();
        Truth { file, last: [String::new(), String::new()] }
    }

    pub fn note(&mut self, now_ns: u64, end: usize, socket: &dyn DcSctpSocket) {
        let Some(metrics) = socket.get_metrics() else { return };
        let row = format!(
            "{}\t{}\t{:.3}\t{}\t{}\t{}\t{}",
            ["A", "B"][end],
            metrics.cwnd_bytes,
            metrics.srtt.as_secs_f64() * 1e3,
            metrics.unack_data_count,
            metrics.peer_rwnd_bytes,
            metrics.rtx_packets_count,
            metrics.rtx_bytes_count
        );
        if row != self.last[end] {
            writeln!(self.file, "{}\t{}", time_stamp(now_ns), row).unwrap();
            self.last[end] = row;
        }
    }
}
