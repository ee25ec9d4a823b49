// Three stages over crossbeam channels with room for two; the middle one is slow. Argument: how long it takes, us.
use crossbeam::channel::{bounded, Receiver, Sender};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn parse() {
	thread::sleep(Duration::from_micros(1500));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn transform(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn emit() {
	thread::sleep(Duration::from_micros(1500));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn parse_all(out: Sender<u64>) {
	for i in 0..80 {
		parse();
		out.send(i).unwrap();
	}
}

fn transform_all(from: Receiver<u64>, out: Sender<u64>, us: u64) {
	for i in from {
		transform(us);
		out.send(i).unwrap();
	}
}

fn emit_all(from: Receiver<u64>) {
	for _ in from {
		emit();
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(8000, |a| a.parse().unwrap());
	let (parsed, to_transform) = bounded(2);
	let (transformed, to_emit) = bounded(2);
	let threads = [
		thread::Builder::new().name("parser".to_string()).spawn(move || parse_all(parsed)).unwrap(),
		thread::Builder::new().name("transformer".to_string()).spawn(move || transform_all(to_transform, transformed, us)).unwrap(),
		thread::Builder::new().name("emitter".to_string()).spawn(move || emit_all(to_emit)).unwrap(),
	];
	for t in threads {
		t.join().unwrap();
	}
}
