// For holds.test: threads that wait for std's mutexes, until the process is killed.
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

static FIRST: Mutex<i32> = Mutex::new(0);
static SECOND: Mutex<i32> = Mutex::new(0);

fn start(name: &str, run: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    thread::Builder::new().name(name.into()).spawn(run).unwrap()
}

fn opposite(a: &Mutex<i32>, b: &Mutex<i32>, both: &Barrier) {
    let _a = a.lock().unwrap();
    both.wait();
    *b.lock().unwrap() += 1;
}

#[inline(never)]
fn first_then_second(both: &Barrier) {
    let _a = FIRST.lock().unwrap();
    both.wait();
    *SECOND.lock().unwrap() += 1;
}

#[inline(never)]
fn second_then_first(both: &Barrier) {
    let _b = SECOND.lock().unwrap();
    both.wait();
    *FIRST.lock().unwrap() += 1;
}

fn hold(a: &Mutex<i32>) {
    let mut a = a.lock().unwrap();
    thread::sleep(Duration::from_secs(1000));
    *a += 1;
}

fn nested(b: &Mutex<i32>, a: &Mutex<i32>) {
    let mut b = b.lock().unwrap();
    *a.lock().unwrap() += 1;
    *b += 1;
}

fn add(b: &Mutex<i32>) {
    *b.lock().unwrap() += 1;
}

fn main() {
    let all = Arc::new((Mutex::new(0), Mutex::new(0), Barrier::new(2)));
    let (x, y, z) = (all.clone(), all.clone(), all.clone());
    let pause = || thread::sleep(Duration::from_millis(100));
    let threads = match std::env::args().nth(1).as_deref() {
        Some("opposite") => vec![
            start("one", move || opposite(&x.0, &x.1, &x.2)),
            start("two", move || opposite(&y.1, &y.0, &y.2)),
        ],
        Some("variables") => vec![
            start("one", move || first_then_second(&x.2)),
            start("two", move || second_then_first(&y.2)),
        ],
        _ => {
            let holder = start("holder", move || hold(&x.0));
            pause();
            let middle = start("middle", move || nested(&y.1, &y.0));
            pause();
            vec![holder, middle, start("last", move || add(&z.1))]
        }
    };
    for t in threads {
        t.join().unwrap();
    }
}
