import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that let one another go on, by what the first word says. */
public class Releases {
	private static final ReentrantLock lock = new ReentrantLock();
	private static final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
	private static final ArrayDeque<Integer> own = new ArrayDeque<>();
	private static final int TURNS = 100;

	private interface Step {
		void run() throws InterruptedException;
	}

	private static void repeat(Step step) {
		try {
			for (int i = 0; i < TURNS; i++)
				step.run();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	private static synchronized void monitor() throws InterruptedException {
		Thread.sleep(2);
	}

	private static void locked() throws InterruptedException {
		lock.lock();
		try {
			Thread.sleep(2);
		} finally {
			lock.unlock();
		}
	}

	private static void put() throws InterruptedException {
		Thread.sleep(2);
		queue.put(1);
	}

	private static void put_own() throws InterruptedException {
		Thread.sleep(2);
		synchronized (own) {
			own.add(1);
			own.notify();
		}
	}

	private static void take_own() throws InterruptedException {
		synchronized (own) {
			while (own.isEmpty())
				own.wait();
			own.remove();
		}
	}

	/** Interrupts a thread that waits for a monitor, which the first thread keeps. */
	private static void interrupt() throws InterruptedException {
		Thread waiter = new Thread(() -> {
			synchronized (own) {
				own.add(1);
			}
		}, "waiter");

		synchronized (own) {
			waiter.start();
			Thread.sleep(50);
			Thread other = new Thread(waiter::interrupt, "interrupter");
			other.start();
			other.join();
			Thread.sleep(50);
		}
		waiter.join();
	}

	public static void main(String[] words) throws InterruptedException {
		Step[] steps;
		Thread[] threads;

		switch (words[0]) {
		case "monitor":
			steps = new Step[] {Releases::monitor, Releases::monitor, Releases::monitor, Releases::monitor};
			break;
		case "lock":
			steps = new Step[] {Releases::locked, Releases::locked, Releases::locked, Releases::locked};
			break;
		case "queue":
			steps = new Step[] {Releases::put, queue::take};
			break;
		case "notify":
			steps = new Step[] {Releases::put_own, Releases::take_own};
			break;
		default:
			interrupt();
			return;
		}
		threads = new Thread[steps.length];
		for (int i = 0; i < threads.length; i++) {
			Step step = steps[i];

			(threads[i] = new Thread(() -> repeat(step), "worker " + i)).start();
		}
		for (Thread thread : threads)
			thread.join();
	}
}
