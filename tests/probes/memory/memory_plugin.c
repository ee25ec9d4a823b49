/* Two libraries from one source, with frames of different sizes at the same addresses. */
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int deep(int n)
{
	volatile char room[SIZE];
	void *block = malloc(50 + (size_t)n);

	memset((void *)room, n, sizeof room);
	free(block);
	return (n ? deep(n - 1) : 0) + room[SIZE / 2];
}

int plugin_call(void)
{
	return deep(4);
}
