package glimpse.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes one JSON object a line. */
final class Lines {
	private static final int BLOCK = 1 << 16;

	private final OutputStream out;
	private final StringBuilder text = new StringBuilder(2 * BLOCK);
	private int ended;
	private boolean first = true;

	Lines(OutputStream out) {
		this.out = out;
	}

	/** Begins a line with its first member, a number. A line that was begun and not ended is dropped. */
	Lines line(String key, long value) {
		text.setLength(ended);
		text.append('{');
		first = true;
		return put(key, value);
	}

	void end() throws IOException {
		text.append("}\n");
		ended = text.length();
		if (text.length() > BLOCK)
			flush();
	}

	void flush() throws IOException {
		out.write(text.toString().getBytes(StandardCharsets.UTF_8));
		out.flush();
		text.setLength(0);
		ended = 0;
	}

	Lines put(String key, long value) {
		key(key);
		text.append(value);
		return this;
	}

	Lines put(String key, String value) {
		key(key);
		string(value);
		return this;
	}

	/** Begins an array, whose items follow. */
	Lines array(String key) {
		key(key);
		text.append('[');
		first = true;
		return this;
	}

	Lines close() {
		text.append(']');
		first = false;
		return this;
	}

	void item(String value) {
		comma();
		string(value);
	}

	void item(long value) {
		comma();
		text.append(value);
	}

	void natural(long value) {
		comma();
		text.append(Long.toUnsignedString(value));
	}

	/** Numbers that JSON has not are strings: "NaN", "Infinity", "-Infinity". */
	void item(double value) {
		comma();
		if (Double.isFinite(value))
			text.append(value);
		else
			string(Double.toString(value));
	}

	private void comma() {
		if (!first)
			text.append(',');
		first = false;
	}

	private void key(String key) {
		comma();
		text.append('"').append(key).append("\":");
	}

	private void string(String value) {
		text.append('"');
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);

			if (c == '"' || c == '\\')
				text.append('\\').append(c);
			else if (c < ' ')
				text.append(String.format("\\u%04x", (int) c));
			else
				text.append(c);
		}
		text.append('"');
	}
}
