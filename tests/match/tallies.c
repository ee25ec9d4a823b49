/*
 * tallies DIRECTORY...: whether the statistics of intervals that were not kept are those of the
 * instances. Says where not, with status 1; prints how many intervals were compared.
 */
#include "base/sort.h"
#include "base/spill.h"
#include "match/join/row_reader.h"
#include "match/stats/account.h"
#include "match/stats/series.h"
#include <stdio.h>
#include <string.h>

static bool same_durations(const struct tally *tally, const struct matches *m)
{
	struct series s = series_of_durations(m);
	bool same = s.n == tally->matched;

	sort_words(s.words, s.n);
	if (same)
		sort_words(tally->words, s.n);
	same = same && memcmp(s.words, tally->words, s.n * sizeof *s.words) == 0;
	series_clear(&s);
	return same;
}

static bool same_account(struct trace *t, const struct tally *tally, const struct matches *m)
{
	struct account kept, tallied;
	bool same;

	account_of(t, m, &kept);
	account_tally(t, tally, kept.reach, &tallied);
	same = memcmp(kept.anchors, tallied.anchors, sizeof kept.anchors) == 0 &&
	       kept.partners == tallied.partners && kept.unserved == tallied.unserved &&
	       kept.shared == tallied.shared;
	account_clear(&kept);
	account_clear(&tallied);
	return same;
}

/* One interval; false: they differ. */
static bool compare(struct trace *t, const struct interval *interval, unsigned *compared)
{
	struct tally tally;
	struct matches *m;
	bool same;

	if (!tally_interval(t, interval, &tally))
		return true;
	++*compared;
	m = match_interval(t, interval);
	same = tally.anchors == m->count && same_durations(&tally, m) && same_account(t, &tally, m);
	matches_free(m);
	spill_free(tally.words);
	return same;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = fopen("/dev/null", "w"), .program = "tallies"};
	unsigned compared = 0;
	bool good = true;

	for (int i = 1; i < argc; i++) {
		const char *directory = argv[i];
		struct trace *t = trace_open(&directory, 1, NULL, &diag);

		section_events = i % 2 ? 1 : 300;
		join_most = i / 2 % 2 ? 1 << 16 : 2;
		join_shards = i % 4 ? 1 : 8;
		partition_bucket = i % 3 ? 10 : 1 << 13;
		for (unsigned k = 0; t && k < t->spec->nintervals; k++)
			if (!compare(t, t->spec->intervals[k], &compared)) {
				printf("# %s: %s differs\n", directory,
				       t->spec->intervals[k]->name);
				good = false;
			}
		trace_close(t);
	}
	printf("%u intervals\n", compared);
	return good ? 0 : 1;
}
