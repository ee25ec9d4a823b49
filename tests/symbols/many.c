/* Objects at addresses of both halves of what 64 bits can hold. */
#include "where_glimpse.h"
#include <stdint.h>

int main(void)
{
	for (uintptr_t i = 0; i < 12; i++)
		Lock_Stamp((const void *)((i % 2 ? UINTPTR_MAX : 0x1000) - 64 * i), "odd");
	return 0;
}
