// Three threads meet at a std::sync::Barrier after each step; one of them is slow. Argument: how long it takes, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn slow_part(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn quick_part() {
	thread::sleep(Duration::from_micros(2000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn slow_steps(meet: &Barrier, us: u64) {
	for _ in 0..50 {
		slow_part(us);
		meet.wait();
	}
}

fn quick_steps(meet: &Barrier) {
	for _ in 0..50 {
		quick_part();
		meet.wait();
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(12000, |a| a.parse().unwrap());
	let meet = Arc::new(Barrier::new(3));
	let mut threads = Vec::new();
	for i in 0..2 {
		let meet = meet.clone();
		threads.push(thread::Builder::new().name(format!("quick {}", i)).spawn(move || quick_steps(&meet)).unwrap());
	}
	threads.push(thread::Builder::new().name("slow".to_string()).spawn(move || slow_steps(&meet, us)).unwrap());
	for t in threads {
		t.join().unwrap();
	}
}
