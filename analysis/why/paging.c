#include "analysis/why/paging.h"
#include "analysis/samples/samples.h"
#include "analysis/why/event_sums.h"
#include "analysis/why/meanwhile.h"
#include "analysis/why/switches.h"
#include "trace/symbols/symbols.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char system_time[] = "Processor.system", faults[] = "Faults.minor";
/* With fewer faults a second of its CPU time, a thread's system time is of something else. */
static const double least_faults = 20000;

/* ---- stacks ---- */

/* Functions of the kernel through which all such work goes; what they call is not compared. */
static bool is_paging_function(const char *name)
{
	static const char *const names[] = {
	    "asm_exc_page_fault", "exc_page_fault",  "do_user_addr_fault", "handle_mm_fault",
	    "do_page_fault",      "__vm_munmap",     "vm_munmap",          "do_munmap",
	    "ksys_mmap_pgoff",    "vm_mmap_pgoff",   "do_mprotect_pkey",   "do_madvise",
	    "__do_sys_mremap",    "__do_sys_brk",    "__x64_sys_munmap",   "__x64_sys_brk",
	    "__x64_sys_mremap",   "__arm64_sys_brk", "__arm64_sys_munmap", "__arm64_sys_mremap",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool *paging_stacks(const struct samples *s)
{
	bool *paging = s ? array_zero(s->stacks.n, sizeof *paging) : NULL, named = false;

	for (size_t i = STACK_CUT + 1; s && i < s->stacks.n; i++) {
		const struct sample_stack *stack = &s->stacks.at[i];
		const char *module, *function;

		/* callers come before what they call */
		paging[i] = paging[stack->caller];
		if (stack->module == SAMPLE_NO_MODULE)
			continue;
		module = symbols_numbered(s->trace, stack->module);
		function = symbols_numbered(s->trace, s->paths.at[stack->path].function);
		/* a hidden name is that of the module */
		if (strcmp(module, KERNEL_MODULE) != 0 || strcmp(function, module) == 0)
			continue;
		named = true;
		paging[i] |= is_paging_function(function);
	}
	if (named)
		return paging;
	free(paging);
	return NULL;
}

/* ---- times ---- */

/* Returns the share of a thread's samples in the focus that are such work. */
static double sampled_part(const struct evidence *g, const struct focus *f, uint32_t thread)
{
	const struct thread_samples *list = &g->set->samples->threads[thread];
	uint64_t n = 0, paging = 0;

	for (size_t i = 0; i < list->list.n; i++) {
		int64_t taken = stack_sample_taken(&list->list.at[i]);

		if (taken < f->from || taken > f->to)
			continue;
		n++;
		paging += g->paging[list->list.at[i].stack];
	}
	return n ? (double)paging / (double)n : 0;
}

/* Sets how long each thread in focus does such work, in ns. Returns how long they run. */
static double times_set(const struct evidence *g, const struct focus *f, double *times)
{
	double *counts = array_zero(g->trace->nthreads, sizeof *counts), all = 0;

	if (!g->paging) {
		focus_event_sums(g, f, system_time, times);
		focus_event_sums(g, f, faults, counts);
	}
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		double ran = f->threads[t] ? (double)thread_ran(g, t, f->from, f->to) : 0;

		if (g->paging && ran > 0)
			times[t] = ran * sampled_part(g, f, t);
		else if (counts[t] * 1e9 > least_faults * ran)
			times[t] = fmin(times[t], ran);
		else
			times[t] = 0;
		all += ran;
	}
	free(counts);
	return all;
}

double paging_part(const struct evidence *g, const struct focus *f)
{
	double *times = array_zero(g->trace->nthreads, sizeof *times), sum = 0;
	double all = times_set(g, f, times);

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		sum += times[t];
	free(times);
	return all > 0 ? sum / all : 0;
}

double paged_part(const struct evidence *g, const struct focus *f)
{
	double *times = array_zero(g->trace->nthreads, sizeof *times), sum = 0, most = 0;

	times_set(g, f, times);
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		sum += times[t];
		most = fmax(most, times[t]);
	}
	free(times);
	return f->from < f->to ? fmax(most, sum / g->idle->processors) / (double)(f->to - f->from)
			       : 0;
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

void paging_events_mark(const struct spec *spec, bool *events)
{
	for (unsigned i = 0; i < spec->nevents; i++) {
		const char *name = spec->events[i]->name;

		events[i] |= spec->events[i]->sample || strcmp(name, "Processor") == 0 ||
			     strcmp(name, "Faults") == 0;
	}
}
