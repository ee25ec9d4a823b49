package glimpse.formats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/** Numbers of threads and stacks; a line for each says what it is, before the first event that has it. */
final class Names {
	/** The thread of events that have none. */
	static final long JVM = 0;
	/** Numbers of threads that the system has none for, or one of an earlier thread. */
	private static final long OTHER = 1L << 40;

	private static final int RECENT = 10_000;

	private final Lines out;
	private final Map<List<Long>, Long> threads = new HashMap<>();
	private final Map<Long, String> threadNames = new HashMap<>();
	private final Set<Long> used = new HashSet<>(List.of(JVM));
	private final Map<List<String>, Integer> stacks = new HashMap<>();
	/** Events of one part of a file share the objects that are their stacks. */
	private final Map<RecordedStackTrace, Integer> recent = new IdentityHashMap<>();

	Names(Lines out) {
		this.out = out;
	}

	static String name(RecordedClass type) {
		return type == null || type.getName() == null ? "" : type.getName();
	}

	static String name(RecordedMethod method) {
		return method == null ? "" : name(method.getType()) + "." + method.getName();
	}

	static String name(RecordedThread thread) {
		if (thread == null)
			return "";
		String name = thread.getJavaName();
		if (name == null || name.isEmpty())
			name = thread.getOSName();
		return name == null ? "" : name;
	}

	/** Returns the number of a thread: that of the system, if no other thread has had it; JVM of null. */
	long number(RecordedThread thread) {
		if (thread == null)
			return JVM;
		long java = Math.max(thread.getJavaThreadId(), 0), system = Math.max(thread.getOSThreadId(), 0);
		Long number = threads.get(List.of(java, system));
		if (number == null) {
			number = used.add(system) ? system : OTHER + used.size();
			used.add(number);
			threads.put(List.of(java, system), number);
		}
		return number;
	}

	/** Returns the number of a thread, whose name it prints if that is new. */
	long thread(RecordedThread thread) throws IOException {
		long number = number(thread);
		String name = name(thread);
		if (!name.isEmpty() && !name.equals(threadNames.put(number, name)))
			out.line("thread", number).put("name", name).put("java", thread.getJavaThreadId() > 0 ? 1 : 0).end();
		return number;
	}

	/** Returns the number of a stack, from 1; 0 of none. */
	int stack(RecordedStackTrace stack) throws IOException {
		if (stack == null)
			return 0;
		Integer met = recent.get(stack);
		if (met == null) {
			if (recent.size() == RECENT)
				recent.clear();
			met = stackOf(stack);
			recent.put(stack, met);
		}
		return met;
	}

	private int stackOf(RecordedStackTrace stack) throws IOException {
		if (stack.getFrames().isEmpty())
			return 0;
		List<String> frames = new ArrayList<>(stack.getFrames().size() + 1);
		for (RecordedFrame f : stack.getFrames())
			frames.add(name(f.getMethod()));
		if (stack.isTruncated())
			frames.add("");
		Integer number = stacks.get(frames);
		if (number != null)
			return number;
		number = stacks.size() + 1;
		stacks.put(frames, number);
		out.line("stack", number).array("frames");
		for (String frame : frames)
			out.item(frame);
		out.close().end();
		return number;
	}
}
