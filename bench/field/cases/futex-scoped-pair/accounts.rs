// Scoped threads and two locks: tellers hold `desk` while they wait for `vault`, which an auditor holds for long; clerks
// need only `desk`. Argument: how long an audit takes, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread::{self, scope, Builder};
use std::time::Duration;

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn audit(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn count() {
	thread::sleep(Duration::from_micros(1000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn auditor(vault: &Mutex<u64>, us: u64) {
	for _ in 0..50 {
		let mut total = vault.lock().unwrap();
		audit(us);
		*total += 1;
		drop(total);
		count();
	}
}

fn teller(desk: &Mutex<u64>, vault: &Mutex<u64>) {
	for _ in 0..50 {
		let mut served = desk.lock().unwrap();
		let mut total = vault.lock().unwrap();
		*total += 1;
		*served += 1;
		drop(total);
		count();
	}
}

fn clerk(desk: &Mutex<u64>) {
	for _ in 0..50 {
		let mut served = desk.lock().unwrap();
		count();
		*served += 1;
		drop(served);
		count();
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(12000, |a| a.parse().unwrap());
	let (desk, vault) = (Mutex::new(0), Mutex::new(0));
	scope(|s| {
		Builder::new().name("auditor".to_string()).spawn_scoped(s, || auditor(&vault, us)).unwrap();
		Builder::new().name("teller".to_string()).spawn_scoped(s, || teller(&desk, &vault)).unwrap();
		Builder::new().name("clerk".to_string()).spawn_scoped(s, || clerk(&desk)).unwrap();
	});
}
