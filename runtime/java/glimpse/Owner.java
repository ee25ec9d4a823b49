package glimpse;

import java.lang.ref.WeakReference;
import java.nio.file.Path;

/** The thread of a log, and the state of the log that only the slow path needs. */
final class Owner {
	/** The number of the log: N of log.N. */
	int number;
	Path path;
	WeakReference<Thread> thread;
	/** The name that was logged last. */
	String name;
	Tail tail;
	/** The slow path is at work: events that it causes are not logged. */
	boolean busy;
	/** As Log.upper, but set also if the clock is a counter for tests. */
	long upper = -1;
	/** The value of upper from which the disk is tried again. */
	long retry;
	/** Of a ring: how many blocks were begun. */
	long sequence;
	/** How many of the bytes for all threads are this log's. */
	int granted;
	/** How often the tail was appended to the log. */
	int appended;

	/** Returns whether the thread has ended. */
	boolean gone() {
		Thread t = thread.get();

		return t == null || t.getState() == Thread.State.TERMINATED;
	}
}
