/*
 * Finds which threads wait for those of a finding meanwhile, where, and for what in the words of
 * the program's language: "indexer (Condvar filled at index_all (fetch.rs:38))".
 */
#ifndef GLIMPSE_ANALYSIS_WHY_BLOCKS_H
#define GLIMPSE_ANALYSIS_WHY_BLOCKS_H

#include "analysis/why/search.h"

/*
 * Returns the waits, by word and call site, that a thread of the finding ends which the finding is
 * about at that time. Those with most time come first. Nothing, if the finding is itself about
 * waits that threads end. places: that the finding selects.
 */
blocked_list blocks_of(const struct evidence *g, const struct finding *f, const bool *places);
void blocks_free(blocked_list *list);

/*
 * Returns the word for an object (its key) that has a name of its own and is no lock of the C
 * library's; NULL: the name says it, or it is not known.
 */
const char *object_word(const struct evidence *g, int64_t object);

#endif
