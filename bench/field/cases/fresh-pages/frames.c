/* Draws frames, each into a buffer of 40 MB. Argument: one buffer for all. */
#include <stdlib.h>

enum { SIZE = 40 << 20, FRAMES = 25 };

__attribute__((noinline)) static char draw(volatile char *buffer, int frame)
{
	for (long i = 0; i < SIZE; i += 512)
		buffer[i] = (char)(frame + i);
	return buffer[SIZE / 2];
}

int main(int n, char **words)
{
	char *kept = n > 1 ? malloc(SIZE) : NULL;
	int sum = 0;

	(void)words;
	for (int i = 0; i < FRAMES; i++) {
		char *buffer = kept ? kept : malloc(SIZE);

		if (!buffer)
			return 1;
		sum += draw(buffer, i);
		if (!kept)
			free(buffer);
	}
	free(kept);
	return sum == 12345;
}
