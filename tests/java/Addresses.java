import org.example.AddressesEvent;

/** The events of tests/golden/addresses.c. */
final class Addresses {
	private Addresses() {
	}

	public static void main(String[] args) {
		AddressesEvent.Acquire(0x401136, 0x7ffe00000010L);
		AddressesEvent.Acquire(0, -1);
		AddressesEvent.Release(0x7ffe00000010L, -1);
		AddressesEvent.Enter(0x7fff80001234L, 32);
		AddressesEvent.Called("text", -1, 7, 0xffffffff80000000L, "why");
		AddressesEvent.Called("", 0, 0, 0x1234, null);
	}
}
