import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Event;
import jdk.jfr.Name;

/** A little of all that the Flight Recorder knows: a contended monitor and lock, waits, sleeps, files, collections. */
public final class Clerks {
	private static final class Ledger {
		private long sum;
	}

	/** An event of the program, with fields of all types. */
	@Name("test.Order")
	private static final class Order extends Event {
		private long id;
		private double price;
		private float part;
		private String text;
		private boolean paid;
		private char mark;
		private Class<?> of;
		private Thread clerk;
		private byte small;
		private short middle;
		private int whole;
	}

	private static final Ledger LEDGER = new Ledger();
	private static final ReentrantLock LOCK = new ReentrantLock();
	private static final Object TURN = new Object();
	private static boolean ready;

	private static long work(int n) {
		long x = 1;
		for (int i = 0; i < n; i++)
			x = x * 6364136223846793005L + 1442695040888963407L;
		return x;
	}

	private static void sleep(int milliseconds) {
		try {
			Thread.sleep(milliseconds);
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
	}

	private static void contend() {
		for (int i = 0; i < 20; i++)
			synchronized (LEDGER) {
				LEDGER.sum += work(5_000_000);
				sleep(10);
			}
	}

	private static void lock() {
		for (int i = 0; i < 5; i++) {
			LOCK.lock();
			sleep(5);
			LOCK.unlock();
		}
	}

	private static void await() {
		synchronized (TURN) {
			try {
				while (!ready)
					TURN.wait();
				TURN.wait(5);
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static void files() {
		byte[] block = new byte[100_000];
		try {
			Path file = Files.createTempFile(Path.of("."), "clerks", ".txt");
			for (int i = 0; i < 20; i++) {
				try (FileOutputStream out = new FileOutputStream(file.toFile())) {
					out.write(block);
				}
				try (FileInputStream in = new FileInputStream(file.toFile())) {
					in.readAllBytes();
				}
			}
			Files.delete(file);
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** Orders that overlap: the first one to begin is the first one to end. */
	private static void orders() {
		double[] prices = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 1e300};
		StringBuilder all = new StringBuilder();
		for (char c = 0; c < 300; c++)
			all.append(c);
		all.append("\ud83d\ude00");
		for (int i = 0; i < prices.length; i++) {
			Order order = new Order(), other = new Order();
			order.begin();
			other.begin();
			order.id = i % 2 == 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
			order.price = prices[i];
			order.part = 0.1f;
			order.text = i == 4 ? null : all.toString();
			order.paid = i == 1;
			order.mark = '\uffff';
			order.of = Ledger.class;
			order.clerk = Thread.currentThread();
			order.small = -1;
			order.middle = Short.MIN_VALUE;
			order.whole = Integer.MIN_VALUE;
			other.id = i;
			work(10_000);
			order.end();
			work(10_000);
			other.end();
			other.commit();
			order.commit();
		}
	}

	public static void main(String[] arguments) throws InterruptedException {
		Thread[] all = {new Thread(Clerks::contend, "clerk 1"), new Thread(Clerks::contend, "clerk \"2\""),
				new Thread(Clerks::contend, "clerk 3"), new Thread(Clerks::lock, "locks 1"),
				new Thread(Clerks::lock, "locks 2"), new Thread(Clerks::await, "awaits"),
				new Thread(Clerks::files, "files"), new Thread(Clerks::orders, "orders")};
		for (Thread t : all)
			t.start();
		sleep(50);
		synchronized (TURN) {
			ready = true;
			TURN.notifyAll();
		}
		for (int i = 0; i < 3; i++) {
			byte[][] garbage = new byte[1000][1000];
			work(garbage.length);
			System.gc();
		}
		for (Thread t : all)
			t.join();
		System.out.println(LEDGER.sum);
	}
}
