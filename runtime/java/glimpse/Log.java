package glimpse;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/**
 * The log of one thread, which alone writes to it. This class is the path of an event: no lock, no
 * system call, no allocation. Generated classes begin a record with {@link Specification#begin},
 * fill it in and end it; programs do not use this class.
 *
 * <p>The records go to a mapped tail. Readers trust its head, which a release store moves once a
 * record is whole: a virtual machine that is killed leaves at most a torn record after the head,
 * where no reader looks.
 */
public final class Log {
	private static final ThreadLocal<Log> CURRENT = new ThreadLocal<>();

	/** The tail: its header, then the records. */
	ByteBuffer map;
	/**
	 * The tail as ints. The compiler checks several puts to it at once. After a put of
	 * unaligned bytes, which may store anywhere, it would load and check everything again.
	 */
	IntBuffer words;
	/** Positions in the map of the next record, and of the end of the records, in bytes. */
	int at;
	int limit;
	/** The upper bits of the newest TIME record; -1 sends every event to the slow path. */
	long upper;

	/** Events in the current block of a ring. */
	int events;

	/** The fields that only the slow path needs. */
	final Owner owner;

	Log(Owner owner) {
		this.owner = owner;
	}

	static Log current() {
		return CURRENT.get();
	}

	static void setCurrent(Log log) {
		if (log == null)
			CURRENT.remove();
		else
			CURRENT.set(log);
	}

	/**
	 * The slow paths join before the record begins, so that the compiler checks the tail once.
	 */
	static Log begin(int id, int size) {
		Log log = CURRENT.get();
		long now;

		if (log == null && (log = Threads.open()) == null)
			return null;
		now = System.nanoTime();
		if (now >>> Format.TICK_BITS != log.upper || log.at + size > log.limit) {
			now = SlowPath.makeRoom(log, size);
			if (now == SlowPath.NONE)
				return null;
		}
		log.words.put(log.word(0), id | (int) now << Format.ID_BITS);
		return log;
	}

	/** Returns an index in words for the open record. Unsigned, which saves a check. */
	private int word(int offset) {
		return (at >>> 2) + (offset >>> 2);
	}

	/**
	 * Stores an int, or the low 32 bits of a uint or of a code32.
	 *
	 * @param offset from the start of the record
	 * @param value the attribute
	 */
	public void putInt(int offset, int value) {
		words.put(word(offset), value);
	}

	/**
	 * Stores a long, a ulong, an address, a code or an object.
	 *
	 * @param offset from the start of the record
	 * @param value the attribute
	 */
	public void putLong(int offset, long value) {
		words.put(word(offset) + Format.LOW, (int) value);
		words.put(word(offset) + Format.HIGH, (int) (value >>> 32));
	}

	/**
	 * Stores a double.
	 *
	 * @param offset from the start of the record
	 * @param value the attribute
	 */
	public void putDouble(int offset, double value) {
		putLong(offset, Double.doubleToRawLongBits(value));
	}

	/**
	 * Stores a string as UTF-8.
	 *
	 * @param offset from the start of the record
	 * @param value the attribute; null is logged as {@code (null)}
	 */
	public void putString(int offset, String value) {
		Text.put(map, at + offset, value);
	}

	/**
	 * Measures a string.
	 *
	 * @param value the attribute
	 * @return how many bytes {@link #putString} writes
	 */
	public static int size(String value) {
		return Text.size(value);
	}

	/**
	 * Publishes the record.
	 *
	 * @param size of the record, as it was begun with
	 */
	public void end(int size) {
		IntBuffer tail = words;
		int head = at + size;

		at = head;
		events++;
		VarHandle.releaseFence();
		tail.put((Format.TAIL_HEAD >> 2) + Format.LOW, head - Format.TAIL_START);
	}
}
