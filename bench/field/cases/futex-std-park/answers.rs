// A thread asks another one and parks until the answer is there. Argument: how long an answer takes, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

const QUESTIONS: u64 = 60;
static ASKED: AtomicU64 = AtomicU64::new(0);
static ANSWERED: AtomicU64 = AtomicU64::new(0);

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn think(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn pose() {
	thread::sleep(Duration::from_micros(2000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn answer(asker: Thread, us: u64) {
	for i in 1..=QUESTIONS {
		while ASKED.load(Ordering::Acquire) < i {
			thread::park();
		}
		think(us);
		ANSWERED.store(i, Ordering::Release);
		asker.unpark();
	}
}

fn ask() {
	let asker = thread::current();
	let us = std::env::args().nth(1).map_or(10000, |a| a.parse().unwrap());
	let thinker = thread::Builder::new().name("thinker".to_string()).spawn(move || answer(asker, us)).unwrap();
	for i in 1..=QUESTIONS {
		pose();
		ASKED.store(i, Ordering::Release);
		thinker.thread().unpark();
		while ANSWERED.load(Ordering::Acquire) < i {
			thread::park();
		}
	}
	thinker.join().unwrap();
}

fn main() {
	thread::Builder::new().name("asker".to_string()).spawn(ask).unwrap().join().unwrap();
}
