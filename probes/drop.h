/*
 * What a probe logs too much of is switched off by itself: a function, lock or allocation site that
 * was logged more than N times, or whose calls last less than T in the mean, as GLIMPSE_DROP says
 * ("calls=N", "shorter=T", with a comma between them; T in ns, us, ms or s). The probe counts each
 * site here, and logs an event of its own when one is switched off.
 *
 * The table is lock-free, and takes no memory from malloc(). Threads that count the same site at
 * the same moment may lose a count: the limits are no exact numbers.
 */
#ifndef GLIMPSE_PROBES_DROP_H
#define GLIMPSE_PROBES_DROP_H

#include <stdbool.h>
#include <stdint.h>

/* Why a site is off. */
enum drop_why { DROP_NOT, DROP_CALLS, DROP_SHORTER };

struct drop_site {
	uintptr_t key;          /* an address that stands for the site; 0: an empty place */
	uint64_t calls;
	uint64_t ticks;         /* of all calls together */
	uint32_t off;           /* enum drop_why */
	uint32_t chosen;        /* the probe's own */
};

/* The limits; 0: there is none. */
extern uint64_t drop_calls, drop_shorter;

/* Reads GLIMPSE_DROP; called by the probe's constructor. What cannot be read is said and ignored. */
void drop_read(void);
/* Returns whether there is a limit, so that sites are to be counted. */
static inline bool drop_wanted(void)
{
	return drop_calls || drop_shorter;
}

/*
 * Returns the site of a key, which is not 0 and not 1; a new one is all zeros but for its key. NULL
 * if there are too many sites (more than 60,000), or no memory for the table.
 */
struct drop_site *drop_find(uintptr_t key);

/* The site is another one from now on: counted from 0, and not off. */
void drop_forget(uintptr_t key);
/* Forgets all sites; while no other thread counts. */
void drop_forget_all(void);

/* Counts a call that took so many ticks of the run's clock. Returns why the site is to be switched
 * off; to one caller only, who says so in the log. */
enum drop_why drop_count(struct drop_site *site, uint64_t ticks);

/* Returns the mean duration of the calls in nanoseconds, or 0 if the clock's rate is not known yet. */
uint64_t drop_mean(const struct drop_site *site);

/* Returns the word for a reason: "calls" or "shorter". */
const char *drop_why_text(enum drop_why why);

static inline bool drop_is_off(const struct drop_site *site)
{
	return __atomic_load_n(&site->off, __ATOMIC_RELAXED) != DROP_NOT;
}

#endif
