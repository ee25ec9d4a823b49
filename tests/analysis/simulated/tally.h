/* How many of the random programs have a property, and which do not. */
#ifndef GLIMPSE_TESTS_SIMULATED_TALLY_H
#define GLIMPSE_TESTS_SIMULATED_TALLY_H

#include "base/array.h"
#include "tests/tap.h"
#include <stdio.h>
#include <stdlib.h>

struct tally {
	const char *name;
	unsigned floor; /* so many have it at least */
	unsigned holds, asked;
	VECTOR(unsigned) missed; /* seeds */
};

static inline void tally_count(struct tally *t, unsigned seed, bool holds)
{
	t->asked++;
	t->holds += holds;
	if (!holds)
		*vector_add(&t->missed) = seed;
}

/* Prints how many have the property: is it `least` or more of some? Frees what it has. */
static inline void tally_report(struct tally *t, unsigned least)
{
	char *name = text_format("%s: %u of %u, at least %u", t->name, t->holds, t->asked, least);

	ok(t->asked && t->holds >= least, name);
	if (t->missed.n)
		printf("# missed by the seeds");
	for (size_t i = 0; i < t->missed.n; i++)
		printf("%s%u", i ? ", " : " ", t->missed.at[i]);
	if (t->missed.n)
		printf("\n");
	free(t->missed.at);
	free(name);
}

#endif
