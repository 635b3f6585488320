// SPDX-License-Identifier: GPL-2.0-or-later
//! The command line: an output directory and key=value words. Times are in ms (outage and until: s), rates in Mbit/s.

use std::collections::HashMap;
use std::time::Duration;

pub struct Parameters {
    pub directory: String,
    values: HashMap<String, String>,
}

impl Parameters {
    pub fn from_command_line() -> Parameters {
        let mut words = std::env::args().skip(1);
        let directory = words.next().expect("usage: simulate-dcsctp DIRECTORY [KEY=VALUE...]");
        let values = words
            .map(|word| {
                let (key, value) = word.split_once('=').unwrap_or_else(|| panic!("not KEY=VALUE: {word}"));
                (key.to_string(), value.to_string())
            })
            .collect();
        Parameters { directory, values }
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    pub fn number(&self, key: &str, default: f64) -> f64 {
        self.text(key).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{key}={value}: not a number")))
    }

    pub fn count(&self, key: &str, default: usize) -> usize {
        self.number(key, default as f64) as usize
    }

    pub fn is_set(&self, key: &str) -> bool {
        self.number(key, 0.0) > 0.0
    }

    pub fn milliseconds(&self, key: &str, default: f64) -> Duration {
        Duration::from_secs_f64(self.number(key, default) / 1e3)
    }

    /// START:LENGTH in seconds, as ns
    pub fn outage_ns(&self) -> (u64, u64) {
        let Some((start, length)) = self.text("outage").and_then(|value| value.split_once(':')) else { return (0, 0) };
        let ns = |text: &str| (text.parse::<f64>().expect("outage=START:LENGTH") * 1e9) as u64;
        (ns(start), ns(length))
    }
}
