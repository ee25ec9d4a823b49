package glimpse;

import java.util.EnumSet;
import java.util.Set;

/** Warnings on stderr: one line of each kind, but every notice. */
enum Warning {
	DIRECTORY, REGISTER, OPEN, APPEND, SETTING, NOTICE;

	private static final Set<Warning> printed = EnumSet.noneOf(Warning.class);

	/**
	 * Prints the line, unless one of this kind was printed.
	 *
	 * @param what happened, and to which file
	 * @param error the reason, or null
	 * @param remedy the consequence and what to do, or null
	 */
	void print(String what, Throwable error, String remedy) {
		synchronized (printed) {
			if (!printed.add(this) && this != NOTICE)
				return;
		}
		System.err.println("glimpse: " + what +
			(error == null ? "" : ": " + reason(error)) +
			(remedy == null ? "" : "; " + remedy));
	}

	/**
	 * Returns the message of an error, with the kind of error unless the message is the
	 * system's.
	 */
	private static String reason(Throwable error) {
		String kind = error.getClass().getSimpleName().replace("Exception", "");

		if (error.getMessage() == null)
			return kind;
		return kind.equals("IO") ? error.getMessage() : kind + " " + error.getMessage();
	}
}
