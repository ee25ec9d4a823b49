/*
 * Writes findings in words: the explanation, and the commands that show its numbers and its
 * picture.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_FINDING_TEXT_H
#define GLIMPSE_ANALYSIS_WHY_FINDING_TEXT_H

#include "analysis/rank/rank.h"
#include "analysis/why/search.h"

/*
 * What it is about, of what is named in it: "in the lock queue.lock". One line each, without the
 * first.
 */
struct said {
	VECTOR(char *) lines;    /* the first is the headline */
	VECTOR(char *) commands; /* that print the numbers of the lines, or the picture */
	char *fix;               /* "fix first"; NULL: nothing is known */
};

/* directory: what the commands name. */
struct said *finding_say(const char *directory, const struct search *s, const struct finding *f,
			 const struct rank *rank);
void said_free(struct said *s);

#endif
