// A small executor with a slot per worker for the job that a job spawned last, which no other worker may take. A job
// sleeps with std::thread::sleep and the job in its slot waits for it. Argument "shared": no slot; "half": the call
// takes half the time.
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc, Condvar, Mutex,
};
use std::time::Duration;
type Job = Box<dyn FnOnce() + Send>;
struct Pool {
    queue: Mutex<VecDeque<Job>>,
    any: Condvar,
    left: AtomicUsize,
    slots: bool,
}
thread_local! { static SLOT: RefCell<Option<Job>> = const { RefCell::new(None) }; static WORKER: RefCell<bool> = const { RefCell::new(false) }; }
fn spawn(p: &Arc<Pool>, j: Job) {
    p.left.fetch_add(1, Ordering::SeqCst);
    if p.slots && WORKER.with(|w| *w.borrow()) {
        SLOT.with(|s| *s.borrow_mut() = Some(j));
        return;
    }
    p.queue.lock().unwrap().push_back(j);
    p.any.notify_one();
}
fn worker(p: Arc<Pool>) {
    WORKER.with(|w| *w.borrow_mut() = true);
    loop {
        let own = SLOT.with(|s| s.borrow_mut().take());
        let j = match own {
            Some(j) => j,
            None => {
                let mut q = p.queue.lock().unwrap();
                loop {
                    if let Some(j) = q.pop_front() {
                        break j;
                    }
                    if p.left.load(Ordering::SeqCst) == 0 {
                        return;
                    }
                    q = p.any.wait(q).unwrap();
                }
            }
        };
        j();
        if p.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            let _g = p.queue.lock().unwrap();
            p.any.notify_all();
        }
    }
}
#[inline(never)]
fn blocking_call() -> usize {
    std::thread::sleep(Duration::from_millis(if std::env::args().any(|a| a == "half") {
        50
    } else {
        100
    }));
    std::hint::black_box(1)
}
#[inline(never)]
fn chain(p: Arc<Pool>, depth: u32) -> usize {
    if depth > 0 {
        let q = p.clone();
        spawn(
            &p,
            Box::new(move || {
                chain(q, depth - 1);
            }),
        );
    }
    blocking_call() + 1
}
fn main() {
    let p = Arc::new(Pool {
        queue: Mutex::new(VecDeque::new()),
        any: Condvar::new(),
        left: AtomicUsize::new(0),
        slots: !std::env::args().any(|a| a == "shared"),
    });
    let q = p.clone();
    spawn(
        &p,
        Box::new(move || {
            chain(q, 4);
        }),
    );
    let w: Vec<_> = (0..4)
        .map(|i| {
            let p = p.clone();
            std::thread::Builder::new()
                .name(format!("worker-{i}"))
                .spawn(move || worker(p))
                .unwrap()
        })
        .collect();
    for t in w {
        t.join().unwrap();
    }
}
