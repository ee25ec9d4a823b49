package glimpse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the process is in its parallel job and on its machine, for readers. */
final class Job {
	private static final String[] VARIABLES = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID",
	};

	private Job() {
	}

	/** Returns the rank that the launcher's environment says, counted from 1; 0: there is none. */
	static int rank() {
		for (String variable : VARIABLES) {
			String value = System.getenv(variable);

			if (value != null && value.matches("\\d{1,9}"))
				return Integer.parseInt(value) + 1;
		}
		return 0;
	}

	/**
	 * Returns whether a process is this one, or another one of a pipeline, a script or a job, all of
	 * which were given the same directory: it is going on in this one's group, or both are ranks.
	 */
	static boolean includes(int pid) {
		int group = pid > 0 ? group(pid) : -1;

		return group > 0 && (rank() > 0 || group == group(ProcessFile.pid()));
	}

	/** Returns the group of a process; -1: there is no such process. */
	private static int group(int pid) {
		try {
			String stat = Files.readString(Path.of("/proc/" + pid + "/stat"),
						       StandardCharsets.ISO_8859_1);

			return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[2]);
		} catch (IOException | RuntimeException e) {
			return -1;
		}
	}

	/** Returns the inode of the name space of process ids; 0: unknown. */
	static long pidSpace() {
		try {
			return (Long) Files.getAttribute(Path.of("/proc/self/ns/pid"), "unix:ino");
		} catch (IOException | RuntimeException e) {
			return 0;
		}
	}

	/** Returns the id of the kernel's start as 16 bytes; zeros: unknown. */
	static byte[] boot() {
		byte[] boot = new byte[16];

		try {
			byte[] text = Files.readAllBytes(Path.of("/proc/sys/kernel/random/boot_id"));
			String digits = new String(text, StandardCharsets.US_ASCII).replaceAll("[^0-9a-f]", "");

			for (int i = 0; i < boot.length; i++)
				boot[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
		} catch (IOException | RuntimeException e) {
			return new byte[16];
		}
		return boot;
	}
}
