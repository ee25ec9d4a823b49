// Two threads look up routes under a std::sync::RwLock; a third loads the table before each of their rounds, with the lock
// held for writing. Argument: how long it takes to load, us.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::RwLock;
use std::thread;
use std::time::Duration;

static ROUTES: RwLock<u64> = RwLock::new(0);
static DONE: AtomicBool = AtomicBool::new(false);

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn load_table(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn look_up() {
	thread::sleep(Duration::from_micros(2000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn reload(us: u64) {
	while !DONE.load(Ordering::Relaxed) {
		{
			let mut version = ROUTES.write().unwrap();
			load_table(us);
			*version += 1;
		}
		thread::sleep(Duration::from_micros(3000));
		SLEPT.fetch_add(1, Ordering::Relaxed);
	}
}

fn route() {
	for _ in 0..40 {
		let _version = ROUTES.read().unwrap();
		look_up();
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(20000, |a| a.parse().unwrap());
	let loader = thread::Builder::new().name("loader".to_string()).spawn(move || reload(us)).unwrap();
	let routers: Vec<_> = (0..2)
		.map(|i| thread::Builder::new().name(format!("router {}", i)).spawn(route).unwrap())
		.collect();
	for t in routers {
		t.join().unwrap();
	}
	DONE.store(true, Ordering::Relaxed);
	loader.join().unwrap();
}
