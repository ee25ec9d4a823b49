#include "probes/samples/timers.h"
#include "runtime/system.h"
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define ENTRIES_AT_ONCE 16
#define NO_TIMER (-1)

__thread struct sampled *sampled_self __attribute__((tls_model("initial-exec")));

static struct sampled *all, *free_ones;
static int lock;
static int signal_number;
static int64_t period;
static pid_t process;
static char mark; /* its address is the value of our signals */

int timers_signal(void)
{
	return __atomic_load_n(&signal_number, __ATOMIC_RELAXED);
}

bool timers_here(void)
{
	return process == system_getpid();
}

bool timers_sent(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark;
}

/* ---- the lock ---- */

struct saved_signals {
	unsigned char signals[_NSIG / 8];
	int error;
};

/*
 * The system call blocks the C library's own signals as well: a cancelled thread would keep the
 * lock.
 */
static struct saved_signals enter(void)
{
	struct saved_signals h = {.error = errno};
	unsigned char blocked[sizeof h.signals];

	memset(blocked, 0xff, sizeof blocked);
	system_signals_set(blocked, h.signals);
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		system_sched_yield();
	return h;
}

static void leave(struct saved_signals h)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	system_signals_set(h.signals, NULL);
	errno = h.error;
}

/* ---- timers ---- */

/* The clock of any thread's processor time, as the kernel encodes it. */
static clockid_t clock_of(pid_t tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

static void timer_start(struct sampled *s)
{
	struct itimerspec every = {{period / 1000000000, period % 1000000000},
				   {period / 1000000000, period % 1000000000}};
	struct sigevent event;
	int timer;

	s->timer = NO_TIMER;
	if (!signal_number || s->off)
		return;
	memset(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = signal_number;
	event.sigev_value.sival_ptr = &mark;
	event.sigev_notify_thread_id = s->tid;
	if (SYSTEM_CALL(SYS_timer_create, clock_of(s->tid), &event, &timer) != 0)
		return;
	s->timer = timer;
	SYSTEM_CALL(SYS_timer_settime, timer, 0, &every, NULL);
}

static void timer_stop(struct sampled *s)
{
	if (s->timer != NO_TIMER)
		SYSTEM_CALL(SYS_timer_delete, s->timer);
	s->timer = NO_TIMER;
}

void timers_change(int number)
{
	struct saved_signals h = enter();

	__atomic_store_n(&signal_number, number, __ATOMIC_RELAXED);
	for (struct sampled *s = all; s; s = s->all)
		if (s->tid) {
			timer_stop(s);
			timer_start(s);
		}
	leave(h);
}

/* ---- threads ---- */

static void entry_free(struct sampled *s)
{
	s->tid = 0;
	s->off = false;
	s->next_free = free_ones;
	free_ones = s;
}

/* Not from malloc(), which belongs to the program. */
static void entries_more(void)
{
	struct sampled *more =
	    system_mmap(NULL, ENTRIES_AT_ONCE * sizeof *more, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; more != MAP_FAILED && i < ENTRIES_AT_ONCE; i++) {
		more[i].timer = NO_TIMER;
		more[i].all = all;
		all = &more[i];
		entry_free(&more[i]);
	}
}

struct sampled *sampled_new(void)
{
	struct sampled *s;
	struct saved_signals h;

	if (!timers_signal() || !timers_here())
		return NULL;
	h = enter();
	if (!free_ones)
		entries_more();
	s = free_ones;
	if (s)
		free_ones = s->next_free;
	leave(h);
	return s;
}

void sampled_start(struct sampled *s)
{
	struct saved_signals h = enter();

	s->tid = system_gettid();
	timer_start(s);
	sampled_self = s;
	leave(h);
}

void sampled_end(struct sampled *s)
{
	struct saved_signals h = enter();

	if (sampled_self == s)
		sampled_self = NULL;
	timer_stop(s);
	entry_free(s);
	leave(h);
}

void sampled_stop(void)
{
	struct saved_signals h = enter();

	if (sampled_self) {
		sampled_self->off = true;
		timer_stop(sampled_self);
	}
	leave(h);
}

void timers_begin(int64_t every, int number)
{
	struct sampled *s;

	period = every;
	process = system_getpid();
	signal_number = number;
	s = sampled_new();
	if (s)
		sampled_start(s);
}

/* Timers are not inherited. Another thread may have left the lock taken. */
void timers_forked(void)
{
	process = system_getpid();
	free_ones = NULL;
	for (struct sampled *s = all; s; s = s->all) {
		s->timer = NO_TIMER;
		if (s != sampled_self)
			entry_free(s);
	}
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	if (sampled_self)
		sampled_start(sampled_self);
}
