package glimpse;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;

/**
 * The file "logs" of GLIMPSE_LOGS=pooled, which has the small logs of threads that have ended. Such
 * a log is in its tail until then, header and all, and has no file. Under the lock of {@link Run}.
 */
final class Container {
	private static final long MAGIC = 0x474c494d5053454cL;
	private static final int HEAD = 24;
	private static final int CHECKED = 20;
	private static final int MOST = 64 << 10;

	private static boolean wanted;
	private static RandomAccessFile file;	// an interrupt does not close it
	private static long size;	// of all whole records

	private Container() {
	}

	/** Applies the value of GLIMPSE_LOGS. */
	static void choose(String setting) {
		wanted = "pooled".equals(setting);
		if (!wanted && setting != null && !setting.isEmpty() && !setting.equals("apart"))
			Warning.SETTING.print("GLIMPSE_LOGS must be apart or pooled, not " + setting,
				null, "each log has a file of its own");
	}

	static boolean wanted() {
		return wanted;
	}

	/** Appends a log that is whole in its tail. Returns false if it needs a file. */
	static boolean put(Log log) {
		int bytes = log.at - Format.TAIL_START;

		if (!wanted || bytes > MOST)
			return false;
		try {
			create();
			file.seek(size);
			file.write(record(log, bytes));
		} catch (FileAlreadyExistsException e) {
			wanted = false;
			return false;
		} catch (IOException e) {
			return false;
		}
		size += HEAD + bytes;
		return true;
	}

	private static void create() throws IOException {
		if (file != null)
			return;
		LogFile.create(Run.path("logs"));
		file = new RandomAccessFile(Run.path("logs").toFile(), "rw");
	}

	/** Writes the head of a record, for which a tail has room before the log. */
	private static byte[] record(Log log, int bytes) {
		byte[] record = new byte[HEAD + bytes];
		int at = Format.TAIL_START - HEAD;

		log.map.putLong(at, MAGIC);
		log.map.putInt(at + 8, log.owner.number);
		log.map.putInt(at + 12, 0);
		log.map.putInt(at + 16, bytes);
		log.map.putInt(at + CHECKED, check(log.map, at));
		log.map.get(at, record);
		return record;
	}

	/** Returns FNV-1a, of 32 bits, over the bytes of a head before the field itself. */
	private static int check(ByteBuffer map, int at) {
		int check = 0x811c9dc5;

		for (int i = 0; i < CHECKED; i++)
			check = (check ^ map.get(at + i) & 0xff) * 0x01000193;
		return check;
	}
}
