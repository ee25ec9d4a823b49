// Three stages over bounded channels of the standard library; transform() takes five times as long as the others.
use std::sync::mpsc::sync_channel;
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
fn parse(i: u64) -> u64 {
	spin(i | 1, 400_000) | 1
}

#[inline(never)]
fn transform(x: u64, n: u64) -> u64 {
	spin(x, n) | 1
}

#[inline(never)]
fn emit(x: u64) -> u64 {
	spin(x, 400_000) & 1
}

fn main() {
	let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
	let (to_transform, parsed) = sync_channel(4);
	let (to_emit, transformed) = sync_channel(4);
	let first = thread::Builder::new().name("parse".into()).spawn(move || {
		for i in 0..150 {
			to_transform.send(parse(i)).unwrap();
		}
	});
	let second = thread::Builder::new().name("transform".into()).spawn(move || {
		for x in parsed {
			to_emit.send(transform(x, n)).unwrap();
		}
	});
	let odd: u64 = transformed.iter().map(emit).sum();
	first.unwrap().join().unwrap();
	second.unwrap().join().unwrap();
	println!("{}", odd);
}
