package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * A copy of the run as it is, while its threads go on. It is made of the files, as a reader of another
 * process sees them. Under the lock of {@link Run}: no log begins or ends meanwhile.
 */
final class Snapshot {
	private static final int TRIES = 1000;
	private static final int BLOCK_HEAD = 16;

	private final Path to;

	private Snapshot(Path to) {
		this.to = to;
	}

	/** Copies a run to a new directory. */
	static void write(Path from, Path to, List<Log> live) throws IOException {
		Snapshot s = new Snapshot(Directory.make(to));
		Set<String> done = new HashSet<>();

		for (Log log : live) {
			s.copy(log);
			done.add(log.owner.path.getFileName().toString());
		}
		try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
			for (Path file : files) {
				String name = file.getFileName().toString();

				if (!name.startsWith("tail.") && !done.contains(name) &&
				    Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
					LogFile.create(to.resolve(name), LogFile.read(file));
			}
		}
	}

	private void copy(Log log) throws IOException {
		Path tail = log.owner.tail.path();

		for (int i = 0; i < TRIES; i++) {
			ByteBuffer before = tailOf(tail);
			ByteBuffer records = Retention.ring() > 0 ? ring(before, tail) : stream(before, tail);

			if (records != null) {
				write(log.owner.path, before.getLong(Format.TAIL_BASE), records);
				return;
			}
		}
		throw new IOException("the thread " + log.owner.name + " logs faster than it can be copied");
	}

	private static ByteBuffer tailOf(Path path) throws IOException {
		return LogFile.read(path).order(ByteOrder.nativeOrder());
	}

	/** Writes what the log's file has up to base, and the records behind. */
	private void write(Path log, long base, ByteBuffer records) throws IOException {
		ByteBuffer whole = ByteBuffer.allocate((int) base + records.remaining());

		if (base > 0)
			whole.put(LogFile.read(log).limit((int) base));
		LogFile.create(to.resolve(log.getFileName()), whole.put(records).flip());
	}

	private static ByteBuffer withLost(long lost, int why, int room) {
		ByteBuffer b = ByteBuffer.allocate(Note.LOST_SIZE + room);

		return lost == 0 ? b : b.put(Note.LOST.bytes(Note.lost(lost, why)));
	}

	/** Returns the records of a tail; null if it was emptied meanwhile. */
	private static ByteBuffer stream(ByteBuffer before, Path tail) throws IOException {
		int head = (int) before.getLong(Format.TAIL_HEAD);
		ByteBuffer after = tailOf(tail);
		long lost = before.getLong(Format.TAIL_LOST);

		if (after.getLong(Format.TAIL_BASE) != before.getLong(Format.TAIL_BASE) ||
		    after.getLong(Format.TAIL_HEAD) < head)
			return null;
		return ByteBuffer.allocate(head + Note.LOST_SIZE)
			.put(before.duplicate().position(Format.TAIL_START).limit(Format.TAIL_START + head))
			.put(lost == 0 ? ByteBuffer.allocate(0)
				       : Note.LOST.bytes(Note.lost(lost, before.getInt(Format.TAIL_WHY))))
			.flip();
	}

	/**
	 * Returns the blocks of a ring that were not overwritten while they were read, the oldest first,
	 * behind a note of the events before them; null if there are none, or that number has changed.
	 */
	private static ByteBuffer ring(ByteBuffer before, Path tail) throws IOException {
		ByteBuffer after = tailOf(tail);
		long lost = after.getLong(Format.TAIL_LOST);
		TreeMap<Long, Integer> blocks = new TreeMap<>();
		ByteBuffer copy;

		for (int at = Format.TAIL_START; at < Format.TAIL_START + before.getInt(Format.TAIL_SIZE);
		     at += Retention.block())
			if (before.getLong(at) != 0 && before.getLong(at) == after.getLong(at))
				blocks.put(before.getLong(at), at);
		if (blocks.isEmpty() || blocks.lastKey() != newest(before) ||
		    !isCurrent(before, blocks.lastEntry().getValue()) ||
		    tailOf(tail).getLong(Format.TAIL_LOST) != lost)
			return null;
		copy = withLost(lost, Format.LOSS_RING, before.getInt(Format.TAIL_SIZE));
		for (int at : blocks.values())
			copy.put(before.duplicate().position(at + BLOCK_HEAD).limit(end(before, at)));
		return copy.flip();
	}

	private static long newest(ByteBuffer tail) {
		long newest = 0;

		for (int at = Format.TAIL_START; at < Format.TAIL_START + tail.getInt(Format.TAIL_SIZE);
		     at += Retention.block())
			newest = Math.max(newest, tail.getLong(at));
		return newest;
	}

	/** Returns whether the head is in the block. */
	private static boolean isCurrent(ByteBuffer tail, int at) {
		long head = Format.TAIL_START + tail.getLong(Format.TAIL_HEAD);

		return head >= at + BLOCK_HEAD && head <= at + Retention.block();
	}

	private static int end(ByteBuffer tail, int at) {
		return isCurrent(tail, at) ? Format.TAIL_START + (int) tail.getLong(Format.TAIL_HEAD)
					   : at + tail.getInt(at + 8);
	}
}
