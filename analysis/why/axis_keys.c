#include "analysis/why/axis_keys.h"
#include "base/hash.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

static const char *const names[] = {"object", "code", "function", "file",   "module",
				    "holder", "pair", "threads",  "thread", "process"};

const char *axis_name(const struct evidence *g, enum axis a)
{
	return a < AXIS_USER ? names[a] : g->trace->spec->axes[a - AXIS_USER]->name;
}

static int64_t process_key(const struct evidence *g, uint32_t thread)
{
	for (unsigned i = 0; i < g->trace->nprocesses; i++) {
		const struct trace_process *p = &g->trace->processes[i];

		if (thread >= p->first_thread && thread < p->first_thread + p->nthreads)
			return symbols_number(g->trace, p->program);
	}
	return NO_KEY;
}

/* "reader > worker 2"; found once for each pair. */
static int64_t pair_key(const struct evidence *g, const struct span_of_time *s)
{
	struct hash_slot *slot;
	char *text;

	if (!s->wait || s->wait->blocker == NO_THREAD)
		return NO_KEY;
	slot = hash_table_slot(g->pairs, hash_mix((uint64_t)s->wait->blocker << 32 | s->thread), 0);
	if (slot->head == HASH_NOTHING) {
		text = text_format("%s > %s", evidence_text(g, g->names[s->wait->blocker]),
				   evidence_text(g, g->names[s->thread]));
		slot->head = (uint32_t)symbols_number(g->trace, text);
		free(text);
	}
	return slot->head;
}

int64_t axis_key(const struct evidence *g, enum axis a, const struct span_of_time *s)
{
	const struct span_class *p = place_class(g, s->place);

	switch (a) {
	case AXIS_OBJECT:
		return p->object;
	case AXIS_CODE:
		return p->site;
	case AXIS_FUNCTION:
		return p->function;
	case AXIS_FILE:
		return p->file;
	case AXIS_MODULE:
		return p->module;
	case AXIS_HOLDER:
		return s->wait ? s->wait->blame : NO_KEY;
	case AXIS_PAIR:
		return pair_key(g, s);
	case AXIS_THREADS:
		return g->groups[s->thread];
	case AXIS_THREAD:
		return g->names[s->thread];
	case AXIS_PROCESS:
		return process_key(g, s->thread);
	default:
		return a < NAXES ? p->user[a - AXIS_USER] : NO_KEY;
	}
}
