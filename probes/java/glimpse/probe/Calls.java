package glimpse.probe;

/** What instrumented methods call. Loaded by the boot loader, so that all classes see it. */
public final class Calls {
	private Calls() {
	}

	/** Returns the number that stands for a method from now on. */
	static native int number(String method);

	public static native void enter(int method);

	public static native void leave(int method);
}
