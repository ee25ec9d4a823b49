import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * A server and its clients in one process. Usage: HttpQueue [WORKERS [CLIENTS [MILLISECONDS]]]. In the middle third of
 * the time there are more calls than the workers can serve, and they queue.
 */
final class HttpQueue {
	private static final int TEXT = 48 << 10;

	private HttpQueue() {
	}

	/** Words that a packer has some work with. */
	private static byte[] text() {
		Random random = new Random(1);
		StringBuilder text = new StringBuilder();

		while (text.length() < TEXT)
			text.append(Integer.toString(random.nextInt(5000), 36)).append(' ');
		return text.toString().getBytes(StandardCharsets.US_ASCII);
	}

	private static int argument(String[] args, int i, int otherwise) {
		return args.length > i ? Integer.parseInt(args[i]) : otherwise;
	}

	public static void main(String[] args) throws Exception {
		PackServer server = new PackServer(argument(args, 0, 2));
		Client[] clients = new Client[argument(args, 1, 12)];
		long duration = argument(args, 2, 1500) * 1_000_000L;
		int failures = 0;

		for (int i = 0; i < clients.length; i++) {
			clients[i] = new Client(i + 1, server, text(), duration);
			clients[i].start();
		}
		for (Client client : clients) {
			client.join();
			failures += client.failures();
		}
		server.close();
		if (failures > 0) {
			System.err.println(failures + " calls failed");
			System.exit(1);
		}
	}
}
