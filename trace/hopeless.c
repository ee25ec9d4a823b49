#include "trace/hopeless.h"
#include "trace/boxtree.h"
#include <string.h>

enum { STAIR_BITS = 10 };

struct stairs {
	unsigned shift;
	int32_t top[(1 << STAIR_BITS) + 1]; /* the last one: above all candidates */
};

static uint32_t stair_of(const struct stairs *s, int32_t word)
{
	uint32_t stair = ((uint32_t)word ^ 1u << 31) >> s->shift;

	return stair < 1 << STAIR_BITS ? stair : 1 << STAIR_BITS;
}

/* The greatest second word among the candidates whose first is on a stair, or above it. */
static void stairs_init(struct stairs *s, const int32_t *words, size_t n, unsigned stride)
{
	int32_t most = BOX_LEAST;

	for (size_t i = 0; i < n; i++)
		most = words[i * stride] > most ? words[i * stride] : most;
	s->shift = 0;
	while (((uint32_t)most ^ 1u << 31) >> s->shift >= 1 << STAIR_BITS)
		s->shift++;
	for (size_t i = 0; i <= 1 << STAIR_BITS; i++)
		s->top[i] = BOX_LEAST;
	for (size_t i = 0; i < n; i++, words += stride) {
		int32_t *top = &s->top[stair_of(s, words[0])];

		*top = words[1] > *top ? words[1] : *top;
	}
	for (size_t i = 1 << STAIR_BITS; i-- > 0;)
		s->top[i] = s->top[i + 1] > s->top[i] ? s->top[i + 1] : s->top[i];
}

void hopeless_forget(struct questions *q, struct shortened words, unsigned ncolumns)
{
	struct stairs stairs;
	size_t n = 0;

	stairs_init(&stairs, words.candidates, q->group->ncandidates, words.candidate_stride);
	for (size_t i = 0; i < q->n; i++) {
		const int32_t *wanted = words.questions + i * words.question_stride;

		if (wanted[1] > stairs.top[stair_of(&stairs, wanted[0])])
			continue;
		memmove(words.questions + n * words.question_stride, wanted,
			ncolumns * sizeof *wanted);
		questions_move(q, n++, i);
	}
	questions_skip(q, q->n - n, true);
}
