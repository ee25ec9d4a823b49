package glimpse;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The run: the state that all threads share. The lock of this class guards all of it. */
final class Run {
	private enum State {
		NEW, OPENING, OPEN, CLOSED
	}

	private static final long PAIR_AGE = 100_000_000L;

	private static State state = State.NEW;
	private static Path directory;
	private static ProcessFile process;
	private static long pairNext;
	private static String wanted;
	private static final List<WeakReference<Specification>> specifications = new ArrayList<>();

	private Run() {
	}

	/** Returns the path of a file in the log directory. */
	static Path path(String name) {
		return directory.resolve(name);
	}

	static ProcessFile process() {
		return process;
	}

	/** Opens the run unless it is open. Returns false if nothing can be logged. */
	static synchronized boolean open() {
		if (state != State.NEW)
			return state == State.OPEN;
		state = State.OPENING;
		try {
			Clock.choose(System.getenv("GLIMPSE_CLOCK"));
			Retention.choose(System.getenv("GLIMPSE_KEEP"));
			Container.choose(System.getenv("GLIMPSE_LOGS"));
			directory = Directory.open(wanted);
			process = new ProcessFile(path("process"));
			state = State.OPEN;
			endWithMachine();
			if (Directory.given(wanted) == null)
				Warning.NOTICE.print("the logs are in " + directory, null,
					"set GLIMPSE_DIR to choose another directory");
		} catch (IOException | RuntimeException | Error e) {
			Warning.DIRECTORY.print("cannot create a log directory", e,
				e instanceof NoSuchFileException ?
				"nothing is logged; create its parent directory, or set GLIMPSE_DIR to another" :
				"nothing is logged; set GLIMPSE_DIR to another directory");
			close();
			return false;
		}
		publishAll();
		return true;
	}

	private static void endWithMachine() {
		try {
			Runtime.getRuntime().addShutdownHook(new Thread(Run::end, "glimpse"));
		} catch (IllegalStateException e) {
			return;		// it is ending already: readers find the tails
		}
	}

	static synchronized void want(String name) {
		if (state == State.NEW)
			wanted = name;
		else if (state == State.OPEN)
			Warning.NOTICE.print("init came after the first event; the run stays in " +
				directory, null, null);
	}

	/** Adds the specification of a class that was loaded. */
	static synchronized void add(Specification s) {
		specifications.removeIf(r -> r.get() == null);
		specifications.add(new WeakReference<>(s));
		if (state == State.CLOSED)
			s.setAll(Format.OFF);
		else if (state == State.OPEN)
			publish(s);
	}

	private static List<Specification> all() {
		List<Specification> list = new ArrayList<>();

		for (WeakReference<Specification> r : specifications)
			if (r.get() != null)
				list.add(r.get());
		return list;
	}

	private static void publishAll() {
		for (Specification s : all())
			publish(s);
	}

	/**
	 * Gives a specification its ids: a class that is loaded again has the same ids as before.
	 */
	private static void publish(Specification s) {
		int index = process.find(s);

		if (index < 0 && process.full(s.events.length)) {
			Warning.REGISTER.print("too many event types in one process: " + s.name,
				null, "its events are not logged");
			s.setAll(Format.OFF);
			return;
		}
		if (index < 0) {
			index = process.add(s);
			saveText(s);
			Switches.begin(s, process.base(index));
			Threads.noteSchema(process.entry(index));
		}
		s.setWords(process.words(index));
	}

	private static void saveText(Specification s) {
		ByteBuffer text = ByteBuffer.wrap(s.text.getBytes(StandardCharsets.ISO_8859_1));

		try {
			try {
				LogFile.create(path(s.name + ".spec"), text);
			} catch (java.nio.file.FileAlreadyExistsException e) {
				String other = String.format("%s-%016x.spec", s.name, s.schema);

				LogFile.create(path(other), text);
			}
		} catch (IOException e) {
			Warning.REGISTER.print("cannot write the specification " + s.name, e,
				"the tools need -s FILE for this log");
		}
	}

	/** Switches the event types of a name: "Sendmsg", "messages.Sendmsg" or "*". */
	static synchronized boolean switchEvents(String pattern, boolean on) {
		boolean found = false;

		if (!open())
			return false;
		for (Specification s : all()) {
			int index = process.find(s);

			for (int i = 0; index >= 0 && i < s.events.length; i++)
				if (Switches.names(pattern, s.name, s.events[i])) {
					Switches.set(process.base(index) + i, on);
					found = true;
				}
		}
		return found;
	}

	/** Copies the run as it is to a new directory. */
	static synchronized void snapshot(String to) throws IOException {
		if (state != State.OPEN)
			throw new IOException("no run is being logged");
		process.setNewest(Clock.pair());
		Threads.snapshot(directory, Path.of(to).toAbsolutePath());
	}

	/** Counts events that no log could record. */
	static void dropped(long events) {
		ProcessFile p = process;

		if (p != null)
			p.addDropped(events);
	}

	/** Stores a clock pair every 100 ms, and ends logs of threads that have ended. */
	static void tick(long now) {
		if (now - pairNext < 0)
			return;
		synchronized (Run.class) {
			if (state != State.OPEN || now - pairNext < 0)
				return;
			pairNext = now + PAIR_AGE;
			process.setNewest(Clock.pair());
			Threads.sweep();
		}
	}

	/** Ends the run. Tails of threads that live on stay for the readers. */
	private static synchronized void end() {
		if (state != State.OPEN)
			return;
		process.setNewest(Clock.pair());
		Threads.sweep();
		Tail.removeFree();
		process.setEnded();
	}

	/** Ends the log of the calling thread, and the run. */
	static synchronized void close() {
		if (state == State.OPEN) {
			Threads.close();
			end();
		}
		state = State.CLOSED;
		for (Specification s : all())
			s.setAll(Format.OFF);
	}
}
