import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Two workers run tasks of two kinds; those of one kind take ten times as long. */
public class Tasks {
	static volatile long result;

	static long compute(long n) {
		long x = n | 1;
		for (long i = 0; i < n; i++) {
			x ^= x << 13;
			x ^= x >>> 7;
			x ^= x << 17;
		}
		return x;
	}

	static void resize(long n) {
		result += compute(n);
	}

	static void reply(long n) {
		result -= compute(n);
	}

	public static void main(String[] args) throws Exception {
		long length = Long.parseLong(args[0]);
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (int i = 0; i < 60; i++) {
			pool.execute(() -> resize(length));
			pool.execute(() -> reply(500000));
		}
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.HOURS);
	}
}
