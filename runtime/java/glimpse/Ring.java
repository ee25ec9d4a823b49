package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tails that keep a thread's newest events. Their records are in blocks, which are filled in turn and
 * overwritten once all are full. The log's file has only its header and notes until the log ends;
 * then the blocks are appended to it, the oldest first.
 */
final class Ring {
	private static final int HEAD = 16;	// of a block: sequence, bytes, events
	private static final int USED = 8;
	private static final int EVENTS = 12;

	private Ring() {
	}

	/** Begins a log in an empty ring. */
	static void begin(Log log) {
		Tail t = log.owner.tail;

		log.map = t.map;
		log.words = log.map.asIntBuffer();
		for (int k = 0; k < blocks(log); k++) {
			log.map.putLong(place(k), 0);
			log.map.putInt(place(k) + EVENTS, 0);
		}
		log.map.putInt(Format.TAIL_WHY, Format.LOSS_RING);
		log.owner.sequence = 0;
		beginBlock(log, 0);
	}

	private static int blocks(Log log) {
		return log.owner.tail.size / Retention.block();
	}

	/** Returns where in the map a block begins. */
	private static int place(int k) {
		return Format.TAIL_START + k * Retention.block();
	}

	private static int current(Log log) {
		return (log.at - HEAD - Format.TAIL_START) / Retention.block();
	}

	/** A block's sequence is 0 while the block changes. */
	private static void beginBlock(Log log, int k) {
		int at = place(k);

		Format.LONG.setVolatile(log.map, at, 0L);
		log.map.putInt(at + USED, HEAD);
		log.map.putInt(at + EVENTS, 0);
		log.events = 0;
		log.at = at + HEAD;
		log.limit = at + Retention.block();
		log.upper = log.owner.upper = -1;
		SlowPath.advance(log, 0);
		Format.LONG.setRelease(log.map, at, ++log.owner.sequence);
	}

	private static void endBlock(Log log) {
		int at = place(current(log));

		log.map.putInt(at + EVENTS, log.events);
		Format.INT.setRelease(log.map, at + USED, log.at - at);
	}

	/** Goes on to the next block, for records of some bytes. Returns false if no block can hold them. */
	static boolean turn(Log log, int need) {
		int next = current(log) + 1;
		long lost = log.map.getLong(Format.TAIL_LOST);

		if (need > Retention.block() - HEAD)
			return false;
		endBlock(log);
		if (next >= blocks(log) && grow(log))
			log.words = (log.map = log.owner.tail.map).asIntBuffer();
		if (next >= blocks(log))
			next = 0;
		Format.LONG.setRelease(log.map, Format.TAIL_LOST, lost + log.map.getInt(place(next) + EVENTS));
		beginBlock(log, next);
		return true;
	}

	/** Doubles the ring, up to its size. */
	private static boolean grow(Log log) {
		Owner o = log.owner;
		int taken = Retention.take(Math.min(o.tail.size, Retention.ring() - o.tail.size));
		int step = taken - taken % Retention.block();

		Retention.giveBack(taken - step);
		if (step == 0 || !o.tail.resize(o.tail.size + step)) {
			Retention.giveBack(step);
			return false;
		}
		o.granted += step;
		return true;
	}

	/** Appends a note to the log's file. */
	static boolean note(Log log, ByteBuffer note) {
		long base = log.map.getLong(Format.TAIL_BASE);
		int size = note.remaining();

		if (!write(log, note, base))
			return false;
		Format.LONG.setRelease(log.map, Format.TAIL_BASE, base + size);
		return true;
	}

	private static boolean write(Log log, ByteBuffer from, long at) {
		try {
			LogFile.write(log.owner.path, from, at);
			return true;
		} catch (IOException e) {
			Warning.APPEND.print("cannot append to " + log.owner.path, e,
				"its events stay in the tail");
			return false;
		}
	}

	/**
	 * Ends the log: appends what is in the ring. Readers take the file up to its base and then the
	 * ring, until the tail is free. Returns false if the records stay in the tail.
	 */
	static boolean finish(Log log) {
		long at = log.map.getLong(Format.TAIL_BASE);
		long lost = log.map.getLong(Format.TAIL_LOST);
		int n = blocks(log);
		int last = current(log);

		endBlock(log);
		if (lost != 0) {
			ByteBuffer note = Note.LOST.bytes(Note.lost(lost, Format.LOSS_RING));

			if (!write(log, note, at))
				return false;
			at += Note.LOST_SIZE;
		}
		for (int i = 1; i <= n; i++) {
			int from = place((last + i) % n);
			int used = log.map.getInt(from + USED) - HEAD;

			if (log.map.getLong(from) == 0)
				continue;
			if (!write(log, log.map.duplicate().position(from + HEAD).limit(from + HEAD + used), at))
				return false;
			at += used;
		}
		return write(log, Note.END.bytes(new byte[0]), at);
	}
}
