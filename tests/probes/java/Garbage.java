/** Two threads that make blocks, and keep some of them for a while, for so many milliseconds. */
public class Garbage {
	private static final int KEPT = 60_000, AT_ONCE = 1_000;
	private static volatile Object last;

	private static void make(long until) {
		byte[][] kept = new byte[KEPT][];
		int next = 0;

		while (System.nanoTime() < until)
			for (int i = 0; i < AT_ONCE; i++) {
				byte[] block = new byte[200];

				if (i % 8 == 0)
					kept[next++ % KEPT] = block;
				last = block;
			}
	}

	public static void main(String[] words) throws InterruptedException {
		long until = System.nanoTime() + Long.parseLong(words[0]) * 1_000_000;
		Thread[] threads = new Thread[2];

		for (int i = 0; i < threads.length; i++)
			(threads[i] = new Thread(() -> make(until), "maker " + i)).start();
		for (Thread thread : threads)
			thread.join();
	}
}
