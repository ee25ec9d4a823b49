// A rayon pool downloads files; its threads sleep meanwhile. Argument: how many threads it has.
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

// Counted after each sleep: a sleep that comes last becomes a jump, and its caller is not on the stack.
static SLEPT: AtomicU64 = AtomicU64::new(0);

#[inline(never)]
fn download(_file: usize) {
	thread::sleep(Duration::from_micros(10000));
	SLEPT.fetch_add(1, Ordering::Relaxed);
}

fn main() {
	let threads = std::env::args().nth(1).map_or(2, |a| a.parse().unwrap());
	let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("downloader {}", i)).build().unwrap();
	pool.install(|| (0..128usize).into_par_iter().with_max_len(1).for_each(download));
}
