package glimpse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Switches event types off and on, under the lock of {@link Run}. */
final class Switches {
	private Switches() {
	}

	/** Switches all events on, except for those that GLIMPSE_OFF names. */
	static void begin(Specification s, int base) {
		String setting = System.getenv("GLIMPSE_OFF");

		for (int i = 0; i < s.events.length; i++) {
			Run.process().setWord(base + i, true);
			if (setting != null && isListed(setting, s.name, s.events[i]))
				set(base + i, false);
		}
	}

	private static boolean isListed(String setting, String specification, String event) {
		for (String item : setting.split(","))
			if (names(item, specification, event))
				return true;
		return false;
	}

	static boolean names(String pattern, String specification, String event) {
		return pattern.equals("*") || pattern.equals(event) ||
			pattern.equals(specification) || pattern.equals(specification + "." + event);
	}

	static void set(int id, boolean on) {
		ByteBuffer change = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());

		Run.process().setWord(id, on);
		change.putInt(id).putInt(on ? 1 : 0).putLong(Clock.now()).flip();
		try {
			LogFile.append(Run.path("switches"), change);
		} catch (IOException e) {
			Warning.SETTING.print("cannot record a switch in the log directory", e, null);
		}
	}
}
