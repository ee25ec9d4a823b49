#include "runtime/map_replace.h"
#include "runtime/system.h"

bool gl_map_replace(void *at, size_t span)
{
	int flags = MAP_ANONYMOUS | MAP_FIXED, protection = PROT_READ | PROT_WRITE;

	return system_mmap(at, span, protection, flags | MAP_PRIVATE, -1, 0) != MAP_FAILED ||
	       system_mmap(at, span, protection, flags | MAP_SHARED, -1, 0) != MAP_FAILED;
}
