#include "recorder/live_process/live_holders.h"
#include "base/hash.h"
#include "recorder/live_process/live_memory.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STACK_MOST = 128 << 10, CODE_MOST = 16 << 10, MEMBERS_MOST = 256 };

/* ---- the locks ---- */

static bool is_guessed(const struct live_wait *v)
{
	return v->object.words && v->object.words->hold && !v->object.owner;
}

/* A lock whose word is the thread's own is known by its call site. */
static struct live_guess *guess_add(struct live_waits *w, const struct live_wait *v)
{
	uint64_t word = v->object.words->by_site ? 0 : v->object.address;
	struct live_guess *g;

	for (size_t i = 0; i < w->guesses.n; i++)
		if (w->guesses.at[i].word == word && (word || w->guesses.at[i].site == v->site))
			return &w->guesses.at[i];
	g = vector_add(&w->guesses);
	g->word = word;
	g->site = v->site;
	g->words = v->object.words;
	return g;
}

static bool waits_for(const struct live_waits *w, size_t thread, const struct live_guess *g)
{
	return w->list.at[thread].guess == (size_t)(g - w->guesses.at);
}

/* Threads come in the order of their indexes. */
static void thread_add(struct live_list *l, size_t thread)
{
	if (!l->n || l->at[l->n - 1] != thread)
		*vector_add(l) = thread;
}

static void candidate_add(struct live_waits *w, struct live_guess *g, size_t thread)
{
	if (waits_for(w, thread, g))
		return;
	thread_add(&g->threads, thread);
	thread_add(&g->near, thread);
}

/* The lock may be a member: who has the address of its structure may compute the lock's. */
static void address_found(struct live_waits *w, uint64_t address, size_t thread)
{
	for (size_t i = 0; i < w->guesses.n; i++) {
		struct live_guess *g = &w->guesses.at[i];
		uint64_t distance = g->word - address; /* of those below */

		if (!g->word || distance >= MEMBERS_MOST || waits_for(w, thread, g))
			continue;
		thread_add(&g->near, thread);
		if (!distance)
			thread_add(&g->threads, thread);
	}
}

/* ---- addresses on stacks ---- */

static void stack_search(struct live_waits *w, size_t thread)
{
	static uint64_t stack[STACK_MOST / sizeof(uint64_t)];
	uint64_t sp = live_stack(w->stacks, thread)->sp & ~UINT64_C(7);
	size_t n = sp ? live_memory_read(w->threads->pid, sp, stack, sizeof stack) : 0;

	for (size_t i = 0; i < n / sizeof *stack; i++)
		if (stack[i])
			address_found(w, stack[i], thread);
}

/* ---- addresses in code ---- */

#if defined(__x86_64__)
/*
 * An instruction has the distance of a variable from where the next one begins, that is behind an
 * operand of up to 4 bytes; in programs that are not relocated, the address itself.
 */
static bool has_address(uint64_t at, const unsigned char *bytes, uint64_t variable)
{
	int32_t distance;
	int64_t rest;

	memcpy(&distance, bytes, sizeof distance);
	rest = (int64_t)(variable - (at + sizeof distance)) - distance;
	return rest == 0 || rest == 1 || rest == 4 ||
	       (variable <= INT32_MAX && (uint64_t)distance == variable);
}

enum { CODE_UNIT = 4 };

static bool code_has(const unsigned char *code, size_t n, uint64_t begin, uint64_t variable)
{
	for (size_t i = 0; i + CODE_UNIT <= n; i++)
		if (has_address(begin + i, code + i, variable))
			return true;
	return false;
}
#else
static bool code_has(const unsigned char *code, size_t n, uint64_t begin, uint64_t variable)
{
	(void)code;
	(void)n;
	(void)begin;
	(void)variable;
	return false;
}
#endif

/* Searches what a function has done before its call for the locks that are variables. */
static void code_search(struct live_waits *w, const struct live_frame *f, size_t thread)
{
	static unsigned char code[CODE_MOST];
	uint64_t begin = live_function_begin(w->stacks, f->address);
	size_t n = begin && f->address - begin < CODE_MOST ? (size_t)(f->address - begin) : 0;

	n = n ? live_memory_read(w->threads->pid, begin, code, n) : 0;
	for (size_t i = 0; n && i < w->guesses.n; i++) {
		struct live_guess *g = &w->guesses.at[i];

		if (g->word && live_is_in_file(w->stacks, g->word) &&
		    code_has(code, n, begin, g->word))
			candidate_add(w, g, thread);
	}
}

static bool any_is_in_file(const struct live_waits *w)
{
	for (size_t i = 0; i < w->guesses.n; i++)
		if (w->guesses.at[i].word && live_is_in_file(w->stacks, w->guesses.at[i].word))
			return true;
	return false;
}

/* ---- who is beyond a call site ---- */

/*
 * Where no thread has the address: threads that are in the same function further on. They may have
 * another lock of that function.
 */
static void site_search(struct live_waits *w, struct live_guess *g)
{
	for (size_t i = 0; i < w->list.n && g->site; i++) {
		const struct live_stack *s = live_stack(w->stacks, i);

		for (size_t k = 0; k < s->frames.n; k++)
			if (s->frames.at[k]->address > g->site->address &&
			    strcmp(s->frames.at[k]->module, g->site->module) == 0 &&
			    strcmp(s->frames.at[k]->function, g->site->function) == 0)
				candidate_add(w, g, i);
	}
	g->by_site = true;
}

void live_holders_guess(struct live_waits *w)
{
	bool variables;

	for (size_t i = 0; i < w->list.n; i++)
		w->list.at[i].guess = is_guessed(&w->list.at[i])
					  ? (size_t)(guess_add(w, &w->list.at[i]) - w->guesses.at)
					  : LIVE_NO_GUESS;
	if (!w->guesses.n)
		return;
	variables = any_is_in_file(w);
	for (size_t i = 0; i < w->list.n; i++) {
		const struct live_stack *s = live_stack(w->stacks, i);

		stack_search(w, i);
		for (size_t k = 0; variables && k < s->frames.n; k++)
			if (!s->frames.at[k]->library)
				code_search(w, s->frames.at[k], i);
	}
	for (size_t i = 0; i < w->guesses.n; i++)
		if (!w->guesses.at[i].threads.n)
			site_search(w, &w->guesses.at[i]);
}

void live_holders_free(struct live_waits *w)
{
	for (size_t i = 0; i < w->guesses.n; i++) {
		free(w->guesses.at[i].threads.at);
		free(w->guesses.at[i].near.at);
	}
	free(w->guesses.at);
	w->guesses.at = NULL;
}

/* ---- deadlocks that are likely ---- */

/*
 * Gives the threads that one may wait for; near: with those that may compute the lock's address.
 * Returns their number; 0: not known.
 */
static size_t awaited(const struct live_waits *w, size_t i, bool near, const size_t **threads)
{
	const struct live_wait *v = &w->list.at[i];
	const struct live_guess *g = v->guess == LIVE_NO_GUESS ? NULL : &w->guesses.at[v->guess];

	if (!g) {
		*threads = &v->owner;
		return v->owner != LIVE_NO_THREAD;
	}
	*threads = near ? g->near.at : g->threads.at;
	if (g->by_site || !g->threads.n)
		return 0;
	return near ? g->near.n : g->threads.n;
}

/* Whether a thread waits, and only for some that are in the set. */
static bool waits_within(const struct live_waits *w, const bool *set, size_t i)
{
	const size_t *threads;
	size_t n = awaited(w, i, true, &threads);

	for (size_t k = 0; k < n; k++)
		if (!set[threads[k]])
			return false;
	return n > 0;
}

/* Takes threads off the set until each waits only for others of it: they wait forever. */
static void set_close(const struct live_waits *w, bool *set)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < w->list.n; i++)
			if (set[i] && !waits_within(w, set, i)) {
				set[i] = false;
				changed = true;
			}
	}
}

static void awaited_mark(const struct live_waits *w, const bool *set, bool *marks)
{
	memset(marks, 0, w->list.n * sizeof *marks);
	for (size_t i = 0; i < w->list.n; i++) {
		const size_t *threads;
		size_t n = set[i] ? awaited(w, i, false, &threads) : 0;

		for (size_t k = 0; k < n; k++)
			marks[threads[k]] = true;
	}
}

/* Takes off the set who waits, but for whom nobody waits. */
static void set_core(const struct live_waits *w, bool *set)
{
	bool *marks = array_new(w->list.n, sizeof *marks);
	bool changed = true;

	while (changed) {
		changed = false;
		awaited_mark(w, set, marks);
		for (size_t i = 0; i < w->list.n; i++)
			if (set[i] && !marks[i]) {
				set[i] = false;
				changed = true;
			}
	}
	free(marks);
}

static bool set_any(const struct live_waits *w, const bool *set)
{
	for (size_t i = 0; i < w->list.n; i++)
		if (set[i])
			return true;
	return false;
}

/* Numbers all threads that are connected with one. */
static void knot_number(struct live_waits *w, const bool *set, size_t first, unsigned number)
{
	bool changed = true;

	w->list.at[first].deadlock = number;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < w->list.n; i++) {
			const size_t *threads;
			size_t n = set[i] ? awaited(w, i, false, &threads) : 0;

			for (size_t k = 0; k < n; k++) {
				unsigned *a = &w->list.at[i].deadlock;
				unsigned *b = &w->list.at[threads[k]].deadlock;

				if (*a != *b) {
					*a = *b = number;
					changed = true;
				}
			}
		}
	}
}

static bool same_call(const struct live_thread *a, const struct live_thread *b)
{
	return a->state == b->state && a->call.state == CALL_KNOWN && b->call.state == CALL_KNOWN &&
	       memcmp(&a->call, &b->call, sizeof a->call) == 0;
}

/* Takes off the set who does not stay in its call for a while. */
static void set_confirm(const struct live_waits *w, bool *set)
{
	static const struct timespec a_while = {0, 100000000};
	struct live_thread *again = array_zero(w->list.n, sizeof *again);

	for (size_t i = 0; i < w->list.n; i++) {
		again[i] = w->threads->list.at[i];
		set[i] = set[i] && live_thread_read(w->threads, &again[i]) &&
			 same_call(&again[i], &w->threads->list.at[i]);
	}
	nanosleep(&a_while, NULL);
	for (size_t i = 0; i < w->list.n; i++) {
		struct live_thread now = again[i];

		set[i] = set[i] && live_thread_read(w->threads, &now) &&
			 live_thread_stayed(&again[i], &now);
	}
	free(again);
}

void live_knots_find(struct live_waits *w)
{
	bool *set = array_zero(w->list.n, sizeof *set);

	for (size_t i = 0; i < w->list.n; i++)
		set[i] = !w->list.at[i].deadlock;
	set_close(w, set);
	if (w->guesses.n && set_any(w, set)) {
		set_confirm(w, set);
		set_close(w, set);
		set_core(w, set);
		for (size_t i = 0; i < w->list.n; i++)
			if (set[i] && !w->list.at[i].deadlock)
				knot_number(w, set, i, ++w->deadlocks);
	}
	free(set);
}
