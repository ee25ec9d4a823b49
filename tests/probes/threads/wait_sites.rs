// Waits that begin in Rust's library, in threads without names.
use std::time::Duration;

#[inline(never)]
fn pause(ms: u64) -> usize {
    std::thread::sleep(Duration::from_millis(ms)); // sleeps
    unsafe { std::ptr::read_volatile(&1) }
}

fn consumer() {
    pause(20);
}

fn main() {
    let a = std::thread::spawn(consumer);
    let b = std::thread::spawn(|| pause(30));
    a.join().unwrap(); // joins
    b.join().unwrap();
}
