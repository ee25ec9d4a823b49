import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** A thread that switches the light when its time is over, unless it is interrupted before. */
final class Timer extends Thread {
	private final Intersection intersection;
	private final int milliseconds;
	private final int light;
	private final IntConsumer event;
	private final CountDownLatch begun = new CountDownLatch(1);

	/** Logs the event, with the light's direction, as it begins. */
	Timer(Intersection intersection, String name, int milliseconds, int light, IntConsumer event) {
		super(name);
		this.intersection = intersection;
		this.milliseconds = milliseconds;
		this.light = light;
		this.event = event;
		setPriority(MAX_PRIORITY);
	}

	/** Starts it, and returns when it has begun: its event belongs to what the caller is doing. */
	Timer begin() {
		boolean interrupted = false;

		start();
		while (begun.getCount() > 0) {
			try {
				begun.await();
			} catch (InterruptedException e) {
				interrupted = true;
			}
		}
		if (interrupted)
			Thread.currentThread().interrupt();
		return this;
	}

	@Override
	public void run() {
		event.accept(light);
		begun.countDown();
		try {
			sleep(milliseconds);
		} catch (InterruptedException e) {
			return;
		}
		intersection.change(this);
	}
}
