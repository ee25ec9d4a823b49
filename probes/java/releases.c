#include "probes/java/releases.h"
#include "java_glimpse.h"
#include "probes/wrap.h"
#include <pthread.h>
#include <stddef.h>

/* An address that stands for a monitor: no program has memory there. */
#define MONITORS UINT64_C(0x4a00000000000000)

/* A thread's condition variable, and what the thread waits for in it. Never forgotten. */
struct parks {
	const pthread_cond_t *condition;
	struct monitor *monitor;
	uint64_t wait; /* 0: none */
};

enum { PARKS = 8192, PARKS_NEAR = 16 }; /* a power of two; where one is looked for */

static struct parks all[PARKS];
static uint64_t waits;

#define OWN static __thread __attribute__((tls_model("initial-exec")))
OWN struct monitor *own_monitor;
OWN uint64_t own_wait; /* 0: the thread waits for no monitor */
OWN bool contending;   /* for the monitor, and not for its notification */
OWN bool interrupting;

const void *monitor_address(const struct monitor *m)
{
	return m ? (const void *)(uintptr_t)(MONITORS + m->number) : NULL;
}

uint64_t wait_number(void)
{
	return __atomic_add_fetch(&waits, 1, __ATOMIC_RELAXED);
}

/* ---- who has it ------------------------------------------------------------------------------ */

/* The thread, as an address. */
static const void *self(void)
{
	return &own_wait;
}

/* Somebody has it from now on, unless it is known since when. */
static bool hold_begin(struct monitor *m, uint64_t now)
{
	uint64_t none = 0;

	if (!__atomic_compare_exchange_n(&m->since, &none, now, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return false;
	m->owner = NULL;
	m->method = NULL;
	m->line = 0;
	return true;
}

bool monitor_contend(struct monitor *m, uint64_t now)
{
	__atomic_add_fetch(&m->waiters, 1, __ATOMIC_ACQ_REL);
	return hold_begin(m, now);
}

void monitor_regain(struct monitor *m, uint64_t now, bool acquired, const void *method, int line)
{
	bool others = __atomic_sub_fetch(&m->waiters, 1, __ATOMIC_ACQ_REL) > 0;

	if (acquired)
		__atomic_store_n(&m->since, 0, __ATOMIC_RELEASE);
	/* If nobody waits, nobody sees its release. */
	if (others && hold_begin(m, now)) {
		m->owner = self();
		m->method = method;
		m->line = line;
	}
}

void monitor_release(struct monitor *m, uint64_t now, uint64_t wait, const void *method, int line)
{
	bool known = m->method && (!m->owner || m->owner == self());
	const void *from = known ? m->method : method;
	int at = known ? m->line : line;
	uint64_t since = __atomic_exchange_n(&m->since, 0, __ATOMIC_ACQ_REL);

	if (since && from)
		Holds_StampAt(since, monitor_address(m), from, at);
	else if (since)
		HoldsSomewhere_StampAt(since, monitor_address(m));
	Release_StampAt(now, monitor_address(m), wait, !since ? 0 : from ? 1 : 2);
}

/* ---- the condition variables of the JVM's threads -------------------------------------------- */

/* Returns the entry of a condition variable; add: makes one. NULL: it has none. */
static struct parks *parks_of(const pthread_cond_t *condition, bool add)
{
	uint64_t hash = ((uint64_t)(uintptr_t)condition * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

	for (uint64_t i = hash; i < hash + PARKS_NEAR; i++) {
		struct parks *p = &all[i % PARKS];
		const pthread_cond_t *is = __atomic_load_n(&p->condition, __ATOMIC_ACQUIRE);

		if (is == condition)
			return p;
		if (is)
			continue;
		if (!add)
			return NULL;
		if (__atomic_compare_exchange_n(&p->condition, &is, condition, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return p;
	}
	return NULL;
}

void parks_begin(struct monitor *m, uint64_t wait, bool contends)
{
	own_monitor = m;
	contending = contends;
	own_wait = wait;
}

void parks_end(void)
{
	own_wait = 0;
}

void releases_nothing(bool interrupts)
{
	interrupting = interrupts;
}

/* The thread waits in the condition variable, whose mutex it has. */
static void parked(const pthread_cond_t *condition)
{
	struct parks *p = parks_of(condition, true);

	if (!p)
		return;
	p->monitor = own_monitor;
	__atomic_store_n(&p->wait, own_wait, __ATOMIC_RELEASE);
	/* It was woken before, and another thread was faster: that one has the monitor now. */
	if (contending)
		hold_begin(own_monitor, glimpse_now());
}

static void signalled(const pthread_cond_t *condition)
{
	struct parks *p = parks_of(condition, false);
	uint64_t wait;

	if (!p || !__atomic_load_n(&p->wait, __ATOMIC_ACQUIRE) || interrupting)
		return;
	wait = __atomic_exchange_n(&p->wait, 0, __ATOMIC_ACQ_REL);
	if (wait)
		monitor_release(p->monitor, glimpse_now(), wait, NULL, 0);
}

static struct {
	__typeof__(&pthread_cond_wait) wait;
	__typeof__(&pthread_cond_timedwait) timedwait;
	__typeof__(&pthread_cond_signal) signal;
} real;

#define REAL(slot) WRAP_REAL_NEWER(real.slot, "pthread_cond_" #slot, "GLIBC_2.2.5", "GLIBC_2.3.2")

WRAP_EXPORT int pthread_cond_wait(pthread_cond_t *restrict condition,
				  pthread_mutex_t *restrict lock)
{
	if (own_wait)
		parked(condition);
	return REAL(wait)(condition, lock);
}

WRAP_EXPORT int pthread_cond_timedwait(pthread_cond_t *restrict condition,
				       pthread_mutex_t *restrict lock,
				       const struct timespec *restrict until)
{
	if (own_wait)
		parked(condition);
	return REAL(timedwait)(condition, lock, until);
}

WRAP_EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
	if (__atomic_load_n(&waits, __ATOMIC_RELAXED) && !wrap_quiet())
		signalled(condition);
	return REAL(signal)(condition);
}
