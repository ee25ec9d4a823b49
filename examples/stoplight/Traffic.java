import java.util.Random;

/** When each of the thirteen cars arrives, and in which direction it drives. */
final class Traffic {
	static final int CARS = 13;

	/** Milliseconds after the start. */
	final int[] arrival = new int[CARS];
	final int[] direction = new int[CARS];

	private Traffic() {
	}

	/** Experiment one: cars from anywhere at any time. */
	static Traffic random(long seed) {
		Traffic t = new Traffic();
		Random random = new Random(seed);

		for (int i = 0; i < CARS; i++) {
			t.arrival[i] = 100 + random.nextInt(2100);
			t.direction[i] = random.nextInt(4);
		}
		return t;
	}

	/**
	 * Experiment two: a stream along one street, with two cars that want to cross. The last two come
	 * when the large timer has switched the light.
	 */
	static Traffic stream(long seed) {
		Traffic t = new Traffic();
		Random random = new Random(seed);

		for (int i = 0; i < CARS; i++) {
			t.arrival[i] = 65 * (i + 1) + random.nextInt(9) + (i >= 11 ? 80 : 0);
			t.direction[i] = i == 0 || i == 4 ? Intersection.EAST : Intersection.NORTH;
		}
		return t;
	}
}
