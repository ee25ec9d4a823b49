import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A pool of four threads that count under one monitor. */
final class Pool {
	private static final Object monitor = new Object();
	private static long total;

	private static long count(int n) {
		long sum = 0;
		for (int i = 0; i < n; i++)
			sum = sum * 31 + i;
		return sum;
	}

	private static void task() {
		long part = count(1500000);
		synchronized (monitor) {
			total += part + count(500000);
		}
	}

	public static void main(String[] args) throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(4);
		for (int i = 0; i < 100; i++)
			pool.execute(Pool::task);
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.MINUTES);
		System.out.println(total);
	}
}
