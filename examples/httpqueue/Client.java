import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls the server again and again: at leisure, and in the middle third without a pause. */
final class Client extends Thread {
	private static final AtomicInteger calls = new AtomicInteger();
	/** Mean pause between two calls, in milliseconds. */
	private static final double LEISURE = 60;

	private final PackServer server;
	private final byte[] text;
	private final long begin;
	private final long duration;
	private final Random random;
	private int failures;

	/** Calls for a duration in nanoseconds. */
	Client(int number, PackServer server, byte[] text, long duration) {
		super("client " + number);
		this.server = server;
		this.text = text;
		this.duration = duration;
		begin = System.nanoTime();
		random = new Random(number);
	}

	int failures() {
		return failures;
	}

	@Override
	public void run() {
		for (long passed; (passed = System.nanoTime() - begin) < duration;) {
			boolean busy = passed > duration / 3 && passed < 2 * duration / 3;

			try {
				if (!busy)
					sleep((long) (-LEISURE * Math.log(1 - random.nextDouble())));
				call();
			} catch (IOException e) {
				failures++;
			} catch (InterruptedException e) {
				return;
			}
		}
	}

	private void call() throws IOException {
		int call = calls.incrementAndGet();
		HttpURLConnection connection;

		GzEvent.Send(call);
		connection = (HttpURLConnection) server.address(call).toURL().openConnection();
		connection.setDoOutput(true);
		connection.setFixedLengthStreamingMode(text.length);
		connection.getOutputStream().write(text);
		try (InputStream answer = connection.getInputStream()) {
			answer.readAllBytes();
		}
		GzEvent.Receive(call);
	}
}
