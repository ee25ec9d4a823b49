/*
 * Switches off, by itself, what is logged too often. That is a function, lock or allocation site
 * that was logged more than N times, or whose calls last less than T on average. GLIMPSE_DROP has
 * both limits: "calls=N", "shorter=T", with a comma between them; T in ns, us, ms or s. The probe
 * counts each site here, and logs an event of its own when one is switched off.
 *
 * The table is lock-free, and takes no memory from malloc(). Threads that count the same site at
 * the same moment may lose a count: the limits are not exact.
 */
#ifndef GLIMPSE_PROBES_AUTO_OFF_H
#define GLIMPSE_PROBES_AUTO_OFF_H

#include <stdbool.h>
#include <stdint.h>

/* Why a site is off. */
enum auto_off_why { AUTO_OFF_NOT, AUTO_OFF_CALLS, AUTO_OFF_SHORTER };

struct auto_off_site {
	uintptr_t key; /* an address that stands for the site; 0: an empty place */
	uint64_t calls;
	uint64_t ticks;  /* of all calls together */
	uint32_t off;    /* enum auto_off_why */
	uint32_t chosen; /* the probe's own */
};

/* The limits; 0: there is none. */
extern uint64_t auto_off_calls, auto_off_shorter;

/*
 * Reads GLIMPSE_DROP; called by the probe's constructor. What cannot be read is said and ignored.
 */
void auto_off_read(void);
/* Returns whether there is a limit, so that sites are to be counted. */
static inline bool auto_off_wanted(void)
{
	return auto_off_calls || auto_off_shorter;
}

/*
 * Returns the site of a key, which is not 0 and not 1; a new one is all zeros but for its key. NULL
 * if there are too many sites (more than 60,000), or no memory for the table.
 */
struct auto_off_site *auto_off_find(uintptr_t key);
/* The same; NULL, too, if the site is not there yet. */
struct auto_off_site *auto_off_known(uintptr_t key);

/* The site is another one from now on: counted from 0, and not off. */
void auto_off_forget(uintptr_t key);
/* Forgets all sites; while no other thread counts. */
void auto_off_forget_all(void);

/* Counts a call that took so many ticks of the run's clock. Returns why the site is to be switched
 * off; to one caller only, who says so in the log. */
enum auto_off_why auto_off_count(struct auto_off_site *site, uint64_t ticks);

/*
 * Returns the mean duration of the calls in nanoseconds, or 0 if the clock's rate is not known yet.
 */
uint64_t auto_off_mean(const struct auto_off_site *site);

/* Returns nanoseconds per tick of the run's clock; 0 if that is not known yet. */
double auto_off_tick_ns(void);

/* Returns the word for a reason: "calls" or "shorter". */
const char *auto_off_why_text(enum auto_off_why why);

static inline bool site_is_auto_off(const struct auto_off_site *site)
{
	return __atomic_load_n(&site->off, __ATOMIC_RELAXED) != AUTO_OFF_NOT;
}

#endif
