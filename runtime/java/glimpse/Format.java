package glimpse;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Constants of the log format (doc/log-format.md), and access to mapped files. */
final class Format {
	static final long LOG_MAGIC = 0x474c494d50534531L;
	static final long TAIL_MAGIC = 0x474c494d50534554L;
	static final long PROCESS_MAGIC = 0x474c494d50534550L;
	static final int VERSION = 1;
	static final int CLOCK_NANOSECONDS = 2;

	static final int OFF = 0;	// words of event types, and the first id
	static final int NEW = 1;
	static final int FIRST_ID = 16;
	static final int IDS = 4096;

	static final int ID_BITS = 12;	// of the first word of a record; the rest is time
	static final int TICK_BITS = 20;
	static final int TIME_ID = 1;
	static final int TIME_SIZE = 8;

	static final int LOG_HEADER = 128;
	static final int NAME_MOST = 63;

	static final int TAIL_START = 4096;
	static final int TAIL_THREAD = 12;
	static final int TAIL_BASE = 16;
	static final int TAIL_HEAD = 24;
	static final int TAIL_RECORDS = 32;
	static final int TAIL_SIZE = 36;
	static final int TAIL_LOST = 64;
	static final int TAIL_WHY = 72;
	static final int TAIL_FREE = -1;

	static final int TAIL_BLOCK = 60;	// of version 2
	static final int RING_VERSION = 2;

	static final int LOSS_DISK = 1;
	static final int LOSS_LIMIT = 2;
	static final int LOSS_RING = 3;
	static final int LOSS_MEMORY = 4;

	/** Accesses a ByteBuffer as numbers of this machine; the index is in bytes. */
	static final VarHandle INT =
		MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
	static final VarHandle LONG =
		MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	/** The index of the low and of the high half of a long in two ints. */
	static final int LOW = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : 1;
	static final int HIGH = 1 - LOW;

	private Format() {
	}
}
