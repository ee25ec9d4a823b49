package glimpse;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The event types of one specification, as a generated class hands them over; no interface for people. */
public final class Specification {
	final String name;
	final long schema;
	final String[] events;
	/** One char for each byte. */
	final String text;

	/**
	 * One word for each event: the switches of the process file once it is registered. Read without
	 * any order, so that it costs nothing; see off().
	 */
	private ByteBuffer words;

	/**
	 * Nothing is opened before the first event.
	 *
	 * @param name of the specification
	 * @param schema its identity, doc/log-format.md
	 * @param events their names
	 * @param text the specification, one char for each byte
	 */
	public Specification(String name, long schema, String[] events, String text) {
		this.name = name;
		this.schema = schema;
		this.events = events;
		this.text = text;
		setAll(Format.NEW);
		Run.add(this);
	}

	/** Other threads find the buffer whole. */
	void setWords(ByteBuffer words) {
		VarHandle.releaseFence();
		this.words = words;
	}

	/** Gives it words of its own: all NEW or all OFF. */
	void setAll(int word) {
		ByteBuffer local = ByteBuffer.allocateDirect(4 * events.length).order(ByteOrder.nativeOrder());

		for (int i = 0; i < events.length; i++)
			local.putInt(4 * i, word);
		setWords(local);
	}

	private int word(int event) {
		return words.getInt(event << 2);
	}

	/**
	 * What a switched-off event does: nothing, but a loop of such events has to look again in each turn. The fence keeps
	 * the compiler from reading the word once for all; an event that is on stores, which does the same.
	 */
	private static boolean isOff(int word) {
		if (word != Format.OFF)
			return false;
		VarHandle.acquireFence();
		return true;
	}

	/**
	 * Whether an event type is switched off.
	 *
	 * @param event its index
	 * @return true: do not even measure its strings
	 */
	public boolean off(int event) {
		return isOff(word(event));
	}

	/**
	 * Opens a record.
	 *
	 * @param event index of its type
	 * @param size of the record in bytes, a multiple of 4
	 * @return the log to fill it into and end it; null: it is not logged
	 */
	public Log begin(int event, int size) {
		int id = word(event);
		Log log;

		if (id < Format.FIRST_ID)
			return isOff(id) ? null : beginNew(event, size);
		log = Log.current();
		return log == null ? Threads.begin(id, size) : log.begin(id, size);
	}

	private Log beginNew(int event, int size) {
		Run.open();
		return word(event) == Format.NEW ? null : begin(event, size);
	}
}
