#include "recorder/scheduler/wakeups.h"
#include "recorder/numbers.h"
#include "recorder/trace_events.h"
#include <string.h>

#define EVENT "sched/sched_waking"
#define IN_INTERRUPT 0x18 /* in common_flags: of hardware, or delayed */

static unsigned flags_offset, woken_offset;

/* The inode of the first pid namespace, whose numbers of threads the kernel's trace events have. */
#define FIRST_SPACE 0xEFFFFFFCu

uint64_t wakeup_event_id(void)
{
	return numbers_own_space() == FIRST_SPACE &&
		       trace_event_field(EVENT, "common_flags", &flags_offset) &&
		       trace_event_field(EVENT, "pid", &woken_offset)
		   ? trace_event_id(EVENT)
		   : 0;
}

bool wakeup_read(const unsigned char *fields, uint32_t size, uint32_t *woken, uint32_t *by_thread)
{
	if (flags_offset >= size || woken_offset + 4 > size)
		return false;
	memcpy(woken, fields + woken_offset, 4);
	*by_thread = !(fields[flags_offset] & IN_INTERRUPT);
	return true;
}
