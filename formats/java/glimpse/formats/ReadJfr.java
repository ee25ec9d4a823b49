package glimpse.formats;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints the events of a recording as lines, for formats/import_jfr.c: one JSON object each.
 *
 * <pre>
 * {"process":PID,"arguments":"..."}                                            when it is known
 * {"thread":TID,"name":"...","java":1}                                         again when its name changes
 * {"stack":N,"frames":["Class.method", ...]}                                   innermost first; "": cut off there
 * {"type":N,"name":"jdk.ThreadPark","label":"...","lasts":1,"stacks":1,"threads":1,"fields":["timeout","long", ...]}
 * {"event":TYPE,"time":NS,"lasts":NS,"thread":TID,"stack":N,"values":[...]}    lasts, stack: if the type has them
 * {"end":EVENTS} or {"error":0,"text":"..."}                                   last
 * </pre>
 */
public final class ReadJfr {
	private static final String MAGIC = "FLR\0";

	private final Lines out;
	private final Names names;
	private final Map<EventType, Type> types = new IdentityHashMap<>();
	private final Map<String, Integer> numbers = new HashMap<>();
	private long events;

	/** What is known of an event type of one part of the file. */
	private record Type(int number, Fields fields, boolean lasts, boolean stacks, boolean sampled, boolean process) {
	}

	private ReadJfr(Lines out) {
		this.out = out;
		this.names = new Names(out);
	}

	public static void main(String[] arguments) throws IOException {
		Lines out = new Lines(new FileOutputStream(FileDescriptor.out));
		try {
			ReadJfr reader = new ReadJfr(out);
			Path path = Path.of(arguments[0]);
			if (isRecording(path)) {
				reader.events(path);
				out.line("end", reader.events).end();
			} else {
				out.line("error", 0).put("text", "this is no recording; if it is packed, unpack it first").end();
			}
		} catch (IOException | RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError e) {
			String why = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
			out.line("error", 0).put("text", "it is damaged, or was cut off: " + why).end();
		}
		out.flush();
	}

	static long nanoseconds(Instant at) {
		return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
	}

	private static boolean isRecording(Path path) throws IOException {
		try (InputStream in = Files.newInputStream(path)) {
			return new String(in.readNBytes(MAGIC.length()), StandardCharsets.ISO_8859_1).equals(MAGIC);
		}
	}

	private void process(RecordedEvent e) throws IOException {
		String arguments = e.getString("javaArguments");
		out.line("process", e.getLong("pid")).put("arguments", arguments == null ? "" : arguments).end();
	}

	private void events(Path path) throws IOException {
		try (RecordingFile file = new RecordingFile(path)) {
			while (file.hasMoreEvents())
				event(file.readEvent());
		}
	}

	private void event(RecordedEvent e) throws IOException {
		Type type = types.get(e.getEventType());
		if (type == null)
			type = type(e.getEventType());
		if (type.process)
			process(e);
		RecordedThread thread = type.sampled ? e.getThread("sampledThread") : e.getThread();
		long tid = names.thread(thread);
		int stack = type.stacks ? names.stack(e.getStackTrace()) : 0;
		type.fields.announce(e, names);
		out.line("event", type.number).put("time", nanoseconds(e.getStartTime()));
		if (type.lasts)
			out.put("lasts", duration(e));
		out.put("thread", tid);
		if (type.stacks)
			out.put("stack", stack);
		out.array("values");
		type.fields.values(e, names, out);
		out.close().end();
		events++;
	}

	private static long duration(RecordedEvent e) {
		Duration d = e.getDuration();
		return d.isNegative() ? 0 : d.toNanos();
	}

	private Type type(EventType of) throws IOException {
		Fields fields = new Fields(of);
		boolean lasts = of.getField("duration") != null, stacks = of.getField("stackTrace") != null;
		String signature = of.getName() + " " + lasts + stacks + " " + fields.signature();
		Integer number = numbers.get(signature);
		if (number == null) {
			number = numbers.size();
			numbers.put(signature, number);
			out.line("type", number).put("name", of.getName());
			out.put("label", of.getLabel() == null ? of.getName() : of.getLabel());
			out.put("lasts", lasts ? 1 : 0).put("stacks", stacks ? 1 : 0);
			out.put("threads", of.getField("eventThread") != null ? 1 : 0);
			fields.types(out);
			out.end();
		}
		Type type = new Type(number, fields, lasts, stacks, of.getField("sampledThread") != null,
				of.getName().equals("jdk.JVMInformation"));
		if (types.size() > 10_000)
			types.clear();
		types.put(of, type);
		return type;
	}
}
