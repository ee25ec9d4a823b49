// Two threads update an index; a parking_lot Mutex is held while one of them computes. Argument: % of the work under it.
use parking_lot::Mutex;
use std::thread;

static INDEX: Mutex<u64> = Mutex::new(1);

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
fn rebuild(index: u64, percent: u64) -> u64 {
	spin(index | 1, 40_000 * percent) | 1
}

#[inline(never)]
fn parse(document: u64) -> u64 {
	spin(document | 1, 500_000) | 1
}

fn update(percent: u64) {
	for i in 0..60 {
		let parsed = parse(i);
		let mut index = INDEX.lock();
		*index = rebuild(*index ^ parsed, percent);
	}
}

fn main() {
	let percent = std::env::args().nth(1).map_or(100, |a| a.parse().unwrap());
	let threads: Vec<_> = (0..2)
		.map(|i| thread::Builder::new().name(format!("updater {}", i)).spawn(move || update(percent)).unwrap())
		.collect();
	for t in threads {
		t.join().unwrap();
	}
	println!("{}", *INDEX.lock() & 1);
}
