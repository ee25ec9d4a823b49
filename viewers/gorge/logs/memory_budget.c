#include "viewers/gorge/logs/memory_budget.h"
#include "base/spill.h"
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Bytes of an instance, and of an anchor while it is matched. */
enum { INSTANCE = 13, MATCHED = 4 };

uint64_t memory_budget_least = 64 << 20;

/* Bytes that the process has in memory and in no file. */
static uint64_t private_memory(void)
{
	uint64_t resident = 0, shared = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%*u %" SCNu64 " %" SCNu64, &resident, &shared) != 2)
		resident = shared = 0;
	if (f)
		fclose(f);
	return resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t memory_budget_begin(struct trace *t, const struct interval *interval, bool lent)
{
	uint64_t before = spill_limit(), all = 0, lists = spill_in_memory(),
		 kept = difference(private_memory(), lists), found, limit;

	for (unsigned i = 0; i < t->nthreads; i++)
		all += t->threads[i].bytes;
	all = spill_limit_for(all);
	found = t->events_of_type[end_event(&interval->anchor)->index] * INSTANCE;
	limit = difference(all, kept);
	/*
	 * instances are made beside the event lists: without room for both, lists are made anew in
	 * files
	 */
	if (kept + lists + found / INSTANCE * MATCHED + found > all) {
		limit = difference(limit, found);
		if (!lent)
			trace_forget_events(t);
	}
	limit = limit > memory_budget_least ? limit : memory_budget_least;
	spill_set_limit(limit < before ? limit : before);
	return before;
}

void memory_budget_end(uint64_t limit)
{
	spill_set_limit(limit);
}
