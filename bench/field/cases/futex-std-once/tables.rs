// Four threads need a table that the first of them loads (std::sync::Once) while the others wait, eight times over.
// Argument: how long it takes to load, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Once;
use std::thread;
use std::time::Duration;

const FRESH: Once = Once::new();
static LOADED: [Once; 8] = [FRESH; 8];

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn load_table(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn answer() {
	thread::sleep(Duration::from_micros(10000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn serve(us: u64) {
	for loaded in &LOADED {
		loaded.call_once(|| load_table(us));
		answer();
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(80000, |a| a.parse().unwrap());
	let threads: Vec<_> = (0..4)
		.map(|i| thread::Builder::new().name(format!("server {}", i)).spawn(move || serve(us)).unwrap())
		.collect();
	for t in threads {
		t.join().unwrap();
	}
}
