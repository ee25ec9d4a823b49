package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A mapped file that takes the records of one thread at a time. A full tail is appended to its log with one write, so
 * its pages stay warm. Tails are never unmapped but used again by later threads. Statics are under the
 * lock of {@link Run}.
 */
final class Tail {
	static final int SMALL = 64 << 10;	// what a thread begins with
	static final int LARGE = 1 << 20;	// what a busy one grows to

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

	/** Whether a new thread would need a new file. */
	static boolean noneFree() {
		return free.isEmpty();
	}

	/** Begins to hold the records of a log whose file ends at base. */
	void begin(int thread, long base) {
		map.putLong(Format.TAIL_BASE, base);
		map.putLong(Format.TAIL_HEAD, 0);
		map.putLong(Format.TAIL_LOST, 0);
		map.putInt(Format.TAIL_WHY, 0);
		Format.INT.setRelease(map, Format.TAIL_THREAD, thread);
	}

	/** It holds nothing that its log does not have. */
	void give() {
		Format.INT.setRelease(map, Format.TAIL_THREAD, Format.TAIL_FREE);
		free.push(this);
	}

	/** A busy thread gets more room; where the disk has none it goes on with what it has. */
	boolean grow() {
		if (size == LARGE)
			return false;
		try {
			map = LogFile.map(path, Format.TAIL_START + LARGE);
		} catch (IOException | OutOfMemoryError e) {
			return false;
		}
		size = LARGE;
		map.putInt(Format.TAIL_SIZE, size);
		return true;
	}

	static void removeFree() {
		for (Tail t; (t = free.poll()) != null;)
			t.path.toFile().delete();
	}
}
