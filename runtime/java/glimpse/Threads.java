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
 * Which threads have logs. Nothing tells of a thread's end, so logs of threads that are gone are looked for: when a new thread
 * would need a new tail and there are twice as many logs as last time, in passing, and at the end of the run.
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

	/** Takes the place of a log while it is opened, for what logs there. */
	private static Log nowhere() {
		Log log = new Log(new Owner());

		log.owner.busy = true;
		log.upper = -1;
		return log;
	}

	/** The log of a thread that has none yet; null after counting an event that cannot be logged. */
	static Log open() {
		Log log = null;

		Log.setCurrent(NOWHERE);
		try {
			log = tryOpen();
		} catch (IOException | RuntimeException | Error e) {
			failing = true;
			retry = System.nanoTime() + RETRY;
			Fault.OPEN.tell("cannot open a thread's log", e,
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
			LogFile.create(o.path, header(o));
		} catch (IOException | RuntimeException | Error e) {
			o.tail.give();
			throw e;
		}
		failing = false;
		next++;
		o.tail.begin(o.number, Format.LOG_HEADER);
		log.upper = -1;
		Room.begin(log);
		for (int i = 0; i < Run.process().count(); i++)
			Note.SCHEMA.put(log, Run.process().entry(i));
		logs.add(log);
		return log;
	}

	private static ByteBuffer header(Owner o) {
		ByteBuffer h = ByteBuffer.allocate(Format.LOG_HEADER).order(ByteOrder.nativeOrder());

		h.putLong(Format.LOG_MAGIC).putInt(Format.LOG_HEADER).putInt(Format.VERSION);
		h.putInt(o.number).putInt(ProcessFile.pid()).putLong(systemId(o));
		h.putInt(Format.CLOCK_NANOSECONDS).putInt(0);
		for (long moment : Clock.pair())
			h.putLong(moment);
		return h.put(Note.nameBytes(o.name)).rewind().limit(Format.LOG_HEADER);
	}

	/** The thread id of the operating system, which /proc knows; 0 where it does not. */
	private static long systemId(Owner o) {
		try {
			Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));

			return Long.parseLong(self.getFileName().toString());
		} catch (IOException | NumberFormatException e) {
			return 0;
		}
	}

	/** Ends logs whose threads are gone. Under the lock. */
	static void sweep() {
		logs.removeIf(log -> log.owner.gone() && end(log));
	}

	/** Ends the log of a thread that is gone, or of the calling one. False: the tail has to keep it. */
	private static boolean end(Log log) {
		Thread thread = log.owner.thread.get();

		try {
			if (thread != null)
				Room.rename(log, thread);
			if (!Room.finish(log))
				return false;
		} catch (RuntimeException | Error e) {
			return false;
		}
		log.owner.tail.give();
		return true;
	}

	/** Ends the calling thread's log; an event after it opens another one. */
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

	/** A specification was registered: the calling thread's log tells of it before its first event. */
	static void noteSchema(byte[] entry) {
		Log log = Log.current();

		if (log != null && !log.owner.busy)
			Note.SCHEMA.put(log, entry);
	}
}
