package glimpse;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The log directory of a run: a new one, or one of this user that has no log. */
final class Directory {
	private static final int SIBLINGS = 10000;

	private Directory() {
	}

	/** Returns the main class, or the jar, that the virtual machine was started with. */
	static String program() {
		String command = System.getProperty("sun.java.command", "java").trim();
		String first = command.isEmpty() ? "java" : command.split("\\s", 2)[0];
		String last = first.substring(first.lastIndexOf('/') + 1);

		return last.endsWith(".jar") ? last : last.substring(last.lastIndexOf('.') + 1);
	}

	/** Returns PROGRAM.PID. */
	private static String process() {
		return program() + "." + ProcessHandle.current().pid();
	}

	/** Returns the name that the program or GLIMPSE_DIR gives; null if neither does. */
	static String given(String wanted) {
		String name = wanted != null ? wanted : System.getenv("GLIMPSE_DIR");

		return name == null || name.isEmpty() ? null : name;
	}

	private static Path choose(String wanted) {
		String name = given(wanted);

		return Path.of(name == null ? "glimpse." + process() : name).toAbsolutePath();
	}

	private static boolean usable(Path path) throws IOException {
		return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) &&
			Files.getAttribute(path, "unix:uid")
				.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")) &&
			!Files.exists(path.resolve("log.0"), LinkOption.NOFOLLOW_LINKS);
	}

	/** Creates a directory for this user alone. */
	static Path make(Path path) throws IOException {
		return Files.createDirectory(path, PosixFilePermissions.asFileAttribute(
			PosixFilePermissions.fromString("rwx------")));
	}

	/**
	 * Creates the file "process", which claims a directory. Returns false if it is another
	 * run's.
	 */
	private static boolean claim(Path path) throws IOException {
		try {
			if (!Files.isDirectory(path))
				make(path);
			if (!usable(path))
				return false;
			LogFile.create(path.resolve("process"));
			return true;
		} catch (FileAlreadyExistsException e) {
			return false;
		}
	}

	/** Claims a sibling NAME.1, NAME.2, ... of a directory, and returns its path. */
	private static Path openSibling(Path path) throws IOException {
		for (int n = 1; n < SIBLINGS; n++) {
			Path sibling = path.resolveSibling(path.getFileName() + "." + n);

			if (claim(sibling))
				return sibling;
		}
		throw new FileAlreadyExistsException(path.toString());
	}

	/**
	 * Claims the directory, or if it is taken a sibling; or with GLIMPSE_CHILDREN=inside
	 * DIRECTORY/PROGRAM.PID. Returns its path.
	 */
	static Path open(String wanted) throws IOException {
		Path path = choose(wanted), inner = path.resolve(process()), sibling;

		if (claim(path))
			return path;
		if ("inside".equals(System.getenv("GLIMPSE_CHILDREN")))
			return claim(inner) ? inner : openSibling(inner);
		sibling = openSibling(path);
		if (!Job.includes(ProcessFile.pid(path.resolve("process"))))
			Warning.NOTICE.print((Files.isDirectory(path) ?
				"an earlier run is kept; this one is logged to " :
				"GLIMPSE_DIR names a file; this run is logged to ") + sibling,
				null, null);
		return sibling;
	}
}
