#include "cli/symbols_modules.h"
#include "analysis/samples/samples.h"
#include "spec/layout.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/objects.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* The modules of each process, and the samples in them. */
struct process_modules {
	const struct modules *modules;
	uint64_t *samples; /* as the list of the modules */
};

/* ---- samples ---- */

static unsigned code_attribute(const struct event_type *type)
{
	unsigned i = 0;

	while (type->attributes[i].type != TYPE_CODE && type->attributes[i].type != TYPE_CODE32)
		i++;
	return i;
}

static void stack_count(const struct trace *t, struct process_modules *processes,
			const struct event *frame, uint64_t samples)
{
	unsigned code = code_attribute(frame->type);
	struct process_modules *p = &processes[process_of_event(t, frame)];
	uint64_t address = (uint64_t)record_value(frame->type, code, frame->record).integer;
	const struct module *m =
	    frame->type->attributes[code].type == TYPE_CODE32
		? modules_at_low(p->modules, (uint32_t)address, frame->time, &address)
		: modules_at(p->modules, address, frame->time);

	if (m)
		p->samples[m - p->modules->list.at] += samples;
}

static void samples_count(const struct trace *t, struct process_modules *processes)
{
	struct samples *s = samples_of(t, SAMPLE_FUNCTIONS);
	uint64_t *of_stacks;

	if (!s)
		return;
	of_stacks = array_zero(s->stacks.n, sizeof *of_stacks);
	for (unsigned i = 0; i < t->nthreads; i++)
		for (size_t k = 0; k < s->threads[i].list.n; k++)
			of_stacks[s->threads[i].list.at[k].stack]++;
	for (size_t i = STACK_CUT + 1; i < s->stacks.n; i++)
		if (of_stacks[i])
			stack_count(t, processes, &s->stacks.at[i].frame, of_stacks[i]);
	free(of_stacks);
	samples_free(s);
}

/* ---- the list ---- */

static int order_by_file(const void *a, const void *b)
{
	const struct run_module *m = a, *n = b;
	int paths = strcmp(m->path, n->path);

	if (paths || m->id->n != n->id->n)
		return paths ? paths : m->id->n < n->id->n ? -1 : 1;
	return memcmp(m->id->bytes, n->id->bytes, m->id->n);
}

static int order_by_samples(const void *a, const void *b)
{
	const struct run_module *m = a, *n = b;

	if (m->samples != n->samples)
		return m->samples > n->samples ? -1 : 1;
	return order_by_file(a, b);
}

static void process_add(struct run_modules *to, const struct process_modules *p)
{
	for (size_t i = 0; i < p->modules->list.n; i++) {
		const struct module *m = &p->modules->list.at[i];

		*vector_add(&to->list) = (struct run_module){
		    .path = m->path, .id = &m->id, .samples = p->samples[i], .stored = m->stored};
	}
}

static void files_merge(struct run_module *to, const struct run_module *from)
{
	to->samples += from->samples;
	to->stored |= from->stored;
}

/* One file may be in several processes, and at several addresses of one. */
static void files_join(struct run_modules *m)
{
	size_t n = 0;

	if (!m->list.n)
		return;
	qsort(m->list.at, m->list.n, sizeof *m->list.at, order_by_file);
	for (size_t i = 1; i < m->list.n; i++)
		if (order_by_file(&m->list.at[n], &m->list.at[i]) == 0)
			files_merge(&m->list.at[n], &m->list.at[i]);
		else
			m->list.at[++n] = m->list.at[i];
	m->list.n = n + 1;
	qsort(m->list.at, m->list.n, sizeof *m->list.at, order_by_samples);
}

struct run_modules run_modules_of(const struct trace *t)
{
	struct run_modules m = {.sampled = trace_has_samples(t)};
	struct process_modules *processes = array_zero(t->nprocesses, sizeof *processes);

	for (unsigned i = 0; i < t->nprocesses; i++) {
		processes[i].modules = symbols_modules(t, i);
		processes[i].samples =
		    array_zero(processes[i].modules->list.n, sizeof *processes[i].samples);
	}
	samples_count(t, processes);
	for (unsigned i = 0; i < t->nprocesses; i++) {
		process_add(&m, &processes[i]);
		free(processes[i].samples);
	}
	free(processes);
	files_join(&m);
	for (size_t i = 0; i < m.list.n; i++) {
		struct run_module *one = &m.list.at[i];
		struct image *image = image_find(one->path, one->id, &one->state);

		if (image)
			one->names = image_names(image);
	}
	return m;
}

void run_modules_clear(struct run_modules *m)
{
	free(m->list.at);
	*m = (struct run_modules){0};
}

/* What has no path is the kernel's, and on no server. */
bool run_module_lacks(const struct run_module *m)
{
	if (!strchr(m->path, '/'))
		return false;
	return m->state != IMAGE_GOOD || !m->names.debug || m->names.missing.n;
}
