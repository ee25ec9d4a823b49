// Two threads compute while they hold a parking_lot mutex: one for both, or one for each ("split").
use parking_lot::Mutex;
use std::sync::Arc;
use std::thread;

#[inline(never)]
fn spin(mut x: u64, n: u64) -> u64 {
	for _ in 0..n {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	x
}

#[inline(never)]
fn book(entry: &Mutex<u64>) {
	let mut x = entry.lock();
	*x = spin(*x | 1, 1_000_000);
}

#[inline(never)]
fn prepare(i: u64) -> u64 {
	spin(i | 1, 100_000) | 1
}

fn main() {
	let split = std::env::args().nth(1).is_some();
	let locks: Vec<_> = (0..2).map(|i| Arc::new(Mutex::new(i + 1))).collect();
	let threads: Vec<_> = (0..2)
		.map(|i| {
			let lock = locks[if split { i } else { 0 }].clone();
			thread::spawn(move || {
				let mut sum = 0u64;
				for k in 0..150 {
					sum = sum.wrapping_add(prepare(k));
					book(&lock);
				}
				sum
			})
		})
		.collect();
	for t in threads {
		println!("{}", t.join().unwrap() & 1);
	}
}
