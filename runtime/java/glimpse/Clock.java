package glimpse;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** CLOCK_MONOTONIC, which System.nanoTime() reads; for tests a counter, as in the library for C. */
final class Clock {
	private static AtomicLong fake;
	private static long step = 1;

	private Clock() {
	}

	/** Takes the value of GLIMPSE_CLOCK: only {@code fake:START:STEP} makes a difference. */
	static void choose(String setting) {
		String[] parts = setting == null ? new String[0] : setting.split(":");

		if (parts.length == 0 || !parts[0].equals("fake"))
			return;
		fake = new AtomicLong(parts.length > 1 ? Long.parseLong(parts[1]) : 0);
		step = parts.length > 2 ? Long.parseLong(parts[2]) : 1;
	}

	/** Whether the path of an event may read the clock itself. */
	static boolean inline() {
		return fake == null;
	}

	static long now() {
		return fake == null ? System.nanoTime() : fake.getAndAdd(step);
	}

	/** Ticks, CLOCK_MONOTONIC and CLOCK_REALTIME of one moment. */
	static long[] pair() {
		long now = fake == null ? System.nanoTime() : fake.get();
		Instant real = Instant.now();

		return new long[] {now, now, fake == null ?
			real.getEpochSecond() * 1_000_000_000L + real.getNano() : now};
	}
}
