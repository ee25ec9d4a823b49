#include "analysis/samples/spinning.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

static bool is_running(const struct stack_sample *sample)
{
	return stack_sample_runs(sample) && sample->stack > STACK_CUT;
}

/* Who yields the processor waits for what another thread does, and looks again after it. */
static bool is_yield(const struct samples *s, uint32_t stack)
{
	uint32_t own = sample_own(s, stack);

	for (uint32_t at = stack; at != own; at = s->stacks.at[at].caller) {
		const char *name =
		    symbols_numbered(s->trace, s->paths.at[s->stacks.at[at].path].function);

		if (strcmp(name, "sched_yield") == 0 || strcmp(name, "__sched_yield") == 0)
			return true;
	}
	return false;
}

bool *spinning_stacks(const struct samples *s)
{
	bool *spins = s ? array_zero(s->stacks.n, sizeof *spins) : NULL, any = false;
	bool *known = s ? array_zero(s->stacks.n, sizeof *known) : NULL;

	for (uint32_t t = 0; s && t < s->trace->nthreads; t++)
		for (size_t i = 0; i < s->threads[t].list.n; i++) {
			const struct stack_sample *sample = &s->threads[t].list.at[i];
			const struct event *frame = &s->stacks.at[sample->stack].frame;

			if (!is_running(sample) || known[sample->stack])
				continue;
			known[sample->stack] = true;
			any |= spins[sample->stack] =
			    address_spins(s->trace, frame, frame_code(frame->type)) ||
			    is_yield(s, sample->stack);
		}
	free(known);
	if (any)
		return spins;
	free(spins);
	return NULL;
}

static void count_add(struct spinning *s, bool function, int64_t number, bool spins)
{
	struct hash_slot *slot =
	    hash_table_slot(&s->of[function], hash_mix((uint64_t)number), (uint64_t)number);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->counts.n;
		*vector_add(&s->counts) =
		    (struct spin_count){.number = number, .function = function};
	}
	s->counts.at[slot->head].all++;
	s->counts.at[slot->head].spinning += spins;
}

struct spinning spinning_of(const struct samples *s)
{
	struct spinning found = {0};
	bool *spins = spinning_stacks(s);

	for (uint32_t t = 0; spins && t < s->trace->nthreads; t++) {
		int64_t label = symbols_number(s->trace, s->trace->threads[t].label);

		for (size_t i = 0; i < s->threads[t].list.n; i++) {
			const struct stack_sample *sample = &s->threads[t].list.at[i];
			uint32_t path = s->stacks.at[sample_own(s, sample->stack)].path;

			if (!is_running(sample))
				continue;
			count_add(&found, true, s->paths.at[path].function, spins[sample->stack]);
			count_add(&found, false, label, spins[sample->stack]);
		}
	}
	free(spins);
	return found;
}

bool spinning_mostly(const struct spinning *s, bool function, int64_t number)
{
	const struct hash_slot *slot =
	    hash_table_find(&s->of[function], hash_mix((uint64_t)number), (uint64_t)number);
	const struct spin_count *c = slot ? &s->counts.at[slot->head] : NULL;

	return c && mostly_spins(c->spinning, c->all);
}

void spinning_free(struct spinning *s)
{
	hash_table_free(&s->of[false]);
	hash_table_free(&s->of[true]);
	free(s->counts.at);
}
