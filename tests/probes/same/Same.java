import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** A program with threads, for same.test. */
public class Same {
    private static final Object lock = new Object();
    private static long sum;

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        AtomicLong count = new AtomicLong();
        for (int i = 0; i < 2000; i++) {
            int n = i;
            pool.submit(() -> {
                synchronized (lock) {
                    sum += n;
                }
                count.incrementAndGet();
            });
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + sum + " " + count);
        try {
            new java.io.FileReader("/nosuch");
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        System.exit(5);
    }
}
