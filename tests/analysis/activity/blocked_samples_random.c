/*
 * The time that functions have from samples, against each moment by itself: of random samples, states and waits. No
 * function has more than the time in which its thread ran, was ready, or waited with a stack that has it. Prints its
 * seed; SEED=N in the environment starts from case N, CASES=N does that many.
 * tested: oracles with random cases, CASES traces (CASES=100000): the time of functions from
 * samples, and each time by itself.
 */
#include "analysis/activity/blocked_samples.h"
#include "tests/cases.h"
#include "tests/random.h"
#include <stdlib.h>

enum { END = 120, CASES = 3000, SAMPLED = 2, WAITED = 10, STACKS = 20 };

static struct random numbers;

static unsigned dice(unsigned n)
{
	return random_below(&numbers, n);
}

static const struct role roles[] = {
    {.kind = KIND_STATE, .state = STATE_RUNNING},
    {.kind = KIND_STATE, .state = STATE_READY},
    {.kind = KIND_STATE, .state = STATE_BLOCKED},
    {.kind = KIND_WAIT},
    {.kind = KIND_IO},
    {.kind = KIND_SPIN},
};
static const struct span_class classes[] = {{.role = &roles[0]}, {.role = &roles[1]},
					    {.role = &roles[2]}, {.role = &roles[3]},
					    {.role = &roles[4]}, {.role = &roles[5]}};

struct random_thread {
	struct thread_samples samples;
	span_vector states, waits;
};

static void samples_random(struct thread_samples *t)
{
	unsigned most = 1 + dice(30);

	for (int64_t from = dice(5), to; from < END; from = to) {
		to = from + 1 + dice(most);
		*vector_add(&t->list) = (struct stack_sample){from, to < END ? to : INT64_MAX,
							      SAMPLED + dice(5), true, false};
	}
}

static void states_random(span_vector *states)
{
	unsigned most = 1 + dice(20);

	for (int64_t start = dice(most), end; start < END; start = end + dice(2)) {
		end = start + 1 + dice(most);
		*vector_add(states) =
		    (struct instance_span){start, end < END ? end : INT64_MAX, dice(3)};
	}
}

static void waits_random(struct random_thread *t)
{
	unsigned most = 1 + dice(20);

	for (int64_t start = dice(most); start < END; start += 1 + dice(most)) {
		int64_t end = dice(20) ? start + dice(most) : INT64_MAX;

		*vector_add(&t->waits) = (struct instance_span){start, end, 3 + dice(3)};
		if (dice(3))
			*vector_add(&t->samples.waits) =
			    (struct stack_wait){start, WAITED + dice(5)};
	}
}

static bool covers(const struct instance_span *s, int64_t time)
{
	return s->start <= time && time < s->end;
}

static bool is_blocked(const struct random_thread *t, int64_t time)
{
	for (size_t i = 0; i < t->states.n; i++)
		if (covers(&t->states.at[i], time))
			return t->states.at[i].class == 2;
	return false;
}

/* Returns the wait that began last of those under way; NULL: none. An end may be one of them. */
static const struct instance_span *wait_at(const struct random_thread *t, int64_t time, bool end)
{
	const struct instance_span *found = NULL;

	for (size_t i = 0; i < t->waits.n; i++) {
		const struct instance_span *w = &t->waits.at[i];

		if (w->class != 5 && (covers(w, time) || (end && w->end == time)))
			found = w;
	}
	return found;
}

/* Returns the stack of a wait: the first that was logged while it was the innermost one. */
static uint32_t stack_of(const struct random_thread *t, const struct instance_span *wait)
{
	for (size_t i = 0; i < t->samples.waits.n; i++)
		if (wait_at(t, t->samples.waits.at[i].time, true) == wait)
			return t->samples.waits.at[i].stack;
	return STACK_WHOLE;
}

static uint32_t stack_at(const struct random_thread *t, int64_t time)
{
	const struct instance_span *wait;
	size_t i = 0;

	if (is_blocked(t, time)) {
		wait = wait_at(t, time, false);
		return wait ? stack_of(t, wait) : STACK_WHOLE;
	}
	while (t->samples.list.at[i].to <= time)
		i++;
	return t->samples.list.at[i].stack;
}

/* Whether each stack has just the time that it may have, and all have the thread's. */
static bool sums_hold(const struct random_thread *t, const struct thread_samples *list)
{
	int64_t time[STACKS] = {0}, allowed[STACKS] = {0}, life = 0;

	for (size_t i = 0; i < list->list.n; i++) {
		int64_t to = list->list.at[i].to < END ? list->list.at[i].to : END;

		if (to > list->list.at[i].from)
			time[list->list.at[i].stack] += to - list->list.at[i].from;
	}
	for (int64_t at = t->samples.list.at[0].from; at < END; at++)
		allowed[stack_at(t, at)]++;
	for (unsigned i = 0; i < STACKS; i++) {
		if (time[i] > allowed[i]) {
			printf("# stack %u has %d of %d\n", i, (int)time[i], (int)allowed[i]);
			return false;
		}
		life += time[i];
	}
	return life == END - t->samples.list.at[0].from;
}

/* Whether a sample counts once, if it stands for time in which the thread was not blocked. */
static bool counts_hold(const struct random_thread *t, const struct thread_samples *list)
{
	size_t n = 0, wanted = 0;

	for (size_t i = 0; i < list->list.n; i++)
		n += list->list.at[i].counts;
	for (size_t i = 0; i < t->samples.list.n; i++) {
		int64_t at = t->samples.list.at[i].from, to = t->samples.list.at[i].to;

		while (at < to && at < 2 * END && is_blocked(t, at))
			at++;
		wanted += at < to && at < 2 * END;
	}
	if (n != wanted)
		printf("# %zu samples count, wanted %zu\n", n, wanted);
	return n == wanted;
}

static bool times_hold(const struct random_thread *t, const struct thread_samples *list)
{
	size_t at = 0;

	for (int64_t time = t->samples.list.at[0].from; time < END + 20; time++) {
		const struct stack_sample *s;

		while (at + 1 < list->list.n && list->list.at[at].to <= time)
			at++;
		s = &list->list.at[at];
		if (s->from > time || time >= s->to || s->stack != stack_at(t, time) ||
		    s->blocked != is_blocked(t, time)) {
			printf("# at %d: stack %u, wanted %u\n", (int)time, s->stack,
			       stack_at(t, time));
			return false;
		}
	}
	return list->list.at[list->list.n - 1].to == INT64_MAX;
}

static bool blocked_case(unsigned seed)
{
	struct random_thread t = {0};
	struct thread_samples list;
	bool good;

	numbers.state = seed;
	samples_random(&t.samples);
	if (dice(10))
		states_random(&t.states);
	if (dice(10))
		waits_random(&t);
	list = blocked_samples(&t.samples, classes, &t.states, &t.waits);
	good = times_hold(&t, &list) && sums_hold(&t, &list) && counts_hold(&t, &list);
	free(t.samples.list.at);
	free(t.samples.waits.at);
	free(t.states.at);
	free(t.waits.at);
	free(list.list.at);
	return good;
}

int main(void)
{
	cases_hold(blocked_case, CASES,
		   "functions have the time in which they run or wait, and no other");
	return tap_end();
}
