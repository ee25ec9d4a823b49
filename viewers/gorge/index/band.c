#include "viewers/gorge/index/band.h"
#include "analysis/activity/roles.h"
#include "viewers/gorge/style/density.h"

/*
 * Calls that are nested deeper are in the last row; the rows of all intervals have 16-bit numbers.
 */
enum { MOST_CALLS = 1000, ROW_NUMBERS = 65000 };

enum band band_of(const struct interval *interval)
{
	struct role role;

	switch (interval->kind) {
	case KIND_STATE:
		return BAND_STATES;
	case KIND_CALL:
		return BAND_CALLS;
	case KIND_LIFE:
		role = role_of(interval);
		return role_is_threads_life(&role) ? BAND_LIVES : BAND_BARS;
	default:
		return BAND_BARS;
	}
}

unsigned band_limit(enum band band, const struct trace *t)
{
	unsigned share = ROW_NUMBERS / (t->spec->nintervals + 1);

	if (band == BAND_CALLS)
		return share < MOST_CALLS ? share + 1 : MOST_CALLS;
	return density_for(t->nthreads)->rows;
}
