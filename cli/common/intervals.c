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

static bool some_knows(struct trace *const *traces, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (is_known(traces[i]->spec, name))
			return true;
	return false;
}

static bool all_known(struct trace *const *traces, unsigned n, struct diag *diag)
{
	const struct spec *spec = traces[0]->spec;
	bool good = true;

	for (unsigned i = 0; i < nnames; i++)
		if (is_ambiguous(spec, names[i], DIAG_NOWHERE, diag)) {
			good = false;
		} else if (!some_knows(traces, n, names[i])) {
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

static bool is_chosen(const struct interval *interval)
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

static const struct interval **chosen_of(struct trace *t)
{
	const struct spec *spec = t->spec;
	const struct interval **chosen = array_zero(spec->nintervals + 1, sizeof *chosen);
	unsigned n = 0;

	for (unsigned i = 0; i < spec->nintervals; i++)
		if (is_chosen(spec->intervals[i])) {
			announce(t, spec->intervals[i]);
			chosen[n++] = spec->intervals[i];
		}
	return chosen;
}

const struct interval ***intervals_chosen_of(struct trace *const *traces, unsigned n,
					     struct diag *diag)
{
	const struct interval ***chosen;
	bool some = false;

	if (!all_known(traces, n, diag))
		return NULL;
	chosen = array_new(n, sizeof *chosen);
	for (unsigned i = 0; i < n; i++) {
		chosen[i] = chosen_of(traces[i]);
		some |= traces[i]->spec->nintervals > 0;
	}
	if (!some)
		diag_warning(
		    diag, "intervals", DIAG_NOWHERE,
		    "the specification '%s' defines no intervals; give another one with -s FILE",
		    traces[0]->spec->name);
	return chosen;
}

void intervals_free(const struct interval ***chosen, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(chosen[i]);
	free(chosen);
}

const struct interval **intervals_chosen(struct trace *t, struct diag *diag)
{
	const struct interval ***all = intervals_chosen_of(&t, 1, diag),
			      **chosen = all ? *all : NULL;

	free(all);
	return chosen;
}
