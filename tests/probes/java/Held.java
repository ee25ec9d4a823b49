/** Three threads that have one monitor in turn, and rest while they have it. */
public class Held {
	private static final Object lock = new Object();
	private static int turns;

	private static void hold() throws InterruptedException {
		synchronized (lock) {
			Thread.sleep(20);
			turns++;
		}
	}

	private static void run() {
		try {
			for (int i = 0; i < 10; i++)
				hold();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	public static void main(String[] arguments) throws InterruptedException {
		Thread[] workers = new Thread[3];

		for (int i = 0; i < workers.length; i++)
			(workers[i] = new Thread(Held::run, "worker " + i)).start();
		for (Thread worker : workers)
			worker.join();
		System.out.println(turns + " turns");
	}
}
