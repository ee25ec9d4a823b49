package glimpse;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The clock: CLOCK_MONOTONIC, which System.nanoTime() reads, or a counter for tests. */
final class Clock {
	private static AtomicLong fake;
	private static long step = 1;

	private Clock() {
	}

	/**
	 * Applies the value of GLIMPSE_CLOCK, of which only {@code fake:START:STEP} matters here.
	 */
	static void choose(String setting) {
		String[] parts = setting == null ? new String[0] : setting.split(":");

		if (parts.length == 0 || !parts[0].equals("fake"))
			return;
		fake = new AtomicLong(parts.length > 1 ? Long.parseLong(parts[1]) : 0);
		step = parts.length > 2 ? Long.parseLong(parts[2]) : 1;
	}

	/** Returns whether the path of an event may read the clock itself. */
	static boolean inline() {
		return fake == null;
	}

	static long now() {
		return fake == null ? System.nanoTime() : fake.getAndAdd(step);
	}

	/** Returns ticks, CLOCK_MONOTONIC and CLOCK_REALTIME of one moment. */
	static long[] pair() {
		long now = fake == null ? System.nanoTime() : fake.get();
		Instant real = Instant.now();

		return new long[] {now, now, fake == null ?
			real.getEpochSecond() * 1_000_000_000L + real.getNano() : now};
	}
}
