// Twelve requests by supplyAsync() that wait: the common pool is small, so they wait a few at a time. Arguments: how
// long, ms; "own": a pool of twelve.
import java.util.*;
import java.util.concurrent.*;

public class Requests {
    static int length;

    static int request(int i) {
        try {
            Thread.sleep(length);
        } catch (InterruptedException e) {
            throw new RuntimeException(e);
        }
        return i;
    }

    public static void main(String[] words) throws Exception {
        length = Integer.parseInt(words[0]);
        ExecutorService pool = words.length > 1 ? Executors.newFixedThreadPool(12) : ForkJoinPool.commonPool();
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int n = i;
            all.add(CompletableFuture.supplyAsync(() -> request(n), pool));
        }
        int sum = 0;
        for (CompletableFuture<Integer> one : all)
            sum += one.join();
        System.out.println(sum);
        if (words.length > 1)
            pool.shutdown();
    }
}
