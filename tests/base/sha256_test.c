/* The hash of texts whose hashes are published, and of all lengths around those of its blocks. */
#include "base/sha256.h"
#include "tests/tap.h"
#include <stdlib.h>

static const char *hash_of(const void *bytes, size_t size)
{
	static char text[2 * SHA256_BYTES + 1];
	unsigned char hash[SHA256_BYTES];

	sha256_compute(hash, bytes, size);
	for (int i = 0; i < SHA256_BYTES; i++)
		sprintf(text + 2 * i, "%02x", hash[i]);
	return text;
}

int main(void)
{
	const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	unsigned char all[256 * SHA256_BYTES];
	char *million = malloc(1000000);

	memset(million, 'a', 1000000);
	is(hash_of("", 0), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	   "nothing");
	is(hash_of("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	   "a few bytes");
	is(hash_of(two, 56), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	   "as many that the length has no room in their block");
	is(hash_of(million, 1000000),
	   "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "a million");
	for (size_t n = 0; n < 256; n++)
		sha256_compute(all + n * SHA256_BYTES, million, n);
	is(hash_of(all, sizeof all),
	   "e92c8324f1fca2dd6852eb8c780109fdebdfd382724944a789fa210cb96e13ae", "all lengths");
	free(million);
	return tap_end();
}
