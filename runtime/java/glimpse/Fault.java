package glimpse;

import java.util.EnumSet;
import java.util.Set;

/** One line on stderr for each kind of trouble, and no second one. */
enum Fault {
	DIRECTORY, REGISTER, OPEN, APPEND, SETTING, NOTICE;

	private static final Set<Fault> told = EnumSet.noneOf(Fault.class);

	/**
	 * @param what happened, and to which file
	 * @param error that the system gave, or null
	 * @param remedy what it means and what to do, or null
	 */
	void tell(String what, Throwable error, String remedy) {
		synchronized (told) {
			if (!told.add(this) && this != NOTICE)
				return;
		}
		System.err.println("glimpse: " + what + (error == null ? "" : ": " + reason(error)) +
			(remedy == null ? "" : "; " + remedy));
	}

	/** A message says enough when it is the system's; others want their kind. */
	private static String reason(Throwable error) {
		String kind = error.getClass().getSimpleName().replace("Exception", "");

		if (error.getMessage() == null)
			return kind;
		return kind.equals("IO") ? error.getMessage() : kind + " " + error.getMessage();
	}
}
