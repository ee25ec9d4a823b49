/*
 * A thread's sampled calls against those of each sample by itself: of random stacks and samples. Prints its seed; SEED=N
 * in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES traces (CASES=100000): the sampled calls of a thread,
 * and those of each sample.
 */
#include "analysis/activity/instance_set.h"
#include "analysis/activity/own_calls.h"
#include "tests/cases.h"
#include "tests/random.h"
#include <stdlib.h>

enum { END = 60, CASES = 3000, STACKS = 12, DEEP = 80 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

/* Stacks of few functions: several have the same path. A stack's frame has its number as time. */
static void stacks_random(struct samples *s)
{
	unsigned deep = dice(10) ? 0 : DEEP;

	for (uint32_t i = STACK_WHOLE; i <= STACK_CUT; i++) {
		vector_add(&s->paths)->parent = i;
		vector_add(&s->stacks)->path = i;
	}
	for (uint32_t i = 2; i < STACKS + deep; i++) {
		uint32_t caller = i > STACKS ? i - 1 : dice(i), path = 2;
		uint32_t parent = s->stacks.at[caller].path;
		int64_t function = dice(3);

		while (path < s->paths.n && (s->paths.at[path].parent != parent ||
					     s->paths.at[path].function != function))
			path++;
		if (path == s->paths.n)
			*vector_add(&s->paths) = (struct sample_path){
			    parent, s->paths.at[parent].depth + 1, function, false};
		*vector_add(&s->stacks) =
		    (struct sample_stack){{.time = i}, caller, path, SAMPLE_NO_MODULE};
	}
}

static void samples_random(const struct samples *s, struct thread_samples *t)
{
	unsigned most = 1 + dice(6);

	for (int64_t from = dice(5), to; from < END; from = to) {
		to = from + 1 + dice(most);
		*vector_add(&t->list) = (struct stack_sample){
		    from, to < END ? to : INT64_MAX, dice((unsigned)s->stacks.n), true, false};
	}
}

static uint32_t class_of_frame(void *context, const struct event *frame)
{
	(void)context;
	return (uint32_t)frame->time;
}

/* ---- each sample by itself ---- */

/* Returns the outer part of a stack that has a depth; STACK_WHOLE: it is not that deep. */
static uint32_t stack_to(const struct samples *s, uint32_t stack, uint32_t depth)
{
	while (s->paths.at[s->stacks.at[stack].path].depth > depth)
		stack = s->stacks.at[stack].caller;
	return s->paths.at[s->stacks.at[stack].path].depth == depth ? stack : STACK_WHOLE;
}

static bool are_one(const struct samples *s, const struct thread_samples *t, size_t a, size_t b,
		    uint32_t depth)
{
	return s->stacks.at[stack_to(s, t->list.at[a].stack, depth)].path ==
	       s->stacks.at[stack_to(s, t->list.at[b].stack, depth)].path;
}

/* Returns the call of a depth in a sample that has one. */
static struct instance_span call_of(const struct samples *s, const struct thread_samples *t,
				    size_t sample, uint32_t depth)
{
	size_t first = sample, next = sample + 1;

	while (first > 0 && are_one(s, t, first - 1, sample, depth))
		first--;
	while (next < t->list.n && are_one(s, t, next, sample, depth))
		next++;
	return (struct instance_span){t->list.at[first].from,
				      next < t->list.n ? t->list.at[next].from : INT64_MAX,
				      stack_to(s, t->list.at[first].stack, depth)};
}

static uint32_t depth_of(const struct samples *s, const struct thread_samples *t, size_t sample)
{
	return s->paths.at[s->stacks.at[t->list.at[sample].stack].path].depth;
}

/* ---- the same ---- */

static bool spans_same(const struct instance_span *a, const struct instance_span *b)
{
	return a->start == b->start && a->end == b->end && a->class == b->class;
}

static bool calls_good(const struct samples *s, const struct thread_samples *t,
		       const struct sampled_calls *calls)
{
	struct sampled_cursor cursor = sampled_cursor_begin(calls);
	struct instance_span span;

	for (size_t i = 0; i < t->list.n; i++)
		for (uint32_t depth = 1; depth <= depth_of(s, t, i); depth++) {
			struct instance_span wanted = call_of(s, t, i, depth);

			if (wanted.start == t->list.at[i].from &&
			    (!sampled_cursor_next(&cursor, &span) || !spans_same(&span, &wanted)))
				return false;
		}
	return !sampled_cursor_next(&cursor, &span);
}

static bool innermost_good(const struct samples *s, const struct thread_samples *t,
			   const struct sampled_calls *calls)
{
	for (size_t i = 0; i < t->list.n; i++) {
		int64_t time = t->list.at[i].from, from = time - dice(20), to = time + dice(20);
		uint32_t depth = depth_of(s, t, i);
		struct instance_span span, wanted;

		if (sampled_call_at(calls, time, from, to, &span) != (depth > 0))
			return false;
		if (!depth)
			continue;
		wanted = call_of(s, t, i, depth);
		wanted.start = wanted.start < from ? INT64_MIN : wanted.start;
		wanted.end = wanted.end > to ? INT64_MAX : wanted.end;
		if (!spans_same(&span, &wanted))
			return false;
	}
	return true;
}

/* The classes of a thread's own times, from moment to moment. */
static void own_note(void *context, uint32_t class, int64_t from, int64_t to)
{
	for (int64_t time = from; time < to && time < END; time++)
		((uint32_t *)context)[time] = class;
}

static bool own_good(const struct instance_set *set, const struct samples *s,
		     const struct thread_samples *t)
{
	uint32_t own[END] = {0};

	own_calls_each(set, 0, own_note, own);
	for (size_t i = 0; i < t->list.n; i++) {
		uint32_t wanted = 0;

		for (uint32_t depth = depth_of(s, t, i); depth > 0; depth--) {
			wanted = call_of(s, t, i, depth).class;
			if (!set->classes.at[wanted].of_run_time)
				break;
		}
		for (int64_t time = t->list.at[i].from; time < t->list.at[i].to && time < END;
		     time++)
			if (own[time] != wanted)
				return false;
	}
	return true;
}

static bool calls_case(unsigned seed)
{
	struct samples s = {0};
	struct thread_samples t = {0};
	struct trace trace = {.nthreads = 1};
	span_vector lists[NSPAN_SORTS] = {0};
	struct sampled_calls calls;
	struct instance_set set = {.trace = &trace, .lists = lists, .sampled = &calls};
	bool good;

	numbers.state = seed;
	stacks_random(&s);
	samples_random(&s, &t);
	for (size_t i = 0; i < s.stacks.n; i++)
		*vector_add(&set.classes) = (struct span_class){.of_run_time = !dice(3)};
	calls = sampled_calls_of(&s, &t, class_of_frame, NULL);
	good =
	    calls_good(&s, &t, &calls) && innermost_good(&s, &t, &calls) && own_good(&set, &s, &t);
	sampled_calls_free(&calls);
	free(set.classes.at);
	free(s.stacks.at);
	free(s.paths.at);
	free(t.list.at);
	return good;
}

int main(void)
{
	cases_hold(calls_case, CASES, "sampled calls are those of each sample by itself");
	return tap_end();
}
