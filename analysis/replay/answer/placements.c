#include "analysis/replay/answer/placements.h"
#include <math.h>

/* ns: what Linux calls the cost of a migration is half of it; ticks are four times as long */
static const int64_t late_pull = 1000000;
/* Threads that wait so little for processors, as a part of the run, make no difference. */
static const double little_waiting = 0.005;

static struct machine machine_with(const struct machine *machine, enum placement placement)
{
	struct machine m = *machine;

	m.placed = false;
	m.stays = m.preempts = placement == PLACEMENT_STAY;
	m.pull = placement == PLACEMENT_STAY ? late_pull : 0;
	m.states = m.shows = false;
	m.forgets = true;
	return m;
}

struct placements placements_of(const struct operations *o, const struct machine *machine,
				const struct replay *r)
{
	struct placements all = {{0}};

	if (!machine->cores || (double)r->ready <= little_waiting * (double)r->duration)
		return all;
	for (enum placement i = 0; i < NPLACEMENTS; i++) {
		const struct machine m = machine_with(machine, i);
		struct replay *other = replay_run(o, &m);

		if (!other->stuck)
			all.durations[i] = other->duration;
		replay_free(other);
	}
	return all;
}

struct error_part placements_error(const struct placements *base, int64_t base_duration,
				   const struct placements *changed, int64_t predicted)
{
	struct error_part e = {0, 0};

	for (enum placement i = 0; i < NPLACEMENTS; i++) {
		int64_t before = base->durations[i] ? base->durations[i] : base_duration;
		double after;

		if (!changed->durations[i] || !before)
			continue;
		after = (double)base_duration * (double)changed->durations[i] / (double)before;
		e.less = fmax(e.less, (double)predicted - after);
		e.more = fmax(e.more, after - (double)predicted);
	}
	return e;
}
