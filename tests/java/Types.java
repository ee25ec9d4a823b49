import org.example.TypesEvent;

/** The events of tests/golden/types.c. */
final class Types {
	private Types() {
	}

	public static void main(String[] args) {
		TypesEvent.Small(-1, 4294967295L);
		TypesEvent.Large(1, Long.MIN_VALUE, -1, -0.5, 0x1234);
		TypesEvent.Text("");
		TypesEvent.Text("a");
		TypesEvent.Text("four");
		TypesEvent.Text("with \"quotes\", \t and \u00e4");
		TypesEvent.Text(null);
		TypesEvent.Text("x".repeat(4096));
		TypesEvent.Mixed("first", 2, "", 1e300, "third");
		TypesEvent.Mixed("", 0, "second", 0.0, null);
	}
}
