package glimpse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The records that are no events. */
enum Note {
	NONE, SCHEMA, NAME, CLOCK, LOST, SWITCH, END, PAD;

	private static final int ID = 2;
	private static final int KIND_SHIFT = 24;
	static final int HEAD_SIZE = 8;
	static final int LOST_SIZE = HEAD_SIZE + 12;

	/** Writes a note, also beyond the limit for events. Returns false if there was no room. */
	boolean put(Log log, byte[] content) {
		int size = HEAD_SIZE + (content.length + 3 & ~3);

		if (Retention.ring() > 0)
			return Ring.note(log, bytes(content));
		if (log.at + size > Format.TAIL_START + log.owner.tail.size &&
		    !SlowPath.append(log))
			return false;
		head(log, content.length);
		for (int i = HEAD_SIZE + (content.length & ~3); i < size; i += 4)
			log.map.putInt(log.at + i, 0);
		log.map.put(log.at + HEAD_SIZE, content);
		SlowPath.advance(log, size);
		return true;
	}

	/** Returns a note as bytes. */
	ByteBuffer bytes(byte[] content) {
		ByteBuffer note = ByteBuffer.allocate(HEAD_SIZE + (content.length + 3 & ~3));

		note.order(ByteOrder.nativeOrder()).putInt(ID).putInt(ordinal() << KIND_SHIFT | content.length);
		return note.put(content).rewind();
	}

	/** Returns the content of a note LOST. */
	static byte[] lost(long events, int why) {
		return ByteBuffer.allocate(LOST_SIZE - HEAD_SIZE).order(ByteOrder.nativeOrder()).putLong(events)
			.putInt(why).array();
	}

	private void head(Log log, int size) {
		log.map.putInt(log.at, ID);
		log.map.putInt(log.at + 4, ordinal() << KIND_SHIFT | size);
	}

	/** Fills the tail up to a position in its map, by at least HEAD_SIZE bytes. */
	static void pad(Log log, int end) {
		int size = end - log.at - HEAD_SIZE;

		PAD.head(log, size);
		log.map.put(log.at + HEAD_SIZE, new byte[size]);
		SlowPath.advance(log, end - log.at);
	}

	/** Returns as many whole characters of a thread's name as the log has bytes for. */
	static byte[] nameBytes(String name) {
		byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
		int n = Math.min(bytes.length, Format.NAME_MOST);

		while (n < bytes.length && (bytes[n] & 0xc0) == 0x80)
			n--;
		return java.util.Arrays.copyOf(bytes, n);
	}
}
