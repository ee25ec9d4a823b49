#include "analysis/replay/answer/interval.h"
#include "analysis/replay/answer/plan.h"
#include "analysis/replay/answer/resampling.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/task.h"
#include <math.h>
#include <stdlib.h>

/*
 * Weights were fitted (and rounded) on every other one of 150 random programs of
 * tests/analysis/simulated, so that nine of ten changes lie in the narrowest ranges, and tested on
 * the rest.
 */
static const double identity_weight = 2.5, lengths_weight = 2, waits_weight = 0.25;
/*
 * Half of what recording cost may have been taken off wrongly. And it costs more than its events:
 * twelve changes that were made (bench/whatif.sh, an idle machine) took 1.0 to 6.6 % less than
 * predicted, in the median 2.6 %.
 */
static const double recording_weight = 0.5, least_recording_less = 0.04;
/*
 * Samples of states are 10 ms apart: the ends of a run are known to half of that. Changes that were
 * made (bench/field, refused) took up to 3 % of the run less or more than predicted.
 */
static const double states_sample = 5e6, states_weight = 0.03;
/*
 * What no replay knows: caches, the work that a real change adds, other programs. Of 63 changes
 * that were really made (bench/field), 41 % were in ranges of 1.5 % of the predicted time. Errors
 * grow with the gain: so much of the run, and of what is gained or lost.
 */
static const double run_error = 0.03, gain_error = 0.1;
/* The wakers of so many waits may be others than those that are guessed. */
static const double guess_error = 0.2;
/* A 90 % interval is so much of a 95 % interval. */
static const double ninety_of_ninety_five = 1.645 / 1.96;

const char *error_source_name(enum error_source s)
{
	static const char *const names[NERROR_SOURCES] = {
	    [ERROR_IDENTITY] = "identity", [ERROR_LENGTHS] = "lengths",
	    [ERROR_SAMPLES] = "samples",   [ERROR_RECORDING] = "recording",
	    [ERROR_WAITS] = "waits",       [ERROR_OTHERS] = "others",
	    [ERROR_STATES] = "states",     [ERROR_UNKNOWN] = "unknown",
	    [ERROR_MODEL] = "model",
	};

	return names[s];
}

/* ---- the parts ---- */

static struct error_part both(double error)
{
	return (struct error_part){error, error};
}

static struct error_part identity_error(const struct interval_basis *b)
{
	double miss =
	    b->recorded ? fabs((double)(b->unchanged - b->recorded)) / (double)b->recorded : 0;

	return both(identity_weight * miss * (double)b->changed->duration);
}

/* What is gained, or lost if it is negative, may be more or less. */
static struct error_part samples_error(const struct interval_basis *b)
{
	double gain = (double)(b->base->duration - b->changed->duration) * ninety_of_ninety_five;
	double low = gain * (b->sampling.low - 1), high = gain * (b->sampling.high - 1);

	return (struct error_part){fmax(0, fmax(low, high)), fmax(0, -fmin(low, high))};
}

static struct error_part recording_error(const struct interval_basis *b)
{
	double cost = recording_weight * fabs((double)(b->unchanged - b->base->duration));

	return (struct error_part){hypot(cost, least_recording_less * (double)b->changed->duration),
				   cost};
}

/* How long a thread waits for processors on average. */
static double mean_ready(const struct replay *r)
{
	return r->nthreads ? (double)r->ready / r->nthreads : 0;
}

/* A wait that ends at its limit may also go on in another way, up to when its wake-up comes. */
static struct error_part waits_error(const struct interval_basis *b)
{
	double waits = waits_weight * fabs(mean_ready(b->changed) - mean_ready(b->base));

	return (struct error_part){fmax(waits, b->placed.less),
				   hypot(fmax(waits, b->placed.more), (double)b->changed->overdue)};
}

static struct error_part states_error(const struct interval_basis *b)
{
	if (!b->sampled_states)
		return both(0);
	return both(hypot(states_sample, states_weight * (double)b->base->duration));
}

/* Where wakers are guessed, a part of the gain may not come. */
static struct error_part unknown_error(const struct interval_basis *b)
{
	double gain = (double)(b->base->duration - b->changed->duration);

	return both(hypot((double)b->changed->unknown, b->guessed ? guess_error * gain : 0));
}

static struct error_part model_error(const struct interval_basis *b)
{
	double run = (double)b->base->duration, gain = run - (double)b->changed->duration;

	return both(hypot(run_error * run, gain_error * gain));
}

struct error_interval error_interval_of(const struct interval_basis *b)
{
	struct error_interval in = {.replays = b->replays};
	double less = 0, more = 0, predicted = (double)b->changed->duration;

	in.parts[ERROR_IDENTITY] = identity_error(b);
	in.parts[ERROR_LENGTHS] = b->lengths;
	in.parts[ERROR_SAMPLES] = samples_error(b);
	in.parts[ERROR_RECORDING] = recording_error(b);
	in.parts[ERROR_WAITS] = waits_error(b);
	in.parts[ERROR_OTHERS] = b->others;
	in.parts[ERROR_STATES] = states_error(b);
	in.parts[ERROR_UNKNOWN] = unknown_error(b);
	in.parts[ERROR_MODEL] = model_error(b);
	for (unsigned i = 0; i < NERROR_SOURCES; i++) {
		less += in.parts[i].less * in.parts[i].less;
		more += in.parts[i].more * in.parts[i].more;
	}
	in.low = (int64_t)fmax(0, predicted - sqrt(less));
	in.high = (int64_t)(predicted + sqrt(more));
	return in;
}

/* ---- other numbers ---- */

/* Returns the parts of the run's error that another number shares, as parts of the run. */
static struct error_part shared_error(const struct error_interval *in, int64_t run)
{
	double less = 0, more = 0;

	for (unsigned i = 0; i < NERROR_SOURCES; i++) {
		if (i == ERROR_IDENTITY || i == ERROR_LENGTHS)
			continue;
		less += in->parts[i].less * in->parts[i].less;
		more += in->parts[i].more * in->parts[i].more;
	}
	return run > 0 ? (struct error_part){sqrt(less) / (double)run, sqrt(more) / (double)run}
		       : both(0);
}

void number_range(const struct error_interval *in, int64_t run, const struct number_basis *b,
		  double *low, double *high)
{
	struct error_part shared = shared_error(in, run), lengths = both(0);
	double miss = b->recorded > 0 ? fabs(b->unchanged - b->recorded) / b->recorded : 0;
	double identity = identity_weight * miss * b->predicted;
	double less = b->falls ? shared.more : shared.less;
	double more = b->falls ? shared.less : shared.more;

	if (b->n) {
		lengths.less = lengths_weight * fmax(0, b->predicted - b->replays[b->n / 20]);
		lengths.more =
		    lengths_weight * fmax(0, b->replays[b->n - 1 - b->n / 20] - b->predicted);
	}
	*low = fmax(0, b->predicted - hypot(hypot(less * b->predicted, identity), lengths.less));
	*high = b->predicted + hypot(hypot(more * b->predicted, identity), lengths.more);
}

/* ---- lengths ---- */

struct error_part durations_error(const int64_t *durations, size_t n, int64_t predicted)
{
	return (struct error_part){fmax(0, (double)(predicted - durations[n / 20])),
				   fmax(0, (double)(durations[n - 1 - n / 20] - predicted))};
}

struct error_part lengths_error(const struct model *m, struct operations *o,
				const struct machine *machine, int64_t predicted, uint64_t seed,
				const struct replay_watch *watch, unsigned *replays)
{
	struct machine forgetful = *machine;
	struct resampling *r = resampling_of(m, o);
	unsigned n = *replays = (unsigned)replays_within(REPLAYS_OF_INTERVAL, o->all.n, *replays);
	int64_t *durations = array_zero(n, sizeof *durations);
	struct error_part e;

	forgetful.forgets = !watch->see;
	forgetful.states = false;
	for (unsigned i = 0; i < n && !task_cancelled(); i++) {
		struct replay *replay;

		resampling_draw(r, hash_mix(seed + i));
		replay = replay_run(o, &forgetful);
		durations[i] = replay->duration;
		replay_watched(watch, o, replay);
		replay_free(replay);
	}
	resampling_end(r);
	sort_words(durations, n);
	e = durations_error(durations, n, predicted);
	free(durations);
	return (struct error_part){lengths_weight * e.less, lengths_weight * e.more};
}
