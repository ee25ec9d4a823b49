package glimpse;

import java.io.IOException;

/**
 * Controls logging. A program need not call any of these methods: the first event begins the run,
 * the end of a thread ends its log, and the end of the virtual machine ends the run.
 */
public final class Glimpse {
	private Glimpse() {
	}

	/**
	 * Begins the run. To be called before the first event.
	 *
	 * @param directory to log to; null for that of GLIMPSE_DIR, or {@code glimpse.PROGRAM.PID}
	 */
	public static void init(String directory) {
		if (directory != null)
			Run.want(directory);
		Run.open();
	}

	/** Ends the log of the calling thread. A later event of the thread begins another log. */
	public static void closeThreadData() {
		Threads.close();
	}

	/**
	 * Ends the log of the calling thread, and the run: later events of any thread are not
	 * logged.
	 */
	public static void close() {
		Run.close();
	}

	/**
	 * Switches event types of this program, as {@code glimpse ctl} does.
	 *
	 * @param event {@code Sendmsg}, {@code messages.Sendmsg}, or {@code *} for all
	 * @param on or off
	 * @return whether there is such an event
	 */
	public static boolean switchEvent(String event, boolean on) {
		return Run.switchEvents(event, on);
	}

	/**
	 * Copies the logs as they are to a new directory, while their threads go on, as {@code glimpse
	 * ctl --snapshot} does; with {@code GLIMPSE_KEEP=newest:SIZE} what just happened.
	 *
	 * @param directory to be made
	 * @throws IOException if that cannot be, or nothing is being logged
	 */
	public static void snapshot(String directory) throws IOException {
		Run.snapshot(directory);
	}

	/**
	 * Returns a number for an attribute of the type address or object. It distinguishes objects
	 * as well as {@link System#identityHashCode} does.
	 *
	 * @param object any object, or null
	 * @return its number; 0 for null
	 */
	public static long address(Object object) {
		return System.identityHashCode(object);
	}
}
