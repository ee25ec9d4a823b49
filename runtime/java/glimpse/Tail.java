package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A mapped file that takes the records of one thread at a time. A full tail is appended to its log
 * with one write and used again, so its pages stay warm. Tails are never unmapped; later threads
 * use them. The lock of {@link Run} guards static fields.
 */
final class Tail {
	static final int SMALL = 64 << 10;	// bytes of records at first
	static final int LARGE = 1 << 20;	// and for a busy thread

	private static final Deque<Tail> free = new ArrayDeque<>();
	private static int next;

	private final Path path;
	ByteBuffer map;
	int size = SMALL;

	private Tail(Path path) throws IOException {
		this.path = path;
		LogFile.create(path);
		try {
			map = LogFile.map(path, Format.TAIL_START + SMALL);
		} catch (IOException | RuntimeException | Error e) {
			path.toFile().delete();
			throw e;
		}
		map.putInt(8, Format.VERSION);
		map.putInt(Format.TAIL_THREAD, Format.TAIL_FREE);
		map.putInt(Format.TAIL_RECORDS, Format.TAIL_START);
		map.putInt(Format.TAIL_SIZE, SMALL);
		Format.LONG.setRelease(map, 0, Format.TAIL_MAGIC);
	}

	static Tail take() throws IOException {
		Tail t = free.poll();

		if (t == null)
			t = new Tail(Run.path("tail." + next++));
		return t;
	}

	Path path() {
		return path;
	}

	/** Returns whether a new thread would need a new file. */
	static boolean noneFree() {
		return free.isEmpty();
	}

	/** Begins to take the records of a log whose file ends at base. */
	void begin(int thread, long base) {
		if (Retention.ring() > 0) {
			size = SMALL;
			map.putInt(8, Format.RING_VERSION);
			map.putInt(Format.TAIL_SIZE, size);
			map.putInt(Format.TAIL_BLOCK, Retention.block());
		}
		map.putLong(Format.TAIL_BASE, base);
		map.putLong(Format.TAIL_HEAD, 0);
		map.putLong(Format.TAIL_LOST, 0);
		map.putInt(Format.TAIL_WHY, 0);
		Format.INT.setRelease(map, Format.TAIL_THREAD, thread);
	}

	/** Frees the tail, whose records are in the log. */
	void give() {
		Format.INT.setRelease(map, Format.TAIL_THREAD, Format.TAIL_FREE);
		free.push(this);
	}

	/** Enlarges the tail for a busy thread. Returns false if it stays as it is. */
	boolean grow() {
		return size != LARGE && resize(LARGE);
	}

	/** Makes room for so many bytes of records. Returns false if the tail stays as it is. */
	boolean resize(int bytes) {
		try {
			if (map.capacity() < Format.TAIL_START + bytes)
				map = LogFile.map(path, Format.TAIL_START + bytes);
		} catch (IOException | OutOfMemoryError e) {
			return false;
		}
		map.putInt(Format.TAIL_SIZE, bytes);
		size = bytes;
		return true;
	}

	static void removeFree() {
		for (Tail t; (t = free.poll()) != null;)
			t.path.toFile().delete();
	}
}
