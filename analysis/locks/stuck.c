#include "analysis/locks/stuck.h"
#include "analysis/samples/samples.h"
#include "spec/layout.h"
#include "trace/plain_name.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>
#include <string.h>

/* Of the time in which a process is stuck, its threads run less than this part afterwards. */
static const int64_t least_part = 10;
/* Frames that the place of a thread has. */
enum { FRAMES = 2 };

/* What the events say of a thread; INT64_MAX: it was not logged. */
struct last_wait {
	bool known;    /* it was blocked in such a wait */
	int64_t since; /* the last one's begin */
	int64_t seen;  /* when it was looked at */
	int64_t goes_on, exited;
};

/* What it says of a process. */
struct stuck_process {
	bool is_not;
	unsigned n;             /* threads */
	int64_t last_seen;      /* of the looks at its threads */
	int64_t since, goes_on; /* all threads are blocked from then on; until the first goes on */
	int64_t ran;            /* in sum, afterwards */
	int runs;               /* threads that run when the trace ends */
};

struct stuck_search {
	struct trace *trace;
	struct last_wait *threads;
	struct stuck_process *processes;
};

/* NULL: the trace has no such events. */
static const struct event_list *events_named(struct trace *t, const char *name)
{
	const struct event_type *type = spec_event(t->spec, name);

	return type && t->events_of_type[type->index] ? trace_events(t, type) : NULL;
}

static void waits_read(struct stuck_search *s, const struct event_list *futexes)
{
	struct event e;

	for (size_t i = 0; i < event_list_size(futexes); i++) {
		struct last_wait *w;

		event_list_look(futexes, i, &e);
		w = &s->threads[trace_thread_index(s->trace, e.thread)];
		w->known = true;
		w->seen = e.time;
		w->since =
		    e.time - record_value(e.type, 0, event_operand(s->trace, &e).record).integer;
	}
}

static void ends_read(struct stuck_search *s, int64_t from)
{
	const struct event_list *readied = events_named(s->trace, "Readied");
	const struct event_list *exited = events_named(s->trace, "Exited");
	struct event e;

	for (size_t i = readied ? event_list_from(readied, from) : 0;
	     readied && i < event_list_size(readied); i++) {
		struct last_wait *w;

		event_list_look(readied, i, &e);
		w = &s->threads[trace_thread_index(s->trace, e.thread)];
		if (w->known && e.time > w->seen && w->goes_on == INT64_MAX)
			w->goes_on = e.time;
	}
	for (size_t i = 0; exited && i < event_list_size(exited); i++) {
		event_list_look(exited, i, &e);
		s->threads[trace_thread_index(s->trace, e.thread)].exited = e.time;
	}
}

static struct stuck_process *process_of(const struct stuck_search *s, uint32_t thread)
{
	return &s->processes[s->trace->threads[thread].directory];
}

/* Whether a thread was gone when the last of its process was seen to be blocked. */
static bool is_gone(const struct stuck_search *s, uint32_t thread)
{
	return !s->trace->threads[thread].events ||
	       s->threads[thread].exited <= process_of(s, thread)->last_seen;
}

static void processes_find(struct stuck_search *s)
{
	const struct trace *t = s->trace;

	for (uint32_t i = 0; i < t->nprocesses; i++)
		s->processes[i] = (struct stuck_process){
		    .last_seen = INT64_MIN, .since = INT64_MIN, .goes_on = INT64_MAX};
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (s->threads[i].known && s->threads[i].seen > process_of(s, i)->last_seen)
			process_of(s, i)->last_seen = s->threads[i].seen;
	for (uint32_t i = 0; i < t->nthreads; i++) {
		struct stuck_process *p = process_of(s, i);
		const struct last_wait *w = &s->threads[i];

		if (is_gone(s, i))
			continue;
		p->n++;
		p->is_not |= !w->known;
		p->since = w->known && w->since > p->since ? w->since : p->since;
		p->goes_on = w->goes_on < p->goes_on ? w->goes_on : p->goes_on;
	}
}

/* Adds how long threads run after the first went on. sign: -1: from such an event on. */
static void running_add(struct stuck_search *s, const char *name, int sign, int64_t from)
{
	const struct event_list *l = events_named(s->trace, name);
	struct event e;

	for (size_t i = l ? event_list_from(l, from) : 0; l && i < event_list_size(l); i++) {
		struct stuck_process *p;

		event_list_look(l, i, &e);
		p = process_of(s, trace_thread_index(s->trace, e.thread));
		if (e.time <= p->goes_on)
			continue;
		p->ran += sign * (e.time - p->goes_on);
		p->runs -= sign;
	}
}

static void running_find(struct stuck_search *s)
{
	int64_t from = s->trace->duration;

	for (uint32_t i = 0; i < s->trace->nprocesses; i++)
		if (s->processes[i].goes_on < from)
			from = s->processes[i].goes_on;
	running_add(s, "SwitchIn", -1, from);
	running_add(s, "SwitchOut", 1, from);
	for (uint32_t i = 0; i < s->trace->nprocesses; i++) {
		struct stuck_process *p = &s->processes[i];

		if (p->goes_on < s->trace->duration)
			p->ran += p->runs * (s->trace->duration - p->goes_on);
	}
}

static bool is_stuck(const struct stuck_search *s, uint32_t process)
{
	const struct stuck_process *p = &s->processes[process];
	const struct trace_process *of = &s->trace->processes[process];
	int64_t until = p->goes_on < s->trace->duration ? p->goes_on : s->trace->duration;

	return p->n && !p->is_not && !of->ended && of->state != PROCESS_EXECUTED &&
	       of->state != PROCESS_FILTERED && until > p->last_seen &&
	       p->ran < (until - p->since) / least_part;
}

/* ---- where they are ---- */

/* The innermost frames that are of no run-time library. NULL: there are none. */
static char *stack_text(const struct samples *s, uint32_t stack)
{
	char *text = NULL;

	for (unsigned n = 0; n < FRAMES && stack > STACK_CUT; stack = s->stacks.at[stack].caller) {
		const struct sample_stack *at = &s->stacks.at[stack];
		char *frame, *longer;

		if (s->paths.at[at->path].of_run_time)
			continue;
		frame =
		    plain_name_short(symbols_numbered(s->trace, s->paths.at[at->path].function));
		longer =
		    n++ ? text_format("%s, called by %s", text, frame) : text_format("%s", frame);
		free(text);
		free(frame);
		text = longer;
	}
	return text;
}

/* The stack of the last wait that was logged, or of the last sample: which one is later. */
static char *place_find(const struct samples *s, uint32_t thread)
{
	const struct thread_samples *of = &s->threads[thread];
	const struct stack_sample *sample = of->list.n ? &of->list.at[of->list.n - 1] : NULL;
	const struct stack_wait *wait = of->waits.n ? &of->waits.at[of->waits.n - 1] : NULL;

	if (wait && (!sample || wait->time > stack_sample_taken(sample)))
		return stack_text(s, wait->stack);
	return sample ? stack_text(s, sample->stack) : NULL;
}

static void places_find(struct stuck *s, const struct trace *t)
{
	struct samples *samples = s->threads.n ? samples_of(t, SAMPLE_FUNCTION_LINES) : NULL;

	for (size_t i = 0; samples && i < s->threads.n; i++)
		s->threads.at[i].place = place_find(samples, s->threads.at[i].thread);
	if (samples)
		samples_free(samples);
}

/* ---- all ---- */

void stuck_find(struct stuck *result, struct trace *t)
{
	const struct event_list *futexes = events_named(t, "FutexWait");
	struct stuck_search s = {.trace = t};

	*result = (struct stuck){0};
	if (!futexes || !event_list_size(futexes))
		return;
	s.threads = array_new(t->nthreads, sizeof *s.threads);
	s.processes = array_new(t->nprocesses, sizeof *s.processes);
	for (uint32_t i = 0; i < t->nthreads; i++)
		s.threads[i] = (struct last_wait){.goes_on = INT64_MAX, .exited = INT64_MAX};
	waits_read(&s, futexes);
	ends_read(&s, event_list_time(futexes, 0));
	processes_find(&s);
	running_find(&s);
	for (uint32_t i = 0; i < t->nthreads; i++)
		if (is_stuck(&s, t->threads[i].directory) && !is_gone(&s, i))
			*vector_add(&result->threads) =
			    (struct stuck_thread){i, s.threads[i].since, NULL};
	free(s.threads);
	free(s.processes);
	places_find(result, t);
}

void stuck_free(struct stuck *s)
{
	for (size_t i = 0; i < s->threads.n; i++)
		free(s->threads.at[i].place);
	free(s->threads.at);
}

const struct stuck_thread *stuck_thread_of(const struct stuck *s, uint32_t thread)
{
	size_t i = lower_bound(k, 0, s->threads.n, s->threads.at[k].thread < thread);

	return i < s->threads.n && s->threads.at[i].thread == thread ? &s->threads.at[i] : NULL;
}

int64_t stuck_since(const struct stuck *s, const struct trace *t, uint32_t process)
{
	int64_t since = 0;

	for (size_t i = 0; i < s->threads.n; i++)
		if (t->threads[s->threads.at[i].thread].directory == process &&
		    s->threads.at[i].since > since)
			since = s->threads.at[i].since;
	return since;
}
