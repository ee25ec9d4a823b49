/* Logs addresses of functions that only the symbol tables, or only the debug information, know. */
#include "where_glimpse.h"
#include <gnu/libc-version.h>

__attribute__((noinline)) static void site(const char *name)
{
	Here_Stamp(name, __builtin_return_address(0));
}

__attribute__((noinline)) static void inner(void)
{
	site("call");
	Here_Stamp("static", (const void *)(uintptr_t)inner);
}

__attribute__((noinline)) void outer(void)
{
	inner();
	Here_Stamp("function", (const void *)(uintptr_t)outer);
	Low_Stamp((const void *)(uintptr_t)outer);
}

int main(void)
{
	outer();
	Here_Stamp("library", (const void *)(uintptr_t)gnu_get_libc_version);
	Here_Stamp("nowhere", (const void *)0x12345);
	return 0;
}
