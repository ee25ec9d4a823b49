package glimpse;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/**
 * The log of one thread, which alone writes to it. This file is the path of an event: no lock, no system
 * call, no allocation. Generated classes open a record with {@link Specification#begin}, fill it in and end it;
 * it is no interface for people.
 *
 * <p>The records go to a mapped tail. Its head is what readers trust: it moves with a release store
 * once a record is whole, so a virtual machine that is killed leaves at most a torn record behind the head, where no
 * reader looks.
 */
public final class Log {
	private static final ThreadLocal<Log> CURRENT = new ThreadLocal<>();

	/** The tail: its header, then the records. */
	ByteBuffer map;
	/**
	 * The same as ints. The compiler checks several puts to it at once; each put of unaligned bytes is to it a store
	 * to anywhere, after which it loads and checks all again.
	 */
	IntBuffer words;
	/** Where in the map the next record goes, and where the records have to end, in bytes. */
	int at;
	int limit;
	/** The upper bits of the time that the newest TIME set; -1 sends every event to the slow path. */
	long upper;

	/** What only the slow path needs. */
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

	/** The slow paths join before the record is begun, so that the compiler looks at the tail once. */
	static Log begin(int id, int size) {
		Log log = CURRENT.get();
		long now;

		if (log == null && (log = Threads.open()) == null)
			return null;
		now = System.nanoTime();
		if (now >>> Format.TICK_BITS != log.upper || log.at + size > log.limit) {
			now = Room.make(log, size);
			if (now == Room.NONE)
				return null;
		}
		log.words.put(log.word(0), id | (int) now << Format.ID_BITS);
		return log;
	}

	/** Where in words something of the open record is. Without a sign: one check less. */
	private int word(int offset) {
		return (at >>> 2) + (offset >>> 2);
	}

	/**
	 * Stores an int, or the low 32 bits of a uint.
	 *
	 * @param offset from the beginning of the record
	 * @param value the attribute
	 */
	public void putInt(int offset, int value) {
		words.put(word(offset), value);
	}

	/**
	 * Stores a long, a ulong or an address.
	 *
	 * @param offset from the beginning of the record
	 * @param value the attribute
	 */
	public void putLong(int offset, long value) {
		words.put(word(offset) + Format.LOW, (int) value);
		words.put(word(offset) + Format.HIGH, (int) (value >>> 32));
	}

	/**
	 * Stores a double.
	 *
	 * @param offset from the beginning of the record
	 * @param value the attribute
	 */
	public void putDouble(int offset, double value) {
		putLong(offset, Double.doubleToRawLongBits(value));
	}

	/**
	 * Stores a string as UTF-8.
	 *
	 * @param offset from the beginning of the record
	 * @param value the attribute; null is logged as {@code (null)}
	 */
	public void putString(int offset, String value) {
		Text.put(map, at + offset, value);
	}

	/**
	 * Measures a string.
	 *
	 * @param value the attribute
	 * @return the bytes that {@link #putString} will take for it
	 */
	public static int size(String value) {
		return Text.size(value);
	}

	/**
	 * Publishes the record.
	 *
	 * @param size of the record, as it was opened with
	 */
	public void end(int size) {
		IntBuffer tail = words;
		int head = at + size;

		at = head;
		VarHandle.releaseFence();
		tail.put((Format.TAIL_HEAD >> 2) + Format.LOW, head - Format.TAIL_START);
	}
}
