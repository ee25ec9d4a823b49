import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Five methods of known shares in three threads. Prints what each took by the threads' own clocks, in ns. The argument:
 * how many rounds.
 */
public class Shares {
	static final String[] NAMES = {"half", "quarter", "sixth", "twelfth", "hundredth"};
	static int sink;

	static int half(int n) {
		int x = n;
		for (int i = 0; i < n; i++)
			x = (x * 31 + i) % 1000003;
		return x;
	}

	static int quarter(int n) {
		int x = n;
		for (int i = 0; i < n; i++)
			x = (x * 17 + i) % 1000033;
		return x;
	}

	static int sixth(int n) {
		int x = n;
		for (int i = 0; i < n; i++)
			x = (x * 13 + i) % 1000037;
		return x;
	}

	static int twelfth(int n) {
		int x = n;
		for (int i = 0; i < n; i++)
			x = (x * 11 + i) % 1000039;
		return x;
	}

	static int hundredth(int n) {
		int x = n;
		for (int i = 0; i < n; i++)
			x = (x * 7 + i) % 1000081;
		return x;
	}

	static void work(int thread, int rounds, long[] took) {
		ThreadMXBean own = ManagementFactory.getThreadMXBean();
		// rounds of one sequence would be met at the same places in each run
		int random = (int) ProcessHandle.current().pid() * 0x9e3779b1 + thread, sum = 0;
		long[] times = new long[NAMES.length + 1];
		for (int i = 0; i < rounds; i++) {
			random = random * 1664525 + 1013904223;
			int unit = 50 + (random >>> 25) % 100;
			times[0] = own.getCurrentThreadCpuTime();
			sum += half(1000 * unit);
			times[1] = own.getCurrentThreadCpuTime();
			sum += quarter(500 * unit);
			times[2] = own.getCurrentThreadCpuTime();
			sum += sixth(320 * unit);
			times[3] = own.getCurrentThreadCpuTime();
			sum += twelfth(160 * unit);
			times[4] = own.getCurrentThreadCpuTime();
			sum += hundredth(20 * unit);
			times[5] = own.getCurrentThreadCpuTime();
			for (int k = 0; k < NAMES.length; k++)
				took[k] += times[k + 1] - times[k];
		}
		sink = sum;
	}

	public static void main(String[] arguments) throws InterruptedException {
		int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
		Thread[] threads = new Thread[3];
		long[][] took = new long[threads.length][NAMES.length];
		for (int i = 0; i < threads.length; i++) {
			int thread = i;
			threads[i] = new Thread(() -> work(thread, rounds, took[thread]));
			threads[i].start();
		}
		for (Thread thread : threads)
			thread.join();
		for (int k = 0; k < NAMES.length; k++)
			System.out.println(NAMES[k] + " " + (took[0][k] + took[1][k] + took[2][k]));
	}
}
