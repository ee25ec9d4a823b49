import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.zip.GZIPOutputStream;

/** An HTTP server on the loopback address that sends back what it receives, packed. */
final class PackServer {
	private final HttpServer server;
	private final CountedPool pool;

	PackServer(int threads) throws IOException {
		pool = new CountedPool(threads);
		server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
		server.setExecutor(pool);
		server.createContext("/pack", PackServer::pack);
		server.start();
	}

	/** Where a call goes, with its number. */
	URI address(int call) {
		InetSocketAddress at = server.getAddress();

		return URI.create("http://127.0.0.1:" + at.getPort() + "/pack?" + call);
	}

	private static void pack(HttpExchange exchange) throws IOException {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();

		GzEvent.Handle(Integer.parseInt(exchange.getRequestURI().getQuery()));
		try (exchange; GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
			exchange.getRequestBody().transferTo(gzip);
			gzip.finish();
			exchange.sendResponseHeaders(200, packed.size());
			packed.writeTo(exchange.getResponseBody());
		}
	}

	void close() throws InterruptedException {
		server.stop(1);
		pool.close();
	}
}
