package glimpse;

import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What GLIMPSE_KEEP asks for: all events, the oldest of each log, or the newest of each thread. */
final class Retention {
	static final int ALL = 1;
	static final int OLDEST = 2;
	static final int NEWEST = 3;

	private static final int BLOCK_LARGE = 64 << 10;
	private static final int BLOCK_SMALL = 16 << 10;	// holds four of the longest strings
	private static final long RING_MOST = 1L << 30;
	private static final String SIZE = "(\\d{1,12})([KMGkmg]?)";
	private static final Pattern SETTING =
		Pattern.compile("(?:(oldest|newest):" + SIZE + ")?(?:(?:^|,)all:" + SIZE + ")?");
	private static final Pattern MEANT = Pattern.compile("([nlof])[a-z]*[:= ](" + SIZE + ")");

	private static int kind = ALL;
	private static long most = Long.MAX_VALUE;	// bytes of a log
	private static int ring;
	private static int block;
	private static AtomicLong budget;		// bytes that are left for all threads; null: no limit

	private Retention() {
	}

	/** Applies the value of GLIMPSE_KEEP. */
	static void choose(String setting) {
		Matcher m;

		if (setting == null || setting.isEmpty() || setting.equals("all"))
			return;
		m = SETTING.matcher(setting);
		if (!m.matches()) {
			Warning.SETTING.print("GLIMPSE_KEEP must be all, oldest:SIZE or newest:SIZE, not " + setting,
				null, guess(setting));
			return;
		}
		kind = "newest".equals(m.group(1)) ? NEWEST : OLDEST;
		if (m.group(4) != null)
			budget = new AtomicLong(bytes(m.group(4), m.group(5)));
		if (kind == NEWEST)
			chooseRing(bytes(m.group(2), m.group(3)));
		else if (m.group(1) != null)
			most = bytes(m.group(2), m.group(3));
	}

	private static String guess(String setting) {
		Matcher m = MEANT.matcher(setting);

		if (!m.matches())
			return "all events are kept";
		return "did you mean " + ("nl".contains(m.group(1)) ? "newest:" : "oldest:") + m.group(2) +
			"? All events are kept";
	}

	private static long bytes(String number, String unit) {
		return Long.parseLong(number) << 10 * " KMG".indexOf((unit + " ").substring(0, 1).toUpperCase());
	}

	/** A ring has at least four blocks: the next to be overwritten is at most a quarter of it. */
	private static void chooseRing(long bytes) {
		bytes = Math.min(bytes, RING_MOST);
		block = budget != null || bytes < 8 * BLOCK_LARGE ? BLOCK_SMALL : BLOCK_LARGE;
		ring = Math.max((int) (bytes / block), 4) * block;
	}

	/** Returns ALL, OLDEST or NEWEST. */
	static int kind() {
		return kind;
	}

	/** Returns how many bytes a log may have. */
	static long most() {
		return most;
	}

	/** Returns the size of a thread's ring, and of its blocks; 0: there are none. */
	static int ring() {
		return ring;
	}

	static int block() {
		return block;
	}

	/** Takes bytes from what is left for all threads; returns how many there were. */
	static int take(int bytes) {
		if (budget == null)
			return bytes;
		return (int) Math.min(budget.getAndUpdate(left -> left - Math.min(left, bytes)), bytes);
	}

	static void giveBack(int bytes) {
		if (budget != null)
			budget.addAndGet(bytes);
	}
}
