// One thread waits on a std::sync::Condvar for the pages that another one fetches. Argument: how long a fetch takes, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

const PAGES: usize = 80;
static PENDING: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static FILLED: Condvar = Condvar::new();

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn fetch_page(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn index_page() {
	thread::sleep(Duration::from_micros(1000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn fetch_all(us: u64) {
	for page in 0..PAGES {
		fetch_page(us);
		PENDING.lock().unwrap().push(page);
		FILLED.notify_one();
	}
}

fn index_all() {
	for _ in 0..PAGES {
		let mut pending = PENDING.lock().unwrap();
		while pending.is_empty() {
			pending = FILLED.wait(pending).unwrap();
		}
		pending.pop();
		drop(pending);
		index_page();
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(8000, |a| a.parse().unwrap());
	let fetcher = thread::Builder::new().name("fetcher".to_string()).spawn(move || fetch_all(us)).unwrap();
	let indexer = thread::Builder::new().name("indexer".to_string()).spawn(index_all).unwrap();
	fetcher.join().unwrap();
	indexer.join().unwrap();
}
