package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The slow path of an event: the tail has no room, or a TIME record is due. It runs in the thread
 * of the log, or after the end of that thread.
 */
final class SlowPath {
	/** No time: the event is not logged. */
	static final long NONE = -1;

	private static final int RETRY = 16;	// upper bits of the time: about 17 ms

	private SlowPath() {
	}

	/** Makes room for a record and returns its time, or NONE. Never throws. */
	static long makeRoom(Log log, int size) {
		Owner o = log.owner;

		if (o.busy) {
			Run.dropped(1);
			return NONE;
		}
		o.busy = true;
		try {
			return find(log, size);
		} catch (RuntimeException | Error e) {
			return lost(log, Format.LOSS_MEMORY);
		} finally {
			o.busy = false;
		}
	}

	private static long find(Log log, int size) {
		Owner o = log.owner;
		long now;
		long upper;

		rename(log, Thread.currentThread());
		now = Clock.now();
		upper = now >>> Format.TICK_BITS;
		if (!has(log, upper == o.upper ? size : Format.TIME_SIZE + size) &&
		    !(Retention.ring() > 0 ? Ring.turn(log, Format.TIME_SIZE + size)
					   : retry(log, Format.TIME_SIZE + size, upper)))
			return lost(log, 0);
		if (upper != o.upper)
			putTime(log, upper);
		Run.tick(now);
		return now;
	}

	/** Notes the name of the thread if that has changed. */
	static void rename(Log log, Thread thread) {
		String name = thread.getName();

		if (name.equals(log.owner.name))
			return;
		log.owner.name = name;
		Note.NAME.put(log, Note.nameBytes(name));
	}

	private static long lost(Log log, int why) {
		long count = log.map.getLong(Format.TAIL_LOST);

		if (why != 0)
			log.map.putInt(Format.TAIL_WHY, why);
		Format.LONG.setRelease(log.map, Format.TAIL_LOST, count + 1);
		return NONE;
	}

	private static void putTime(Log log, long upper) {
		log.map.putInt(log.at, Format.TIME_ID | (int) (upper >>> 32) << Format.ID_BITS);
		log.map.putInt(log.at + 4, (int) upper);
		log.owner.upper = upper;
		if (Clock.inline())
			log.upper = upper;
		advance(log, Format.TIME_SIZE);
	}

	static void advance(Log log, int size) {
		log.at += size;
		setHead(log, log.at - Format.TAIL_START);
	}

	private static void setHead(Log log, long head) {
		Format.LONG.setRelease(log.map, Format.TAIL_HEAD, head);
	}

	private static boolean has(Log log, int need) {
		return log.at + need <= log.limit;
	}

	/** Empties the tail. If that fails, it is tried again only after a while. */
	private static boolean retry(Log log, int need, long upper) {
		Owner o = log.owner;

		if (upper < o.retry)
			return false;
		o.retry = upper + RETRY;
		if (!empty(log, need))
			return false;
		o.retry = 0;
		return true;
	}

	/**
	 * Empties the tail for an event; twice if the first time only fills up to a multiple of the
	 * tail's size in the log.
	 */
	private static boolean empty(Log log, int need) {
		Owner o = log.owner;

		if (!flush(log))
			return false;
		if ((o.appended > 1 || need > Tail.SMALL / 2) && o.tail.grow())
			begin(log);
		if (!has(log, need) && !flush(log))
			return false;
		if (has(log, need + Note.LOST_SIZE))
			noteLost(log);
		if (has(log, need))
			return true;
		log.map.putInt(Format.TAIL_WHY, isLimited(log) ? Format.LOSS_LIMIT : Format.LOSS_MEMORY);
		return false;
	}

	/** Begins a log, or goes on with it, in an empty tail. */
	static void begin(Log log) {
		if (Retention.ring() > 0) {
			Ring.begin(log);
			return;
		}
		log.map = log.owner.tail.map;
		log.words = log.map.asIntBuffer();
		log.at = Format.TAIL_START;
		log.limit = end(log) - Note.HEAD_SIZE;
		if (Retention.kind() == Retention.OLDEST)
			limit(log);
	}

	/** Keeps the log within what it may have, with a note of what is lost and its end. */
	private static void limit(Log log) {
		Owner o = log.owner;
		long left = Retention.most() - log.map.getLong(Format.TAIL_BASE);

		Retention.giveBack(o.granted);
		o.granted = Retention.take((int) Math.max(0, Math.min(left, o.tail.size)));
		log.limit = Math.min(log.limit, Format.TAIL_START + o.granted - Note.LOST_SIZE - Note.HEAD_SIZE);
	}

	private static boolean isLimited(Log log) {
		return Retention.kind() == Retention.OLDEST && log.owner.granted < log.owner.tail.size;
	}

	/**
	 * Returns where in the map the records have to end that the next write appends: at a
	 * multiple of the tail's size in the log, since such writes cost least. A log that is limited
	 * has no room for what fills up to there.
	 */
	private static int end(Log log) {
		int size = log.owner.tail.size;

		if (Retention.kind() == Retention.OLDEST)
			return Format.TAIL_START + size;
		return Format.TAIL_START + size - (int) (log.map.getLong(Format.TAIL_BASE) % size);
	}

	private static boolean flush(Log log) {
		int end = end(log);

		if (Retention.kind() != Retention.OLDEST && log.at + Note.HEAD_SIZE <= end)
			Note.pad(log, end);
		return append(log);
	}

	/** Appends all records of the tail to the log, whose file is created if it has none. */
	static boolean append(Log log) {
		ByteBuffer records = log.map.duplicate().position(Format.TAIL_START).limit(log.at);
		long base = log.map.getLong(Format.TAIL_BASE);
		int size = records.remaining();

		if (size == 0)
			return true;
		try {
			if (base == 0)
				LogFile.create(log.owner.path, records);
			else
				LogFile.write(log.owner.path, records, base);
		} catch (IOException e) {
			log.map.putInt(Format.TAIL_WHY, Format.LOSS_DISK);
			Warning.APPEND.print("cannot append to " + log.owner.path, e,
				"events that do not fit are counted in the log");
			return false;
		}
		emptied(log, base + size);
		return true;
	}

	/** The head goes back before the base moves on, so that no record is ever there twice. */
	private static void emptied(Log log, long base) {
		int size = (int) (base - log.map.getLong(Format.TAIL_BASE));

		setHead(log, 0);
		Format.LONG.setRelease(log.map, Format.TAIL_BASE, base);
		log.owner.granted -= Math.min(size, log.owner.granted);
		log.owner.appended++;
		begin(log);
	}

	private static void noteLost(Log log) {
		long lost = log.map.getLong(Format.TAIL_LOST);

		if (lost == 0)
			return;
		if (Note.LOST.put(log, Note.lost(lost, log.map.getInt(Format.TAIL_WHY))))
			Format.LONG.setRelease(log.map, Format.TAIL_LOST, 0L);
	}

	/** Ends the log. Returns false if its records stay in the tail. */
	static boolean finish(Log log) {
		if (Retention.ring() > 0)
			return Ring.finish(log);
		if (log.map.getLong(Format.TAIL_LOST) != 0 && append(log))
			noteLost(log);
		Note.END.put(log, new byte[0]);
		if (log.map.getLong(Format.TAIL_BASE) == 0 && Container.put(log))
			return true;
		return append(log) && log.map.getLong(Format.TAIL_LOST) == 0;
	}
}
