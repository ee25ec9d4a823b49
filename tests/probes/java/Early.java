/** A thread of the virtual machine, Finalizer, waits since before the program begins; here it is woken. */
final class Early {
	static volatile boolean done;

	static final class Left {
		@Override
		protected void finalize() {
			done = true;
		}
	}

	public static void main(String[] args) throws InterruptedException {
		for (int i = 0; i < 20; i++)
			new Left();
		for (int i = 0; i < 100 && !done; i++) {
			System.gc();
			Thread.sleep(10);
		}
		System.out.println(done);
	}
}
