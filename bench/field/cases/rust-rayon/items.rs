// par_iter() over items, the last of which takes longer than all others together.
use rayon::prelude::*;

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
fn small_item(i: u64) -> u64 {
	spin(i | 1, 2_000_000) | 1
}

#[inline(never)]
fn large_item(i: u64, n: u64) -> u64 {
	spin(i | 1, n) | 1
}

fn main() {
	let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
	rayon::ThreadPoolBuilder::new().num_threads(2).build_global().unwrap();
	let items: Vec<u64> = (0..32).collect();
	let odd: u64 = items
		.par_iter()
		.map(|&i| if i == 31 { large_item(i, n * 1_000_000) } else { small_item(i) })
		.map(|x| x >> 1 & 1)
		.sum();
	println!("{}", odd);
}
