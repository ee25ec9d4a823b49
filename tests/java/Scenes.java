import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Programs that the tests of the runtime look at: the first argument says which one. */
final class Scenes {
	private Scenes() {
	}

	/** Says each number once its event has returned, until it is killed. */
	private static void kill(int threads) throws InterruptedException {
		List<Thread> all = new ArrayList<>();

		for (int t = 0; t < threads; t++) {
			int worker = t;
			Thread thread = new Thread(() -> {
				for (int i = 0;; i++) {
					GzEvent.Step(worker, i);
					if (i % 1000 == 0) {
						System.out.println(worker + " " + i);
						LockSupport.parkNanos(500_000);
					}
				}
			});

			all.add(thread);
			thread.start();
		}
		for (Thread thread : all)
			thread.join();
	}

	/** Copies the run while three threads log, and ends in the midst of it. */
	private static void snapshots(String name, int copies) throws Exception {
		CountDownLatch all = new CountDownLatch(3);

		for (int t = 0; t < 3; t++) {
			int worker = t;
			Thread thread = new Thread(() -> {
				for (int i = 0;; i++) {
					GzEvent.Step(worker, i);
					if (i == 20_000)
						all.countDown();
					if (i > 20_000 && i % 50 == 0) // else there is more and more to copy
						LockSupport.parkNanos(500_000);
				}
			});

			thread.setDaemon(true);
			thread.start();
		}
		all.await();
		for (int i = 0; i < copies; i++) {
			Thread.sleep(10);
			glimpse.Glimpse.snapshot(name + "." + i);
		}
	}

	/** Logs the number in each line of its input and says it again: a dialogue with another process. */
	private static void answer() throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

		for (String line; (line = in.readLine()) != null;) {
			GzEvent.Mark(Integer.parseInt(line));
			System.out.println(line);
		}
	}

	/** Threads that live for one event each, a few at a time. */
	private static void crowd(int threads, int together) throws InterruptedException {
		Thread[] some = new Thread[together];

		for (int i = 0; i < threads; i++) {
			int number = i;
			int slot = i % together;

			if (some[slot] != null)
				some[slot].join();
			some[slot] = new Thread(null, () -> GzEvent.Step(number, 0), "short", 64 << 10);
			some[slot].start();
		}
		for (Thread t : some)
			t.join();
		System.out.println(mapped("tail.") + " " + openFiles());
	}

	private static long mapped(String name) {
		try (var lines = java.nio.file.Files.lines(java.nio.file.Path.of("/proc/self/maps"))) {
			return lines.filter(l -> l.contains(name)).count();
		} catch (java.io.IOException e) {
			return -1;
		}
	}

	private static int openFiles() {
		return new java.io.File("/proc/self/fd").list().length;
	}

	/** Threads that live side by side, each with its name and some with a new one. */
	private static void names() throws InterruptedException {
		CountDownLatch all = new CountDownLatch(3);
		Runnable work = () -> {
			GzEvent.Mark(0);
			all.countDown();
			try {
				all.await();
			} catch (InterruptedException e) {
				return;
			}
		};
		Thread plain = new Thread(work, "plain");
		Thread umlaut = new Thread(work, "\u00fcml\u00e4ut");
		Thread renamed = new Thread(() -> {
			work.run();
			Thread.currentThread().setName("renamed");
		}, "first name");

		for (Thread t : List.of(plain, umlaut, renamed))
			t.start();
		for (Thread t : List.of(plain, umlaut, renamed))
			t.join();
		GzEvent.Mark(1);
	}

	/** Threads of a pool log from job to job to the same log. */
	private static void pool() throws InterruptedException {
		ExecutorService pool = Executors.newFixedThreadPool(3);

		for (int i = 0; i < 300; i++) {
			int number = i;

			pool.execute(() -> GzEvent.Mark(number));
		}
		pool.shutdown();
		pool.awaitTermination(10, TimeUnit.SECONDS);
	}

	/** A thread that is interrupted fills its tail several times, and stays interrupted. */
	private static void interrupted() {
		Thread.currentThread().interrupt();
		for (int i = 0; i < 200_000; i++)
			GzEvent.Mark(i);
		System.out.println(Thread.interrupted());
	}

	private static void events(int n) {
		for (int i = 0; i < n; i++)
			GzEvent.Mark(i);
		System.out.println("done");
	}

	/** Logs, ends its log, logs again, ends the run, and logs in vain. */
	private static void close() {
		GzEvent.Mark(0);
		GzEvent.closeThreadData();
		GzEvent.Mark(1);
		GzEvent.close();
		GzEvent.Mark(2);
	}

	/** Switches its own event off for a while, then waits for its turn to be switched from outside. */
	private static void switches() throws Exception {
		for (int i = 0; i < 30; i++) {
			if (i == 10 || i == 20)
				glimpse.Glimpse.switchEvent("Mark", i == 20);
			GzEvent.Mark(i);
		}
		System.out.println("switch");
		System.in.read();
		GzEvent.Mark(30);
		GzEvent.Text("beside");
		System.out.println("again");
		System.in.read();
		GzEvent.Mark(31);
	}

	/** Strings of every width, broken ones, and ones that are too long. */
	private static void text() {
		GzEvent.Text("a\u00e4\u4e2d\ud83d\ude00z");
		GzEvent.Text("\ud83dbroken\ude00");
		GzEvent.Text("\u4e2d".repeat(2000));
		GzEvent.Text(null);
	}

	/** Where the machine has virtual threads: many on few carriers, each with a log of its own. */
	private static void virtual(int threads) throws Exception {
		var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
		List<Thread> all = new ArrayList<>();

		for (int i = 0; i < threads; i++) {
			int worker = i;
			Runnable work = () -> {
				GzEvent.Step(worker, 0);
				Thread.yield();
				GzEvent.Step(worker, 1);
			};

			all.add((Thread) start.invoke(null, work));
		}
		for (Thread t : all)
			t.join();
	}

	private static native void callNative(int number);

	/** Java and C of one process log in turns. */
	private static void mixed(String library) {
		System.load(library);
		for (int i = 0; i < 100; i += 2) {
			GzEvent.Mark(i);
			callNative(i + 1);
		}
	}

	public static void main(String[] args) throws Exception {
		switch (args[0]) {
		case "kill" -> kill(Integer.parseInt(args[1]));
		case "snapshots" -> snapshots(args[1], Integer.parseInt(args[2]));
		case "answer" -> answer();
		case "crowd" -> crowd(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
		case "names" -> names();
		case "pool" -> pool();
		case "interrupted" -> interrupted();
		case "events" -> events(Integer.parseInt(args[1]));
		case "close" -> close();
		case "switches" -> switches();
		case "text" -> text();
		case "virtual" -> virtual(Integer.parseInt(args[1]));
		case "mixed" -> mixed(args[1]);
		default -> throw new IllegalArgumentException(args[0]);
		}
	}
}
