#include "analysis/replay/changes/sampling_error.h"
#include "analysis/samples/sample_share.h"

/* Returns how many of a thread's samples were taken where its speed is another one. */
static size_t changed_samples(const struct thread_samples *t, const struct speeds *s, size_t first,
			      size_t end)
{
	size_t n = 0, at = first;

	for (size_t i = 0; i < t->list.n; i++) {
		int64_t time = stack_sample_taken(&t->list.at[i]);

		while (at + 1 < end && s->all.at[at + 1].from < time)
			at++;
		n += s->all.at[at].kept.running != 1;
	}
	return n;
}

struct effect_range sampling_error(const struct samples *s, const struct speeds *speeds)
{
	size_t most = 0, of = 0;
	struct share_range range;
	double share;

	for (size_t i = 0; i < s->trace->nthreads; i++) {
		size_t n =
		    changed_samples(&s->threads[i], speeds, speeds->first[i], speeds->first[i + 1]);

		if (n > most) {
			most = n;
			of = s->threads[i].list.n;
		}
	}
	if (!most)
		return (struct effect_range){1, 1};
	range = sample_share(most, of);
	share = (double)most / (double)of;
	return (struct effect_range){range.low / share, range.high / share};
}
