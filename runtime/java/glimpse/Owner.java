package glimpse;

import java.lang.ref.WeakReference;
import java.nio.file.Path;

/** The thread that a log belongs to, and how far the log is written. */
final class Owner {
	/** Of the log, the N of log.N. */
	int number;
	Path path;
	WeakReference<Thread> thread;
	/** As it was logged last. */
	String name;
	Tail tail;
	/** At work in the slow path: what logs there is not logged. */
	boolean busy;
	/** As the hot one of the log, also when that never matches. */
	long upper = -1;
	/** Value of upper from which to try the disk again. */
	long retry;
	/** How often the tail was appended. */
	int appended;

	/** No thread needs the log any more. */
	boolean gone() {
		Thread t = thread.get();

		return t == null || t.getState() == Thread.State.TERMINATED;
	}
}
