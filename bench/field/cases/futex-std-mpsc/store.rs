// A thread sends rows through a channel with room for four (std::sync::mpsc) to one that stores them slowly.
// Argument: how long it takes to store one, us.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn read_row() {
	thread::sleep(Duration::from_micros(1000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn store_row(us: u64) {
	thread::sleep(Duration::from_micros(us));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn read_all(rows: SyncSender<u64>) {
	for i in 0..80 {
		read_row();
		rows.send(i).unwrap();
	}
}

fn store_all(rows: Receiver<u64>, us: u64) {
	for _ in rows {
		store_row(us);
	}
}

fn main() {
	let us = std::env::args().nth(1).map_or(8000, |a| a.parse().unwrap());
	let (sender, receiver) = sync_channel(4);
	let reader = thread::Builder::new().name("reader".to_string()).spawn(move || read_all(sender)).unwrap();
	let storer = thread::Builder::new().name("storer".to_string()).spawn(move || store_all(receiver, us)).unwrap();
	reader.join().unwrap();
	storer.join().unwrap();
}
