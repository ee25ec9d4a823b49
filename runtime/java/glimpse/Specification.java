package glimpse;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

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
	private IntBuffer words;

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
	void setWords(IntBuffer words) {
		VarHandle.releaseFence();
		this.words = words;
	}

	/** Gives it words of its own: all NEW or all OFF. */
	void setAll(int word) {
		IntBuffer local = ByteBuffer.allocateDirect(4 * events.length)
			.order(ByteOrder.nativeOrder()).asIntBuffer();

		for (int i = 0; i < events.length; i++)
			local.put(i, word);
		setWords(local);
	}

	/**
	 * Whether an event type is switched off. Each event's method asks first, for itself, so that the virtual machine
	 * learns for each event which way it goes. The fence is for loops of events that are off: it keeps the compiler
	 * from reading the word once for all; an event that is on stores, which does the same.
	 *
	 * @param event its index
	 * @return true: do not even measure its strings
	 */
	public boolean off(int event) {
		if (words.get(event) != Format.OFF)
			return false;
		VarHandle.acquireFence();
		return true;
	}

	/**
	 * Opens a record.
	 *
	 * @param event index of its type
	 * @param size of the record in bytes, a multiple of 4
	 * @return the log to fill it into and end it; null: it is not logged
	 */
	public Log begin(int event, int size) {
		int id = words.get(event);

		if (id < Format.FIRST_ID)
			return id == Format.NEW ? beginNew(event, size) : null;
		return Log.begin(id, size);
	}

	private Log beginNew(int event, int size) {
		Run.open();
		return words.get(event) == Format.NEW ? null : begin(event, size);
	}
}
