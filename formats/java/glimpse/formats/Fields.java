package glimpse.formats;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.Unsigned;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;

/** The fields of an event type, those of structures one by one. */
final class Fields {
	private enum Kind {
		INTEGER("long"), NATURAL("ulong"), ADDRESS("address"), REAL("double"), TEXT("string"),
		/** Nanoseconds; the least and the greatest number: none, for ever. */
		TIMESPAN("long"), TIMESTAMP("long"),
		/** Its number; its name is a TEXT. */
		THREAD("ulong");

		final String type;

		Kind(String type) {
			this.type = type;
		}
	}

	/** What the time, the thread and the stack of an event are made of. */
	private static final Set<String> OWN = Set.of("startTime", "duration", "eventThread", "sampledThread", "stackTrace");
	private static final int MOST = 50;

	private final List<String> names = new ArrayList<>();
	private final List<String[]> paths = new ArrayList<>();
	private final List<Kind> kinds = new ArrayList<>();

	Fields(EventType type) {
		for (ValueDescriptor field : type.getFields())
			if (!OWN.contains(field.getName()))
				add(field, List.of(), new ArrayList<>());
	}

	private void put(List<String> path, String ending, Kind kind) {
		if (names.size() == MOST)
			return;
		names.add(String.join("_", path) + ending);
		paths.add(path.toArray(new String[0]));
		kinds.add(kind);
	}

	/** types: of the structures that this field is in. */
	private void add(ValueDescriptor field, List<String> outer, List<String> types) {
		List<String> path = new ArrayList<>(outer);
		path.add(field.getName());
		String type = field.getTypeName();
		if (type.equals("java.lang.Thread") && !field.isArray()) {
			put(path, "", Kind.TEXT);
			put(path, "_tid", Kind.THREAD);
		} else if (!isStructure(field)) {
			put(path, "", kind(field));
		} else if (!types.contains(type)) {
			List<String> inner = new ArrayList<>(types);
			inner.add(type);
			for (ValueDescriptor member : field.getFields())
				add(member, path, inner);
		}
	}

	private static boolean isStructure(ValueDescriptor field) {
		return !field.isArray() && !field.getFields().isEmpty() && switch (field.getTypeName()) {
			case "java.lang.Class", "java.lang.String", "jdk.types.Method", "jdk.types.StackTrace" -> false;
			default -> true;
		};
	}

	private static Kind kind(ValueDescriptor field) {
		if (field.isArray())
			return Kind.TEXT;
		switch (field.getTypeName()) {
		case "float", "double":
			return Kind.REAL;
		case "boolean", "byte", "char", "short", "int", "long":
			if (field.getAnnotation(MemoryAddress.class) != null)
				return Kind.ADDRESS;
			if (field.getAnnotation(Timespan.class) != null)
				return Kind.TIMESPAN;
			if (field.getAnnotation(Timestamp.class) != null)
				return Kind.TIMESTAMP;
			return field.getAnnotation(Unsigned.class) != null ? Kind.NATURAL : Kind.INTEGER;
		default:
			return Kind.TEXT;
		}
	}

	/** What tells these fields from others. */
	String signature() {
		return names + " " + kinds;
	}

	void types(Lines out) {
		out.array("fields");
		for (int i = 0; i < names.size(); i++) {
			out.item(names.get(i));
			out.item(kinds.get(i).type);
		}
		out.close();
	}

	/** Prints what the threads in an event are, before its own line. */
	void announce(RecordedObject event, Names names) throws IOException {
		for (int i = 0; i < kinds.size(); i++)
			if (kinds.get(i) == Kind.THREAD)
				names.thread((RecordedThread) value(event, paths.get(i)));
	}

	void values(RecordedObject event, Names names, Lines out) {
		for (int i = 0; i < kinds.size(); i++)
			value(event, paths.get(i), kinds.get(i), names, out);
	}

	/** Returns the structure that the last field of a path is in, or null. */
	private static RecordedObject structure(RecordedObject event, String[] path) {
		RecordedObject in = event;
		for (int i = 0; i < path.length - 1 && in != null; i++)
			in = in.getValue(path[i]);
		return in;
	}

	private static Object value(RecordedObject event, String[] path) {
		RecordedObject in = structure(event, path);
		return in == null ? null : in.getValue(path[path.length - 1]);
	}

	private static void value(RecordedObject event, String[] path, Kind kind, Names names, Lines out) {
		Object value = value(event, path);
		switch (kind) {
		case TEXT -> out.item(text(value));
		case REAL -> out.item(value instanceof Number n ? n.doubleValue() : 0);
		case TIMESPAN -> out.item(value == null ? 0 : timespan(structure(event, path), path));
		case TIMESTAMP -> out.item(value == null ? 0 : timestamp(structure(event, path), path));
		case THREAD -> out.item(names.number((RecordedThread) value));
		case NATURAL, ADDRESS -> out.natural(natural(value));
		default -> out.item(integer(value));
		}
	}

	private static long integer(Object value) {
		if (value instanceof Boolean b)
			return b ? 1 : 0;
		if (value instanceof Character c)
			return c;
		return value instanceof Number n ? n.longValue() : 0;
	}

	private static long natural(Object value) {
		if (value instanceof Integer i)
			return Integer.toUnsignedLong(i);
		if (value instanceof Short s)
			return Short.toUnsignedLong(s);
		if (value instanceof Byte b)
			return Byte.toUnsignedLong(b);
		return integer(value);
	}

	/** The least and the greatest long stand for none, and for ever. */
	private static long timespan(RecordedObject in, String[] path) {
		Duration d = in.getDuration(path[path.length - 1]);
		try {
			return d.toNanos();
		} catch (ArithmeticException e) {
			return d.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
		}
	}

	private static long timestamp(RecordedObject in, String[] path) {
		Instant at = in.getInstant(path[path.length - 1]);
		try {
			return ReadJfr.nanoseconds(at);
		} catch (ArithmeticException e) {
			return at.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
		}
	}

	private static String text(Object value) {
		if (value == null)
			return "";
		if (value instanceof RecordedClass c)
			return Names.name(c);
		if (value instanceof RecordedMethod m)
			return Names.name(m);
		if (value instanceof RecordedThread t)
			return Names.name(t);
		if (value instanceof Object[] array) {
			List<String> items = new ArrayList<>();
			for (Object item : array)
				items.add(text(item));
			return items.toString();
		}
		return value.toString();
	}
}
