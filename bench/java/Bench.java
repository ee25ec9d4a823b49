import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What an event costs beside System.nanoTime() and beside the same event of JFR, in one run. The rounds take turns, so that
 * a machine that is busy for a while disturbs all alike; the ratio is the median of the rounds' ratios.
 * Prints rows of name, measured, target and detail with tabs between them. One virtual machine compiles the loops
 * better than the next, so bench/java.sh takes the median of several.
 */
public final class Bench {
	private static final int CALLS = 250_000;
	private static final int WARM = 12;
	private static final int ROUNDS = 21;

	private static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
	private static final VarHandle SINK = sink();

	private static long sink;

	private interface Loop {
		void run(int calls);
	}

	private Bench() {
	}

	private static VarHandle sink() {
		try {
			return MethodHandles.lookup().findStaticVarHandle(Bench.class, "sink", long.class);
		} catch (ReflectiveOperationException e) {
			throw new AssertionError(e);
		}
	}

	/** A loop that the compiler may not take away. */
	private static void empty(int calls) {
		for (int i = 0; i < calls; i++)
			SINK.setOpaque((long) i);
	}

	private static void nanoTime(int calls) {
		for (int i = 0; i < calls; i++)
			sink = System.nanoTime();
	}

	private static void event(int calls) {
		for (int i = 0; i < calls; i++)
			GzEvent.Pair(i, calls);
	}

	private static void off(int calls) {
		for (int i = 0; i < calls; i++) {
			SINK.setOpaque((long) i);
			GzEvent.Off(i, calls);
		}
	}

	private static void jfr(int calls) {
		for (int i = 0; i < calls; i++) {
			PairEvent e = new PairEvent();

			e.first = i;
			e.second = calls;
			e.commit();
		}
	}

	/** By the time that this thread was on a processor: other load would blur the clock's. */
	private static double time(Loop loop) {
		long begin = threads.getCurrentThreadCpuTime();

		loop.run(CALLS);
		return (double) (threads.getCurrentThreadCpuTime() - begin) / CALLS;
	}

	private static double median(double[] values) {
		double[] sorted = values.clone();

		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	private static long allocated() {
		return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
	}

	private static void row(String name, double measured, String target, String detail) {
		System.out.printf("%s\t%.3f\t%s\t%s%n", name, measured, target, detail);
	}

	public static void main(String[] args) throws Exception {
		Loop[] loops = {Bench::empty, Bench::nanoTime, Bench::event, Bench::off, Bench::jfr};
		double[][] ns = new double[loops.length][ROUNDS];
		double[] overClock = new double[ROUNDS];
		double[] overJfr = new double[ROUNDS];

		try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
			recording.setToDisk(true);
			recording.setDestination(Path.of(args[0]));
			recording.enable(PairEvent.class).withoutStackTrace().withoutThreshold();
			recording.start();
			GzEvent.init();
			glimpse.Glimpse.switchEvent("Off", false);
			for (int round = -WARM; round < ROUNDS; round++)
				for (int i = 0; i < loops.length; i++) {
					double t = time(loops[i]);

					if (round >= 0)
						ns[i][round] = t;
				}
		}
		long before = allocated();
		event(CALLS);
		long bytes = allocated() - before;

		for (int round = 0; round < ROUNDS; round++) {
			overClock[round] = ns[2][round] / ns[1][round];
			overJfr[round] = ns[2][round] / ns[4][round];
		}
		row("Java: event / System.nanoTime()", median(overClock), "<= 1.35",
			String.format("%.1f / %.1f ns", median(ns[2]), median(ns[1])));
		row("Java: event / the same JFR event", median(overJfr), "<= 0.7",
			String.format("%.1f / %.1f ns", median(ns[2]), median(ns[4])));
		row("Java: switched-off event, ns", median(ns[3]) - median(ns[0]), "<= 1",
			String.format("%.2f - %.2f ns", median(ns[3]), median(ns[0])));
		row("Java: bytes allocated per event", (double) bytes / CALLS, "<= 0.1",
			bytes + " bytes for " + CALLS + " events");
	}
}
