#include "runtime/keep.h"
#include "runtime/fault.h"
#include "runtime/text.h"
#include <stdlib.h>
#include <string.h>

/* "oldest:SIZE" */
uint64_t gl_keep_most(void)
{
	const char *s = secure_getenv("GLIMPSE_KEEP");
	uint64_t bytes;

	if (!s || !*s || strcmp(s, "all") == 0)
		return UINT64_MAX;
	if (strncmp(s, "oldest:", 7) == 0 && gl_text_size(s + 7, &s, &bytes) && !*s)
		return bytes;
	gl_fault(FAULT_SETTING, "GLIMPSE_KEEP is not oldest:SIZE:", s, 0, "all events are kept");
	return UINT64_MAX;
}

uint32_t gl_keep_room(const struct tail *t, uint32_t room)
{
	uint64_t left = t->most > t->hot.base ? t->most - t->hot.base : 0;

	return left < room ? (uint32_t)left : room;
}
