/*
 * The first candidate for each of many questions at once, by several comparisons. What is done is
 * divided and conquered from end to end of plain lists, never by a jump, so that it costs little
 * more where the lists are longer than the processor's cache.
 *
 * A list has candidates and questions in descending order of a first comparison: a candidate before
 * the questions that it meets. Such a list is parted in two by the places of its candidates. While
 * one part is written, the greatest word in it so far says for each question whether a candidate
 * there meets the second comparison as well; if not, the question has no business there. What found
 * nothing in the part to the left goes on in the part to the right. That is n log n for two.
 *
 * Each further comparison halves the candidates by its ranks, over and over: a question that is not
 * above the cut has it met by the whole upper half, and looks there with one comparison less, then
 * in the lower half; one above the cut looks in the upper half only. That is a factor log n for
 * each.
 */
#ifndef GLIMPSE_TRACE_DIVIDE_H
#define GLIMPSE_TRACE_DIVIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_QUESTION UINT32_MAX

/* A candidate, or a question. */
struct op {
	uint32_t question; /* its number; NO_QUESTION in a candidate */
	uint32_t place;	   /* of the candidate; of the first one that may answer */
	uint32_t word;	   /* rank by the second comparison */
	uint32_t cut;	   /* and by the comparison that is cut by now */
};

struct divide {
	bool other;	/* the second comparison wants another rank, not at least the same */
	unsigned ncuts; /* comparisons beyond the second */
	const uint32_t *candidates; /* ranks by these, ncuts for each place */
	const uint32_t *questions;  /* and for each question */
	uint32_t *best; /* of each question: the place below which it is to be found, or was */
	/* Whether a candidate that meets the comparisons will do. */
	bool (*test)(const void *context, uint32_t question, uint32_t place);
	const void *context;

	uint32_t most;	/* the greatest rank by a cut */
	struct op *ops; /* the lists that are in work, one behind the other */
	size_t room;
	uint64_t visited;
};

/* Room for n ops of the list that is to be solved; the user fills it in. */
struct op *divide_begin(struct divide *d, size_t n);
/* Answers its questions. */
void divide_solve(struct divide *d, size_t n);
void divide_end(struct divide *d);

#endif
