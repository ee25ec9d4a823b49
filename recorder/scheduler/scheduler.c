#include "recorder/scheduler/scheduler.h"
#include "base/monotonic.h"
#include "recorder/messages.h"
#include "recorder/observed.h"
#include "recorder/refusals.h"
#include "recorder/rings.h"
#include "recorder/scheduler/kernel_waits.h"
#include "recorder/scheduler/sampling.h"
#include "recorder/scheduler/states.h"
#include "recorder/scheduler/throttle.h"
#include "scheduler_glimpse.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Run delays are read this often while threads wait and run again, less often while none does. */
#define PERIOD_LEAST 10000000
#define PERIOD_MOST 40000000

static struct kernel_records pending; /* read, but not taken yet */
static bool switches, samples;        /* what states are from */
static int64_t period;

static void report_refused(int error, const char *what)
{
	record_note("the kernel refuses records of context switches (%s: %s); run times and "
		    "wait times are sampled from schedstat instead; to get the records, %s",
		    what, strerror(error), rings_remedy(error, what));
	refusal_note("switches", rings_remedy(error, what));
}

/* ---- the probe ---- */

static bool scheduler_open(const struct recording *r)
{
	const char *what;
	int error;

	switches = samples = false;
	throttle_open(r);
	period = PERIOD_LEAST;
	if (records_open(r, &what)) {
		switches = true;
		observed_found_elsewhere();
		states_open(r, monotonic_now());
		return true;
	}
	error = errno;
	report_refused(error, what);
	samples = sampling_open(r, monotonic_now());
	if (samples)
		return true;
	record_note("thread states are not recorded: this kernel has no schedstat either "
		    "(CONFIG_SCHED_INFO)");
	refusal_note("states", rings_remedy(error, what));
	return false;
}

static int scheduler_fds(struct pollfd *fds, int room)
{
	return switches ? records_fds(fds, room) : 0;
}

/*
 * Records come from several buffers. Those up to a time are complete once all buffers were read
 * after it. Run delays are read before that, so that each is a record with a place among them.
 */
static void records_take(void)
{
	size_t before = pending.n, taken;
	int64_t bound;
	bool waited;

	records_read(&pending);
	waited = states_read_figures(&pending, before);
	states_read_calls(&pending);
	bound = monotonic_now();
	records_read(&pending);
	records_sort(pending.at, pending.n);
	taken = states_take(pending.at, pending.n, bound);
	period = waited ? PERIOD_LEAST : 2 * period;
	if (period > PERIOD_MOST)
		period = PERIOD_MOST;
	pending.n -= taken;
	if (pending.n)
		memmove(pending.at, pending.at + taken, pending.n * sizeof *pending.at);
}

static int64_t scheduler_step(int64_t now)
{
	throttle_step(now);
	if (samples)
		return sampling_step(now);
	records_take();
	return now + period;
}

static void scheduler_close(void)
{
	if (switches) {
		records_take();
		states_take(pending.at, pending.n, INT64_MAX);
		states_close(monotonic_now());
		records_close();
		kernel_waits_free();
	}
	throttle_close();
	free(pending.at);
	memset(&pending, 0, sizeof pending);
}

const struct recorder_probe scheduler_probe = {
    .name = "scheduler",
    .spec = &scheduler_glimpse,
    .open = scheduler_open,
    .fds = scheduler_fds,
    .step = scheduler_step,
    .close = scheduler_close,
};

uint64_t scheduler_switches(void)
{
	return states_switches;
}

void scheduler_summary(struct recorder_summary *s)
{
	s->switches += states_switches;
	s->lost += states_lost;
	s->ran = samples ? sampling_ran() : states_ran;
	s->sampled |= samples;
}
