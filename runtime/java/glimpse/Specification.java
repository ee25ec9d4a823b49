package glimpse;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/** The event types of one specification, for its generated class only. */
public final class Specification {
	final String name;
	final long schema;
	final String[] events;
	/** The text of the specification, one char for each byte. */
	final String text;

	/**
	 * One word for each event: the switches in the process file, once this is registered. Read
	 * without any order, which costs nothing; see off().
	 */
	private IntBuffer words;

	/**
	 * Adds the specification; the run begins with the first event only.
	 *
	 * @param name of the specification
	 * @param schema its identity, doc/log-format.md
	 * @param events their names
	 * @param text of the specification, one char for each byte
	 */
	public Specification(String name, long schema, String[] events, String text) {
		this.name = name;
		this.schema = schema;
		this.events = events;
		this.text = text;
		setAll(Format.NEW);
		Run.add(this);
	}

	/** Sets the words, so that other threads see the buffer whole. */
	void setWords(IntBuffer words) {
		VarHandle.releaseFence();
		this.words = words;
	}

	/** Sets words of its own, all of one value: NEW or OFF. */
	void setAll(int word) {
		IntBuffer local = ByteBuffer.allocateDirect(4 * events.length)
			.order(ByteOrder.nativeOrder()).asIntBuffer();

		for (int i = 0; i < events.length; i++)
			local.put(i, word);
		setWords(local);
	}

	/**
	 * Returns whether an event type is switched off. The method of each event calls this first,
	 * so that the virtual machine learns for each event which way it goes. The fence keeps the
	 * compiler from reading the word only once in a loop of events that are off; events that
	 * are on store something, which has the same effect.
	 *
	 * @param event index of its type
	 * @return true if the event is not to be logged
	 */
	public boolean off(int event) {
		if (words.get(event) != Format.OFF)
			return false;
		VarHandle.acquireFence();
		return true;
	}

	/**
	 * Begins a record.
	 *
	 * @param event index of its type
	 * @param size of the record in bytes, a multiple of 4
	 * @return the log to write the record to; null if it is not logged
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
