#include "addresses_glimpse.h"

static const void *at(uint64_t address)
{
	return (const void *)(uintptr_t)address;
}

int main(void)
{
	Acquire_Stamp(at(0x401136), at(0x7ffe00000010));
	Acquire_Stamp(NULL, at(UINT64_MAX));
	Release_Stamp(at(0x7ffe00000010), -1);
	Enter_Stamp(at(0x7fff80001234), 32);
	Called_Stamp("text", at(UINT64_MAX), 7, at(0xffffffff80000000), "why");
	Called_Stamp("", NULL, 0, at(0x1234), NULL);
	return 0;
}
