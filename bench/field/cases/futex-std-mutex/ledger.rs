// Three threads book entries; a std::sync::Mutex is held while one is saved. Argument: how long that takes, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

static LEDGER: Mutex<u64> = Mutex::new(0);

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn save_entry(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn read_request() {
	thread::sleep(Duration::from_micros(1000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn serve(us: u64) {
	for _ in 0..40 {
		read_request();
		let mut entries = LEDGER.lock().unwrap();
		save_entry(us);
		*entries += 1;
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(6000, |a| a.parse().unwrap());
	let threads: Vec<_> = (0..3)
		.map(|i| thread::Builder::new().name(format!("clerk {}", i)).spawn(move || serve(us)).unwrap())
		.collect();
	for t in threads {
		t.join().unwrap();
	}
}
