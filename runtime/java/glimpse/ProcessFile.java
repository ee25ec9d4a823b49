package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The mapped file "process" of a log directory: clock, specifications, switches, counters. */
final class ProcessFile {
	private static final int SIZE = 28672;
	private static final int PID = 12;
	private static final int CLOCK = 16;
	private static final int STATE = 20;
	private static final int FIRST = 24;
	private static final int NEWEST = 48;
	private static final int DROPPED = 80;
	private static final int FREQUENCY = 88;
	private static final int PROGRAM = 128;
	private static final int SPECS = 256;
	private static final int SPEC_SIZE = 128;
	private static final int SPEC_NAME = 16;
	private static final int SPEC_MOST = 30;
	private static final int SWITCHES = 4096;
	private static final int KEEP = 28640;
	private static final int RANK = 28644;
	private static final int PID_SPACE = 28648;
	private static final int BOOT = 28656;

	private final ByteBuffer map;

	ProcessFile(Path path) throws IOException {
		map = LogFile.map(path, SIZE);
		map.putInt(8, Format.VERSION);
		map.putInt(PID, pid());
		map.putInt(CLOCK, Format.CLOCK_NANOSECONDS);
		putPair(FIRST, Clock.pair());
		map.putLong(FREQUENCY, 1_000_000_000L);
		putName(PROGRAM, 128, Directory.program());
		map.putInt(KEEP, Retention.kind());
		map.putInt(RANK, Job.rank());
		map.putLong(PID_SPACE, Job.pidSpace());
		map.put(BOOT, Job.boot());
		Format.LONG.setRelease(map, 0, Format.PROCESS_MAGIC);
	}

	static int pid() {
		return (int) ProcessHandle.current().pid();
	}

	/** Returns the number of the process that has a process file; -1: there is none. */
	static int pid(Path path) {
		try {
			return LogFile.read(path).order(ByteOrder.nativeOrder()).getInt(PID);
		} catch (IOException | RuntimeException e) {
			return -1;
		}
	}

	private void putPair(int at, long[] pair) {
		for (int i = 0; i < pair.length; i++)
			map.putLong(at + 8 * i, pair[i]);
	}

	private void putName(int at, int room, String name) {
		byte[] bytes = name.getBytes(StandardCharsets.UTF_8);

		map.put(at, bytes, 0, Math.min(bytes.length, room - 1));
	}

	/** Stores the newest clock pair. Readers ignore a pair whose ticks are 0. */
	void setNewest(long[] pair) {
		Format.LONG.setVolatile(map, NEWEST, 0L);
		map.putLong(NEWEST + 8, pair[1]);
		map.putLong(NEWEST + 16, pair[2]);
		Format.LONG.setRelease(map, NEWEST, pair[0]);
	}

	void setEnded() {
		Format.INT.setRelease(map, STATE, 1);
	}

	void addDropped(long n) {
		long ignored = (long) Format.LONG.getAndAdd(map, DROPPED, n);
	}

	/** Returns the number of specifications. */
	int count() {
		int n = 0;

		while (n < SPEC_MOST && events(n) != 0)
			n++;
		return n;
	}

	boolean full(int needed) {
		return count() == SPEC_MOST || nextId() + needed > Format.IDS;
	}

	private int nextId() {
		int n = count();

		return n == 0 ? Format.FIRST_ID : base(n - 1) + events(n - 1);
	}

	int base(int index) {
		return map.getInt(SPECS + SPEC_SIZE * index + 8);
	}

	int events(int index) {
		return map.getInt(SPECS + SPEC_SIZE * index + 12);
	}

	/** Returns an entry as the content of a note SCHEMA. */
	byte[] entry(int index) {
		byte[] all = new byte[SPEC_SIZE];
		int end = SPEC_NAME;

		map.get(SPECS + SPEC_SIZE * index, all);
		while (end < SPEC_SIZE && all[end] != 0)
			end++;
		return Arrays.copyOf(all, end);
	}

	/** Returns the index of a specification, or -1. */
	int find(Specification s) {
		byte[] name = s.name.getBytes(StandardCharsets.UTF_8);

		for (int i = 0; i < count(); i++) {
			byte[] entry = entry(i);

			if (map.getLong(SPECS + SPEC_SIZE * i) == s.schema &&
			    events(i) == s.events.length &&
			    Arrays.equals(entry, SPEC_NAME, entry.length, name, 0,
					  Math.min(name.length, SPEC_SIZE - SPEC_NAME - 1)))
				return i;
		}
		return -1;
	}

	/** Adds a new specification, for which there is room, and returns its index. */
	int add(Specification s) {
		int index = count();
		int at = SPECS + SPEC_SIZE * index;

		map.putLong(at, s.schema);
		map.putInt(at + 8, nextId());
		putName(at + SPEC_NAME, SPEC_SIZE - SPEC_NAME, s.name);
		Format.INT.setRelease(map, at + 12, s.events.length);
		return index;
	}

	/** Returns the switches of a specification's events. */
	IntBuffer words(int index) {
		return map.slice(SWITCHES + 4 * base(index), 4 * events(index))
			.order(ByteOrder.nativeOrder())
			.asIntBuffer();
	}

	void setWord(int id, boolean on) {
		Format.INT.setOpaque(map, SWITCHES + 4 * id, on ? id : Format.OFF);
	}
}
