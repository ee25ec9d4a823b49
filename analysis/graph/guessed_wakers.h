/*
 * Guesses which thread ended a wait that no event explains: one that ran just then, as a wake-up is
 * done by a thread that runs. That alone says little, since some thread often runs. It says much if
 * it holds for nearly all such waits of a thread, and would be an odd chance if the waits ended for
 * other reasons:
 *
 *	waiter   |runs|_blocked________|runs|_blocked________|runs|
 *	other    __________________|runs|________________|runs|____
 *
 * If the others run for a part c of the time, they do so by chance at the ends of c * n of n waits.
 */
#ifndef GLIMPSE_ANALYSIS_GRAPH_GUESSED_WAKERS_H
#define GLIMPSE_ANALYSIS_GRAPH_GUESSED_WAKERS_H

#include <stdbool.h>
#include <stdint.h>

struct graph;

/*
 * Gives such waits their causes, and marks them as guessed. The graph has all other causes. Waits
 * of a thread that mostly end while others run all the time stay without one.
 */
void guessed_wakers_find(struct graph *g);

/* Waits whose wakers are guessed. */
struct guessed_waits {
	uint64_t n;
	int64_t time; /* ns, of all of them */
};
/* Returns whether they are more than 1 % of the run, and thus reported. */
bool guessed_waits_matter(const struct graph *g);
/* Returns a sentence on them, which the caller frees; NULL: they do not matter. */
char *guessed_waits_text(const struct graph *g);

#endif
