package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files of the log directory. None stays open but that of {@link Container}. Interrupting a thread
 * closes the channel that it uses, so each operation here clears an interrupt and restores it at its
 * end.
 */
final class LogFile {
	private static final FileAttribute<?> PRIVATE =
		PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
	private static final int ZEROS = 64 << 10;

	private interface Work<T> {
		T run() throws IOException;
	}

	private LogFile() {
	}

	private static <T> T undisturbed(Work<T> work) throws IOException {
		boolean interrupted = Thread.interrupted();

		try {
			while (true) {
				try {
					return work.run();
				} catch (ClosedByInterruptException e) {
					interrupted = Thread.interrupted() || interrupted;
				}
			}
		} finally {
			if (interrupted)
				Thread.currentThread().interrupt();
		}
	}

	private static FileChannel open(Path path, OpenOption... options) throws IOException {
		Set<OpenOption> all = new java.util.HashSet<>(Set.of(options));

		all.add(StandardOpenOption.WRITE);
		all.add(LinkOption.NOFOLLOW_LINKS);
		return FileChannel.open(path, all, PRIVATE);
	}

	private static void writeAll(FileChannel channel, ByteBuffer from, long position)
		throws IOException {
		while (from.hasRemaining())
			position += channel.write(from, position);
	}

	/** Creates an empty file; fails if there is one of that name. */
	static void create(Path path) throws IOException {
		open(path, StandardOpenOption.CREATE_NEW).close();
	}

	/** Returns all bytes of a file. */
	static ByteBuffer read(Path path) throws IOException {
		return undisturbed(() -> ByteBuffer.wrap(Files.readAllBytes(path)));
	}

	/** Creates a file with a content; leaves no file if that fails. */
	static void create(Path path, ByteBuffer content) throws IOException {
		StandardOpenOption[] how = {StandardOpenOption.CREATE_NEW};

		try {
			undisturbed(() -> {
				try (FileChannel channel = open(path, how)) {
					how[0] = StandardOpenOption.CREATE;
					writeAll(channel, content.duplicate(), 0);
					return null;
				}
			});
		} catch (IOException e) {
			if (how[0] == StandardOpenOption.CREATE)
				path.toFile().delete();
			throw e;
		}
	}

	/** Writes all of a buffer at a position. */
	static void write(Path path, ByteBuffer from, long position) throws IOException {
		undisturbed(() -> {
			try (FileChannel channel = open(path)) {
				writeAll(channel, from.duplicate(), position);
				return null;
			}
		});
	}

	/** Appends with one write to a file, which is created if there is none. */
	static void append(Path path, ByteBuffer from) throws IOException {
		undisturbed(() -> {
			try (FileChannel channel = open(path, StandardOpenOption.CREATE,
							StandardOpenOption.APPEND)) {
				channel.write(from.duplicate());
				return null;
			}
		});
	}

	/**
	 * Maps the first bytes of a file. Bytes that it does not have yet are written before, so
	 * that a full disk is an error here and no fault in the middle of an event.
	 */
	static ByteBuffer map(Path path, int size) throws IOException {
		return undisturbed(() -> {
			try (FileChannel channel = open(path, StandardOpenOption.READ)) {
				for (long at = channel.size(); at < size;) {
					int n = (int) Math.min(ZEROS, size - at);

					writeAll(channel, ByteBuffer.allocate(n), at);
					at += n;
				}
				return channel.map(MapMode.READ_WRITE, 0, size)
					.order(ByteOrder.nativeOrder());
			}
		});
	}
}
