#include "cli/common/intervals.h"
#include "base/array.h"
#include "base/spill.h"
#include "base/units.h"
#include "spec/names.h"
#include "spec/qualified.h"
#include <stdlib.h>

static const char **names;
static unsigned nnames;

void intervals_take(const char *name)
{
	names = array_grow(names, nnames, sizeof *names);
	names[nnames++] = name;
}

void intervals_take_memory(const char *size)
{
	uint64_t bytes;

	if (!units_parse_bytes(size, &bytes))
		usage_fail("--memory: '%s' is not a size such as 512MiB or 4GB", size);
	spill_set_limit(bytes);
}

static bool is_known(const struct spec *spec, const char *name)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (interval_is_called(spec->intervals[i], name))
			return true;
	return false;
}

/* other: has further ones; or NULL. */
static bool all_known(const struct spec *spec, const struct spec *other, struct diag *diag)
{
	bool good = true;

	for (unsigned i = 0; i < nnames; i++)
		if (is_ambiguous(spec, names[i], DIAG_NOWHERE, diag)) {
			good = false;
		} else if (!is_known(spec, names[i]) && !(other && is_known(other, names[i]))) {
			const char *near = nearest_interval(spec, names[i]);

			diag_unknown(diag, DIAG_NOWHERE, near,
				     near ? "there is no interval '%s'"
					  : "there is no interval '%s'; without --interval all "
					    "are shown",
				     names[i]);
			good = false;
		}
	return good;
}

bool interval_is_chosen(const struct interval *interval)
{
	for (unsigned i = 0; i < nnames; i++)
		if (interval_is_called(interval, names[i]))
			return true;
	return nnames == 0;
}

static void announce(struct trace *t, const struct interval *interval)
{
	const struct interval_end *ends[] = {&interval->anchor, &interval->partner};

	for (int i = 0; i < 2; i++) {
		if (ends[i]->interval)
			announce(t, ends[i]->interval);
		else
			trace_announce(t, ends[i]->event);
	}
}

const struct interval **intervals_chosen(struct trace *t, struct diag *diag)
{
	return intervals_chosen_of_two(t, NULL, diag);
}

const struct interval **intervals_chosen_of_two(struct trace *t, const struct spec *other,
						struct diag *diag)
{
	const struct spec *spec = t->spec;
	const struct interval **chosen;
	unsigned n = 0;

	if (!all_known(spec, other, diag))
		return NULL;
	chosen = array_zero(spec->nintervals + 1, sizeof *chosen);
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (interval_is_chosen(spec->intervals[i])) {
			announce(t, spec->intervals[i]);
			chosen[n++] = spec->intervals[i];
		}
	if (n == 0 && !(other && other->nintervals))
		diag_warning(
		    diag, "intervals", DIAG_NOWHERE,
		    "the specification '%s' defines no intervals; give another one with -s FILE",
		    spec->name);
	return chosen;
}
