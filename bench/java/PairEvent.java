import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event of the bench, for JFR. */
@Name("bench.Pair")
@StackTrace(false)
final class PairEvent extends jdk.jfr.Event {
	int first;
	int second;
}
