/** The events of tests/golden/messages.c. */
final class Messages {
	private Messages() {
	}

	public static void main(String[] args) {
		GzEvent.Preparemsg();
		GzEvent.Sendmsg(1, 2);
		GzEvent.Sendmsg(-1, 2147483647);
		GzEvent.Recvmsg(0, -2147483647 - 1);
	}
}
