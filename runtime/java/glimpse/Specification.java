package glimpse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The event types of one specification, as a generated class hands them over; no interface for people. */
public final class Specification {
	final String name;
	final long schema;
	final String[] events;
	/** One char for each byte. */
	final String text;

	/** One word for each event: the switches of the process file once it is registered. */
	private volatile ByteBuffer words;

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

	void setWords(ByteBuffer words) {
		this.words = words;
	}

	/** Gives it words of its own: all NEW or all OFF. */
	void setAll(int word) {
		ByteBuffer local = ByteBuffer.allocateDirect(4 * events.length).order(ByteOrder.nativeOrder());

		for (int i = 0; i < events.length; i++)
			local.putInt(4 * i, word);
		words = local;
	}

	private int word(int event) {
		return (int) Format.INT.getOpaque(words, event << 2);
	}

	/**
	 * Whether an event type is switched off.
	 *
	 * @param event its index
	 * @return true: do not even measure its strings
	 */
	public boolean off(int event) {
		return word(event) == Format.OFF;
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
			return id == Format.OFF ? null : beginNew(event, size);
		log = Log.current();
		return log == null ? Threads.begin(id, size) : log.begin(id, size);
	}

	private Log beginNew(int event, int size) {
		Run.open();
		return word(event) == Format.NEW ? null : begin(event, size);
	}
}
