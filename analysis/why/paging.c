#include "analysis/why/paging.h"
#include "analysis/samples/samples.h"
#include "analysis/why/event_sums.h"
#include "analysis/why/meanwhile.h"
#include "analysis/why/switches.h"
#include "trace/address.h"
#include "trace/symbols/symbols.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char system_time[] = "Processor.system", faults[] = "Faults.minor";
/* With fewer faults a second of its CPU time, a thread's system time is of something else. */
static const double least_faults = 20000;

/* ---- stacks ---- */

/* Functions of the kernel through which all such work goes; what they call is not compared. */
static const struct {
	const char *function;
	enum paging_work work;
} entries[] = {
    {"asm_exc_page_fault", PAGING_FAULT}, {"exc_page_fault", PAGING_FAULT},
    {"do_user_addr_fault", PAGING_FAULT}, {"handle_mm_fault", PAGING_FAULT},
    {"do_page_fault", PAGING_FAULT},      {"do_mem_abort", PAGING_FAULT},
    {"__x64_sys_munmap", PAGING_UNMAP},   {"__arm64_sys_munmap", PAGING_UNMAP},
    {"__vm_munmap", PAGING_UNMAP},        {"vm_munmap", PAGING_UNMAP},
    {"do_munmap", PAGING_UNMAP},          {"__x64_sys_mmap", PAGING_MAP},
    {"__arm64_sys_mmap", PAGING_MAP},     {"ksys_mmap_pgoff", PAGING_MAP},
    {"vm_mmap_pgoff", PAGING_MAP},        {"__do_sys_brk", PAGING_BREAK},
    {"__x64_sys_brk", PAGING_BREAK},      {"__arm64_sys_brk", PAGING_BREAK},
    {"__do_sys_mremap", PAGING_REMAP},    {"__x64_sys_mremap", PAGING_REMAP},
    {"__arm64_sys_mremap", PAGING_REMAP}, {"do_madvise", PAGING_ADVISE},
    {"do_mprotect_pkey", PAGING_PROTECT},
};

static const char *const work_names[NPAGING_WORKS] = {
    [PAGING_FAULT] = "page faults", [PAGING_UNMAP] = "munmap", [PAGING_MAP] = "mmap",
    [PAGING_BREAK] = "brk",         [PAGING_REMAP] = "mremap", [PAGING_ADVISE] = "madvise",
    [PAGING_PROTECT] = "mprotect",
};

const char *paging_work_name(enum paging_work w)
{
	return work_names[w];
}

enum paging_work paging_work_named(const char *name)
{
	enum paging_work w = PAGING_FAULT;

	while (w < NPAGING_WORKS && strcmp(work_names[w], name) != 0)
		w++;
	return w;
}

static enum paging_work function_work(const char *name)
{
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		if (strcmp(name, entries[i].function) == 0)
			return entries[i].work;
	return PAGING_NONE;
}

static bool is_kernel(const struct samples *s, const struct sample_stack *stack)
{
	return stack->module != SAMPLE_NO_MODULE &&
	       strcmp(symbols_numbered(s->trace, stack->module), KERNEL_MODULE) == 0;
}

/* Returns the kernel's function that a stack's innermost frame is in; NULL: none with a name. */
static const char *kernel_function(const struct samples *s, const struct sample_stack *stack)
{
	const char *function;

	if (!is_kernel(s, stack))
		return NULL;
	function = symbols_numbered(s->trace, s->paths.at[stack->path].function);
	/* a hidden name is that of the module */
	return strcmp(function, KERNEL_MODULE) != 0 ? function : NULL;
}

unsigned char *paging_stacks(const struct samples *s)
{
	unsigned char *paging = s ? array_zero(s->stacks.n, sizeof *paging) : NULL;
	bool named = false;

	for (size_t i = STACK_CUT + 1; s && i < s->stacks.n; i++) {
		const struct sample_stack *stack = &s->stacks.at[i];
		const char *function = kernel_function(s, stack);

		/* callers come before what they call */
		paging[i] = paging[stack->caller];
		named |= function != NULL;
		if (function && !paging[i])
			paging[i] = (unsigned char)function_work(function);
	}
	if (named)
		return paging;
	free(paging);
	return NULL;
}

const char **paging_entries(const struct samples *s, size_t *n)
{
	enum { ENTRIES = sizeof entries / sizeof *entries };
	const char **found = array_new(ENTRIES, sizeof *found);
	bool there[ENTRIES] = {false};

	for (size_t i = STACK_CUT + 1; s && i < s->stacks.n; i++) {
		const char *function = kernel_function(s, &s->stacks.at[i]);

		for (size_t k = 0; function && k < ENTRIES; k++)
			there[k] |= strcmp(function, entries[k].function) == 0;
	}
	*n = 0;
	for (size_t k = 0; k < ENTRIES; k++)
		if (there[k])
			found[(*n)++] = entries[k].function;
	return found;
}

/* ---- times ---- */

static bool is_asked(enum paging_work stack, enum paging_work asked)
{
	return asked == PAGING_NONE ? stack != PAGING_NONE : stack == asked;
}

/* Returns the share of a thread's samples in the focus that are such work. */
static double sampled_part(const struct evidence *g, const struct focus *f, uint32_t thread,
			   enum paging_work work)
{
	const struct thread_samples *list = &g->set->samples->threads[thread];
	uint64_t n = 0, paging = 0;

	for (size_t i = 0; i < list->list.n; i++) {
		int64_t taken = stack_sample_taken(&list->list.at[i]);

		if (taken < f->from || taken > f->to)
			continue;
		n++;
		paging += is_asked(g->paging[list->list.at[i].stack], work);
	}
	return n ? (double)paging / (double)n : 0;
}

/*
 * Sets how long each thread in focus does such work, in ns. Returns how long they run. Of single
 * works nothing is known without samples.
 */
static double times_set(const struct evidence *g, const struct focus *f, enum paging_work work,
			double *times)
{
	double *counts = array_zero(g->trace->nthreads, sizeof *counts), all = 0;

	if (!g->paging && work == PAGING_NONE) {
		focus_event_sums(g, f, system_time, times);
		focus_event_sums(g, f, faults, counts);
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		double ran = f->threads[t] ? (double)thread_ran(g, t, f->from, f->to) : 0;

		if (g->paging && ran > 0)
			times[t] = ran * sampled_part(g, f, t, work);
		else if (counts[t] * 1e9 > least_faults * ran)
			times[t] = fmin(times[t], ran);
		else
			times[t] = 0;
		all += ran;
	}
	free(counts);
	return all;
}

double paging_part(const struct evidence *g, const struct focus *f, enum paging_work work)
{
	double *times = array_zero(g->trace->nthreads, sizeof *times), sum = 0;
	double all = times_set(g, f, work, times);

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		sum += times[t];
	free(times);
	return all > 0 ? sum / all : 0;
}

double paged_part(const struct evidence *g, const struct focus *f)
{
	double *times = array_zero(g->trace->nthreads, sizeof *times), sum = 0, most = 0;

	times_set(g, f, PAGING_NONE, times);
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		sum += times[t];
		most = fmax(most, times[t]);
	}
	free(times);
	return part_of(fmax(most, sum / g->idle->processors), idle_alone(g->idle, f->from, f->to));
}

/* ---- what causes it ---- */

void paging_functions(const struct evidence *g, const struct focus *f, struct axis_sums *sums)
{
	const struct samples *s = g->set->samples;

	for (uint32_t t = 0; g->paging && t < g->trace->nthreads; t++)
		for (size_t i = 0; f->threads[t] && i < s->threads[t].list.n; i++) {
			const struct stack_sample *sample = &s->threads[t].list.at[i];
			int64_t taken = stack_sample_taken(sample);

			if (g->paging[sample->stack] && taken >= f->from && taken <= f->to)
				axis_sums_add(sums, own_function(s, sample->stack), 1);
		}
}

/* Returns the key of the innermost place of the program in a stack; NO_KEY: there is none. */
static int64_t own_place(const struct samples *s, uint32_t stack)
{
	const struct sample_stack *own = &s->stacks.at[sample_own(s, stack)];

	/* a stack that is cut within the kernel has none */
	return s->paths.at[own->path].depth && !is_kernel(s, own)
		   ? address_key(s->trace, &own->frame, frame_code(own->frame.type))
		   : NO_KEY;
}

/* Adds where the program asked for a work. */
static void sites_add(const struct evidence *g, const struct focus *f, const bool *works,
		      struct axis_sums *sums)
{
	const struct samples *s = g->set->samples;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; f->threads[t] && i < s->threads[t].list.n; i++) {
			const struct stack_sample *sample = &s->threads[t].list.at[i];
			int64_t taken = stack_sample_taken(sample);

			if (works[g->paging[sample->stack]] && taken >= f->from && taken <= f->to)
				axis_sums_add(sums, own_place(s, sample->stack), 1);
		}
}

bool paging_sites(const struct evidence *g, const struct focus *f, struct axis_sums *sums)
{
	static const bool makes[NPAGING_WORKS] = {
	    [PAGING_MAP] = true, [PAGING_BREAK] = true, [PAGING_REMAP] = true};
	static const bool gives_back[NPAGING_WORKS] = {
	    [PAGING_UNMAP] = true, [PAGING_BREAK] = true, [PAGING_ADVISE] = true};

	if (!g->paging)
		return true;
	sites_add(g, f, makes, sums);
	if (sums->values.n)
		return true;
	sites_add(g, f, gives_back, sums);
	return false;
}

/* ---- whether memory is used again ---- */

/* Of such work, the share of releases from which on the program gives memory back at all. */
static const double least_released = 0.01;
/* Of all pairs of a page fault and a release, those whose release is first. */
static const double least_again = 0.2;

/* A sample of a page fault, or of the release of memory. */
struct paging_sample {
	int64_t time;
	bool released;
};

static int by_time(const void *left, const void *right)
{
	const struct paging_sample *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

/* A program may shrink and grow its heap with brk(): it does not count as a release. */
static bool is_use(enum paging_work w)
{
	return w == PAGING_FAULT || w == PAGING_UNMAP || w == PAGING_ADVISE;
}

enum paging_use paging_use_of(const struct evidence *g, const struct focus *f)
{
	const struct samples *s = g->set->samples;
	VECTOR(struct paging_sample) list = {0};
	double released = 0, faulted = 0, again = 0;

	for (uint32_t t = 0; g->paging && t < g->trace->nthreads; t++)
		for (size_t i = 0; f->threads[t] && i < s->threads[t].list.n; i++) {
			const struct stack_sample *sample = &s->threads[t].list.at[i];
			int64_t taken = stack_sample_taken(sample);
			enum paging_work w = g->paging[sample->stack];

			if (is_use(w) && taken >= f->from && taken <= f->to)
				*vector_add(&list) =
				    (struct paging_sample){taken, w != PAGING_FAULT};
		}
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, by_time);
	for (size_t i = 0; i < list.n; i++) {
		released += list.at[i].released;
		faulted += !list.at[i].released;
		again += list.at[i].released ? 0 : released;
	}
	free(list.at);
	if (!faulted)
		return PAGING_USE_UNKNOWN;
	return released >= least_released * (released + faulted) &&
		       again >= least_again * released * faulted
		   ? PAGING_USE_AGAIN
		   : PAGING_USE_ONCE;
}

void paging_events_mark(const struct spec *spec, bool *events)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		const char *name = spec->events[i]->name;

		events[i] |= spec->events[i]->sample || strcmp(name, "Processor") == 0 ||
			     strcmp(name, "Faults") == 0;
	}
}
