// Two threads scan a catalog, with a parking_lot RwLock held for reading; a third waits with its changes for both.
// Argument: how long a scan takes, us.
use parking_lot::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

static CATALOG: RwLock<u64> = RwLock::new(0);

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn scan(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn change() {
	thread::sleep(Duration::from_micros(2000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn read(us: u64) {
	for _ in 0..40 {
		let _catalog = CATALOG.read();
		scan(us);
	}
}

fn write() {
	for _ in 0..40 {
		let mut version = CATALOG.write();
		change();
		*version += 1;
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(12000, |a| a.parse().unwrap());
	let mut threads = vec![thread::Builder::new().name("writer".to_string()).spawn(write).unwrap()];
	for i in 0..2 {
		threads.push(thread::Builder::new().name(format!("reader {}", i)).spawn(move || read(us)).unwrap());
	}
	for t in threads {
		t.join().unwrap();
	}
}
