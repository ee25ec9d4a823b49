#include "probes/threads/lock_way.h"
#include "probes/threads/threads.h"
#include "runtime/system.h"

struct real_threads real;
uint32_t process_id;

__attribute__((constructor(101))) static void real_find(void)
{
	process_id = (uint32_t)system_getpid();
	lock_way_read();
#define ENTRY(name) REAL(name);
#define VERSIONED(name) REAL_NEW(name);
#include "probes/threads/entries.h"
#undef ENTRY
#undef VERSIONED
#if BOTH_VERSIONS
#define ENTRY(name)
#define VERSIONED(name) REAL_OLD(name);
#include "probes/threads/entries.h"
#undef ENTRY
#undef VERSIONED
#endif
}
