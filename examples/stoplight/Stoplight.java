/**
 * Cars that cross an intersection whose light is switched by timers. Usage: Stoplight one|two [SEED].
 * One: cars come at random. Two: a steady stream meets few crossing cars.
 */
final class Stoplight {
	private static final long SEED = 7956;

	private Stoplight() {
	}

	private static Traffic traffic(String[] args) {
		long seed = args.length > 1 ? Long.parseLong(args[1]) : SEED;

		switch (args.length == 0 ? "" : args[0]) {
		case "one":
			return Traffic.random(seed);
		case "two":
			return Traffic.stream(seed);
		default:
			System.err.println("usage: Stoplight one|two [SEED]");
			System.exit(2);
			return null;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Traffic traffic = traffic(args);
		Intersection intersection = new Intersection();
		Car[] cars = new Car[Traffic.CARS];
		long start;

		intersection.open();
		start = System.nanoTime();
		for (int i = 0; i < cars.length; i++) {
			cars[i] = new Car(i + 1, intersection, traffic.direction[i],
				start + traffic.arrival[i] * 1_000_000L);
			cars[i].start();
			cars[i].awaitMotor();
		}
		for (Car car : cars)
			car.join();
		intersection.close();
	}
}
