package glimpse;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads that have logs. A thread cannot report its end, so logs whose threads have ended are
 * searched for: if a new thread would need a new tail and there are twice as many logs as the last
 * time, every 100 ms, and at the end of the run.
 */
final class Threads {
	private static final long RETRY = 10_000_000L;
	private static final Log NOWHERE = nowhere();

	private static final List<Log> logs = new ArrayList<>();
	private static int sweepAt = 8;
	private static int next;
	private static volatile long retry;
	private static volatile boolean failing;

	private Threads() {
	}

	/** Replaces a log while it is being opened, for events in the meantime. */
	private static Log nowhere() {
		Log log = new Log(new Owner());

		log.owner.busy = true;
		log.upper = -1;
		return log;
	}

	/** Opens the log of a thread. Returns null, and counts a lost event, if that fails. */
	static Log open() {
		Log log = null;

		Log.setCurrent(NOWHERE);
		try {
			log = tryOpen();
		} catch (IOException | RuntimeException | Error e) {
			failing = true;
			retry = System.nanoTime() + RETRY;
			Warning.OPEN.print("cannot open a thread's log", e,
				"its events are counted in the process file");
		} finally {
			Log.setCurrent(log);
		}
		if (log == null)
			Run.dropped(1);
		return log;
	}

	private static Log tryOpen() throws IOException {
		if (failing && System.nanoTime() - retry < 0)
			return null;
		synchronized (Run.class) {
			if (!Run.open())
				return null;
			if (Tail.noneFree() && logs.size() >= sweepAt) {
				sweep();
				sweepAt = 2 * logs.size() + 8;
			}
			return create(Thread.currentThread());
		}
	}

	private static Log create(Thread thread) throws IOException {
		Log log = new Log(new Owner());
		Owner o = log.owner;

		o.number = next;
		o.path = Run.path("log." + o.number);
		o.thread = new WeakReference<>(thread);
		o.name = thread.getName();
		o.tail = Tail.take();
		try {
			begin(log);
		} catch (IOException | RuntimeException | Error e) {
			o.tail.give();
			throw e;
		}
		failing = false;
		next++;
		for (int i = 0; i < Run.process().count(); i++)
			Note.SCHEMA.put(log, Run.process().entry(i));
		logs.add(log);
		return log;
	}

	/** Begins a log with its header: in a file, or if logs are pooled in the tail. */
	private static void begin(Log log) throws IOException {
		Owner o = log.owner;
		ByteBuffer header = header(o);

		log.upper = -1;
		if (Retention.ring() > 0 || !Container.wanted()) {
			LogFile.create(o.path, header);
			o.tail.begin(o.number, Format.LOG_HEADER);
			SlowPath.begin(log);
			return;
		}
		o.tail.map.put(Format.TAIL_START, header.array());
		o.tail.begin(o.number, 0);
		SlowPath.begin(log);
		SlowPath.advance(log, Format.LOG_HEADER);
	}

	private static ByteBuffer header(Owner o) {
		ByteBuffer h = ByteBuffer.allocate(Format.LOG_HEADER);

		h.order(ByteOrder.nativeOrder());
		h.putLong(Format.LOG_MAGIC).putInt(Format.LOG_HEADER).putInt(Format.VERSION);
		h.putInt(o.number).putInt(ProcessFile.pid()).putLong(systemId());
		h.putInt(Format.CLOCK_NANOSECONDS).putInt(Retention.ring());
		for (long moment : Clock.pair())
			h.putLong(moment);
		return h.put(Note.nameBytes(o.name)).rewind().limit(Format.LOG_HEADER);
	}

	/**
	 * Returns the thread id of the operating system from /proc; 0 if it is not there, or if there may
	 * be many threads: asking takes longer than all else that a short thread does to its log.
	 */
	private static long systemId() {
		if (Container.wanted())
			return 0;
		try {
			Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));

			return Long.parseLong(self.getFileName().toString());
		} catch (IOException | NumberFormatException e) {
			return 0;
		}
	}

	/** Ends logs whose threads have ended. Under the lock. */
	static void sweep() {
		logs.removeIf(log -> log.owner.gone() && end(log));
	}

	/**
	 * Ends the log of the calling thread or one that has ended. False if records stay in the
	 * tail.
	 */
	private static boolean end(Log log) {
		Thread thread = log.owner.thread.get();

		try {
			if (thread != null)
				SlowPath.rename(log, thread);
			if (!SlowPath.finish(log))
				return false;
		} catch (RuntimeException | Error e) {
			return false;
		}
		Retention.giveBack(log.owner.granted);
		log.owner.tail.give();
		return true;
	}

	/** Ends the log of the calling thread. */
	static void close() {
		Log log = Log.current();

		if (log == null || log.owner.busy)
			return;
		Log.setCurrent(null);
		synchronized (Run.class) {
			if (end(log))
				logs.remove(log);
			else
				log.owner.thread.clear();
		}
	}

	/** Copies the run as it is. Under the lock. */
	static void snapshot(Path from, Path to) throws IOException {
		Snapshot.write(from, to, logs);
	}

	/** Notes a new specification in the log of the calling thread, before its first event. */
	static void noteSchema(byte[] entry) {
		Log log = Log.current();

		if (log != null && !log.owner.busy)
			Note.SCHEMA.put(log, entry);
	}
}
