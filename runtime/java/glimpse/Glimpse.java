package glimpse;

/**
 * What a program may ask of the log beyond its events. Nothing here has to be called: the first event opens
 * the log, a thread's end closes its own, and the end of the virtual machine closes all.
 */
public final class Glimpse {
	private Glimpse() {
	}

	/**
	 * Opens the run, before the first event.
	 *
	 * @param directory to log to; null: what GLIMPSE_DIR says, or {@code glimpse.PROGRAM.PID}
	 */
	public static void init(String directory) {
		if (directory != null)
			Run.want(directory);
		Run.open();
	}

	/** Ends the calling thread's log. An event after it opens another one. */
	public static void closeThreadData() {
		Threads.close();
	}

	/** Ends the calling thread's log and the run: later events of any thread are not logged. */
	public static void close() {
		Run.close();
	}

	/**
	 * Switches event types of this program, as {@code glimpse ctl} does.
	 *
	 * @param event {@code Sendmsg}, {@code messages.Sendmsg}, or {@code *} for all
	 * @param on or off
	 * @return whether there is one of that name
	 */
	public static boolean switchEvent(String event, boolean on) {
		return Run.switchEvents(event, on);
	}

	/**
	 * A number for an attribute of the type address: it tells objects apart as well as
	 * {@link System#identityHashCode} does.
	 *
	 * @param object any; 0 stands for null
	 * @return its number
	 */
	public static long address(Object object) {
		return System.identityHashCode(object);
	}
}
