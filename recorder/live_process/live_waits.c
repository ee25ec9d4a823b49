#include "recorder/live_process/live_waits.h"
#include "recorder/live_process/live_calls.h"
#include "recorder/live_process/live_holders.h"
#include "recorder/live_process/live_peers.h"
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* ---- one thread ---- */

/* The program's own innermost function, or the outermost one there is. */
static const struct live_frame *site_find(const struct live_stack *s)
{
	for (size_t i = 0; i < s->frames.n; i++)
		if (!s->frames.at[i]->library)
			return s->frames.at[i];
	return s->frames.n ? s->frames.at[s->frames.n - 1] : NULL;
}

static char *peer_find(const struct live_wait *w, pid_t pid, const struct live_thread *thread)
{
	long call = thread->call.number;

	if (call == SYS_flock || call == SYS_fcntl)
		return live_lock_holder(pid, thread->tid);
	if (w->name && strncmp(w->name, "pipe:", 5) == 0)
		return live_pipe_peer(pid, w->descriptor, w->name);
	return w->name && strncmp(w->name, "socket:", 7) == 0 ? live_socket_peer(w->name) : NULL;
}

static char *polled_list(pid_t pid, const struct live_call *c)
{
	switch (c->number) {
	case SYS_epoll_pwait:
#ifdef SYS_epoll_pwait2
	case SYS_epoll_pwait2:
#endif
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
#endif
		return live_epoll_list(pid, (int)c->arguments[0]);
	case SYS_ppoll:
#ifdef SYS_poll
	case SYS_poll:
#endif
		return live_poll_list(pid, c->arguments[0], c->arguments[1]);
	default:
		return NULL;
	}
}

static void call_read(struct live_wait *w, const struct live_waits *all,
		      const struct live_thread *thread, const struct live_stack *stack)
{
	const struct live_call_kind *k = live_call_kind(thread->call.number);

	w->object.kind = k ? k->kind : LIVE_CALL;
	w->call = k ? k->name : NULL;
	if (w->object.kind == LIVE_FUTEX)
		w->object = live_futex(all->threads, thread, stack, all->spec);
	if (w->object.kind == LIVE_DESCRIPTOR) {
		w->descriptor = (int)thread->call.arguments[0];
		w->name = live_descriptor(all->threads->pid, w->descriptor);
		w->peer = peer_find(w, all->threads->pid, thread);
	}
	if (w->object.kind == LIVE_POLL)
		w->name = polled_list(all->threads->pid, &thread->call);
}

static void wait_read(struct live_wait *w, const struct live_waits *all, size_t i)
{
	const struct live_thread *thread = &all->threads->list.at[i];
	const struct live_stack *stack = live_stack(all->stacks, i);

	*w = (struct live_wait){
	    .descriptor = -1, .owner = LIVE_NO_THREAD, .end = i, .site = site_find(stack)};
	if (thread->state == 'R')
		w->object.kind = LIVE_NOTHING;
	else if (thread->call.state == CALL_KNOWN)
		call_read(w, all, thread, stack);
	if (!w->name && w->object.address)
		w->name = live_variable(all->stacks, w->object.address);
}

/* ---- who waits for whom ---- */

static size_t thread_find(const struct live_threads *t, pid_t own)
{
	for (size_t i = 0; i < t->list.n && own; i++)
		if (t->list.at[i].own == own)
			return i;
	return LIVE_NO_THREAD;
}

/* Numbers a circle from one of its threads on. */
static void circle_mark(struct live_waits *w, size_t from)
{
	size_t i = from;

	w->deadlocks++;
	do {
		w->list.at[i].deadlock = w->deadlocks;
		i = w->list.at[i].owner;
	} while (i != from);
}

/* Each thread waits for one at most: whoever comes back to where it has been is in a circle. */
static void circles_find(struct live_waits *w)
{
	size_t *walk = array_zero(w->list.n, sizeof *walk); /* in which walk it was seen */

	for (size_t i = 0; i < w->list.n; i++) {
		size_t at = i;

		while (at != LIVE_NO_THREAD && !walk[at]) {
			walk[at] = i + 1;
			at = w->list.at[at].owner;
		}
		if (at != LIVE_NO_THREAD && walk[at] == i + 1 && !w->list.at[at].deadlock)
			circle_mark(w, at);
	}
	free(walk);
}

static void ends_find(struct live_waits *w)
{
	for (size_t i = 0; i < w->list.n; i++) {
		size_t at = i;

		while (!w->list.at[at].deadlock && w->list.at[at].owner != LIVE_NO_THREAD)
			at = w->list.at[at].owner;
		w->list.at[i].end = at;
	}
}

/* ---- whether it is so ---- */

/* Whether a thread waits for the same as when it was first read. *now: as it is read again. */
static bool wait_is_same(const struct live_waits *w, size_t i, struct live_thread *now)
{
	const struct live_object *then = &w->list.at[i].object;
	struct live_object object;

	*now = w->threads->list.at[i];
	if (!live_thread_read(w->threads, now) || now->call.state != CALL_KNOWN ||
	    now->call.number != SYS_futex)
		return false;
	object = live_futex(w->threads, now, live_stack(w->stacks, i), w->spec);
	return object.address == then->address && object.owner == then->owner;
}

/*
 * Whether the threads of a circle waited for each other at one time: all do once more, and none
 * has run since then when the last one was read.
 */
static bool circle_stays(const struct live_waits *w, size_t from)
{
	VECTOR(struct live_thread) again = {0};
	size_t i = from, n = 0;
	bool same = true;

	do {
		same = wait_is_same(w, i, vector_add(&again));
		i = w->list.at[i].owner;
	} while (same && i != from);
	for (; same && n < again.n; n++) {
		struct live_thread last = again.at[n];

		same =
		    live_thread_read(w->threads, &last) && live_thread_stayed(&again.at[n], &last);
	}
	free(again.at);
	return same;
}

static void owner_forget(struct live_wait *v)
{
	v->owner = LIVE_NO_THREAD;
	v->object.owner = 0;
}

static void circle_unmark(struct live_waits *w, unsigned number)
{
	for (size_t i = 0; i < w->list.n; i++)
		if (w->list.at[i].deadlock == number) {
			w->list.at[i].deadlock = 0;
			owner_forget(&w->list.at[i]);
		} else if (w->list.at[i].deadlock > number) {
			w->list.at[i].deadlock--;
		}
	w->deadlocks--;
}

/*
 * The threads were read one after the other, and may have gone on in between. A circle that is
 * there once more is one.
 */
static void circles_confirm(struct live_waits *w)
{
	for (unsigned number = w->deadlocks; number > 0; number--)
		for (size_t i = 0; i < w->list.n; i++)
			if (w->list.at[i].deadlock == number) {
				if (!circle_stays(w, i))
					circle_unmark(w, number);
				break;
			}
}

/*
 * An owner that waits for the lock itself, though not in a deadlock, got it or lost it while the
 * threads were read: as with the lock of CPython, which changes hands all the time.
 */
static void owners_confirm(struct live_waits *w)
{
	for (size_t i = 0; i < w->list.n; i++) {
		struct live_wait *v = &w->list.at[i];
		const struct live_wait *owner =
		    v->owner == LIVE_NO_THREAD ? NULL : &w->list.at[v->owner];

		if (owner && !owner->deadlock && v->object.address &&
		    owner->object.address == v->object.address)
			owner_forget(v);
	}
}

void live_waits_read(struct live_waits *w, const struct live_threads *t,
		     const struct live_stacks *s, const struct spec *spec)
{
	*w = (struct live_waits){.threads = t, .stacks = s, .spec = spec};
	live_peers_begin();
	for (size_t i = 0; i < t->list.n; i++)
		wait_read(vector_add(&w->list), w, i);
	for (size_t i = 0; i < t->list.n; i++)
		w->list.at[i].owner = thread_find(t, w->list.at[i].object.owner);
	circles_find(w);
	circles_confirm(w);
	owners_confirm(w);
	w->certain = w->deadlocks;
	live_holders_guess(w);
	live_knots_find(w);
	ends_find(w);
}

void live_waits_free(struct live_waits *w)
{
	live_holders_free(w);
	for (size_t i = 0; i < w->list.n; i++) {
		free(w->list.at[i].name);
		free(w->list.at[i].peer);
	}
	free(w->list.at);
	w->list.at = NULL;
}
