//! Five functions of known shares in three threads. Prints what each took by the threads' own clocks, in ns. The
//! argument: how many rounds.
use std::thread;

const FUNCTIONS: usize = 5;
const NAMES: [&str; FUNCTIONS] = ["half", "quarter", "sixth", "twelfth", "hundredth"];

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

fn now() -> i64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // CLOCK_THREAD_CPUTIME_ID
    unsafe { clock_gettime(3, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

macro_rules! computes {
    ($name:ident, $shift:expr) => {
        #[inline(never)]
        fn $name(n: u64) {
            let mut x = n;
            for _ in 0..n {
                x = x.wrapping_mul(1664525).wrapping_add(1013904223) ^ x >> $shift;
            }
            // the result is used: hint::black_box() needs a newer compiler than Debian's
            unsafe { std::ptr::read_volatile(&x) };
        }
    };
}
computes!(half, 13);
computes!(quarter, 12);
computes!(sixth, 11);
computes!(twelfth, 10);
computes!(hundredth, 9);

fn work(thread: u32, rounds: u64) -> [i64; FUNCTIONS] {
    let mut took = [0; FUNCTIONS];
    // rounds of one sequence would be met at the same places in each run
    let mut random = std::process::id().wrapping_mul(2654435761).wrapping_add(thread);
    for _ in 0..rounds {
        random = random.wrapping_mul(1664525).wrapping_add(1013904223);
        let unit = u64::from(50 + random / (1 << 25) % 100);
        let mut times = [now(); FUNCTIONS + 1];
        half(5000 * unit);
        times[1] = now();
        quarter(2500 * unit);
        times[2] = now();
        sixth(1600 * unit);
        times[3] = now();
        twelfth(800 * unit);
        times[4] = now();
        hundredth(100 * unit);
        times[5] = now();
        for k in 0..FUNCTIONS {
            took[k] += times[k + 1] - times[k];
        }
    }
    took
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(100, |text| text.parse().unwrap());
    let threads: Vec<_> = (0..3).map(|i| thread::spawn(move || work(i, rounds))).collect();
    let mut all = [0; FUNCTIONS];
    for thread in threads {
        let took = thread.join().unwrap();
        for k in 0..FUNCTIONS {
            all[k] += took[k];
        }
    }
    for k in 0..FUNCTIONS {
        println!("{} {}", NAMES[k], all[k]);
    }
}
