/* Two methods that compute, and what each took of its thread's processor time, in ns. */
public class HotMethods {
	static int sink;

	static int large(int n) {
		int x = 0;
		for (int i = 0; i < n; i++)
			x = (x * 31 + i) % 1000003;
		return x;
	}

	static int small(int n) {
		int x = 0;
		for (int i = 0; i < n; i++)
			x = (x * 17 + i) % 1000033;
		return x;
	}

	public static void main(String[] arguments) {
		java.lang.management.ThreadMXBean own = java.lang.management.ManagementFactory.getThreadMXBean();
		long inLarge = 0, inSmall = 0;
		for (int k = 0; k < 1000; k++) {
			long begin = own.getCurrentThreadCpuTime();
			sink += large(150000 + k * 37 % 1000 * 50);
			long middle = own.getCurrentThreadCpuTime();
			sink += small(50000 + k * 37 % 1000 * 20);
			inLarge += middle - begin;
			inSmall += own.getCurrentThreadCpuTime() - middle;
		}
		System.out.println("HotMethods.large " + inLarge);
		System.out.println("HotMethods.small " + inSmall);
	}
}
