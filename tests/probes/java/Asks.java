import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Twelve requests that sleep, two at a time in the common pool; then the first thread parks itself. */
public class Asks {
	private static int request(int i) {
		try {
			Thread.sleep(40);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		return i;
	}

	public static void main(String[] arguments) {
		List<CompletableFuture<Integer>> all = new ArrayList<>();
		int sum = 0;

		for (int i = 0; i < 12; i++) {
			int n = i;

			all.add(CompletableFuture.supplyAsync(() -> request(n)));
		}
		for (CompletableFuture<Integer> one : all)
			sum += one.join();
		LockSupport.parkNanos(1000000);
		System.out.println(sum);
	}
}
