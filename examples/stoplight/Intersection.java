/** Two streets that cross, and the light between them: the monitor that cars and timers meet in. */
final class Intersection {
	static final int NORTH = 0;
	static final int SOUTH = 1;
	static final int EAST = 2;
	static final int WEST = 3;

	static final int NORTH_SOUTH = 0;
	static final int EAST_WEST = 1;

	/** Milliseconds. */
	private static final int SMALL = 200;
	private static final int LARGE = 800;

	private int light = NORTH_SOUTH;
	private Timer small;
	private Timer large;
	private int smallTimers;
	private int largeTimers;

	synchronized void open() {
		large = newLarge();
		small = newSmall();
	}

	synchronized void close() {
		small.interrupt();
		large.interrupt();
	}

	private Timer newSmall() {
		String name = "SmallTimer " + ++smallTimers;

		return new Timer(this, name, SMALL, light, GzEvent::SmallTimer).begin();
	}

	private Timer newLarge() {
		String name = "LargeTimer " + ++largeTimers;

		return new Timer(this, name, LARGE, light, GzEvent::LargeTimer).begin();
	}

	/** A car arrives; it returns when the car may drive through. */
	synchronized void enter(int direction) throws InterruptedException {
		int street = direction == NORTH || direction == SOUTH ? NORTH_SOUTH : EAST_WEST;

		if (light == street) {
			GzEvent.NoWait(light);
			small.interrupt();
			small = newSmall();
			return;
		}
		GzEvent.Stop(light);
		while (light != street)
			wait();
		GzEvent.Go(light);
	}

	/** A timer has expired. One that was replaced while it waited for the monitor comes too late. */
	synchronized void change(Timer timer) {
		if (timer != small && timer != large)
			return;
		light = light == NORTH_SOUTH ? EAST_WEST : NORTH_SOUTH;
		GzEvent.LightChanged(light);
		notifyAll();
		(timer == small ? large : small).interrupt();
		large = newLarge();
		small = newSmall();
	}
}
