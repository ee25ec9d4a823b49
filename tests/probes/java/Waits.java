/** Threads that wait for a monitor and for a signal; methods that return and throw. */
public class Waits {
	private static final Object lock = new Object(), gate = new Object();
	private static int turns;
	private static boolean open;

	private static void hold() {
		synchronized (lock) {
			rest(100);
			turns++;
		}
	}

	private static void rest(int ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	private static void await() {
		synchronized (gate) {
			try {
				while (!open)
					gate.wait();
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	private static int twice(int n) {
		if (n == 3)
			throw new IllegalArgumentException("three");
		return 2 * n;
	}

	private static int sum() {
		int sum = 0;

		for (int i = 0; i < 5; i++)
			try {
				sum += twice(i);
			} catch (IllegalArgumentException e) {
				sum += 100;
			}
		return sum;
	}

	public static void main(String[] arguments) throws InterruptedException {
		Thread[] workers = new Thread[3];
		Thread waiter = new Thread(Waits::await, "waiter");

		if (arguments.length > 0)
			new Thread(() -> System.exit(3)).start();
		for (int i = 0; i < workers.length; i++)
			(workers[i] = new Thread(Waits::hold, "worker " + i)).start();
		waiter.start();
		for (Thread worker : workers)
			worker.join();
		synchronized (gate) {
			open = true;
			gate.notifyAll();
		}
		waiter.join();
		System.gc();
		System.out.println(turns + " turns, " + sum());
	}
}
