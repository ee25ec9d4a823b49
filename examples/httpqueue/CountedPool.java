import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool of threads that logs what becomes of each task. The server hands over a task for each request, and for
 * each connection that its client has closed.
 */
final class CountedPool implements Executor {
	private final ExecutorService pool;
	private final AtomicInteger requests = new AtomicInteger();

	CountedPool(int threads) {
		AtomicInteger made = new AtomicInteger();

		pool = Executors.newFixedThreadPool(threads,
			task -> new Thread(task, "worker " + made.incrementAndGet()));
	}

	@Override
	public void execute(Runnable task) {
		int request = requests.incrementAndGet();

		GzEvent.Accepted(request);
		pool.execute(() -> {
			GzEvent.Started(request);
			try {
				task.run();
			} finally {
				GzEvent.Done(request);
			}
		});
	}

	/** Returns when all tasks are done. */
	void close() throws InterruptedException {
		pool.shutdown();
		pool.awaitTermination(10, TimeUnit.SECONDS);
	}
}
