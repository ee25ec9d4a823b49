import java.util.concurrent.CountDownLatch;

/** A car: it starts its motor, drives to the intersection, and goes through when it may. */
final class Car extends Thread {
	private final Intersection intersection;
	private final int direction;
	private final long arrival;
	private final CountDownLatch started = new CountDownLatch(1);

	/** Arrives at a time of System.nanoTime(). */
	Car(int number, Intersection intersection, int direction, long arrival) {
		super("Car " + number);
		this.intersection = intersection;
		this.direction = direction;
		this.arrival = arrival;
	}

	void awaitMotor() throws InterruptedException {
		started.await();
	}

	@Override
	public void run() {
		try {
			GzEvent.StartMotor();
			started.countDown();
			for (long left; (left = arrival - System.nanoTime()) > 0;)
				sleep(left / 1_000_000, (int) (left % 1_000_000));
			GzEvent.ArriveIntersection(direction);
			intersection.enter(direction);
			GzEvent.LeaveIntersection(direction);
		} catch (InterruptedException e) {
			return;		// nobody does that to a car
		}
	}
}
