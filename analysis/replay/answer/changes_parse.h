/* Parses the changes that a what-if asks for: the options of glimpse whatif, by name. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_ANSWER_CHANGES_PARSE_H
#define GLIMPSE_ANALYSIS_REPLAY_ANSWER_CHANGES_PARSE_H

#include "analysis/replay/changes/changes.h"
#include "base/array.h"
#include "grammar/diag.h"

/* A subject that becomes so many times as fast, or a lock that nobody acquires any more. */
struct subject_change {
	enum subject_kind kind;
	const char *name;
	double factor; /* INFINITY: it takes no time */
	bool none;
};

/* All zero at first. It keeps its texts, and the program frees none of them. */
struct change_set {
	bool exact; /* names are names, not patterns, and conditions belong to them */
	VECTOR(struct span_change) spans;
	VECTOR(struct lock_change) locks;
	VECTOR(struct slot_change) slots;
	VECTOR(struct crew_change) crews;
	VECTOR(struct loop_change) loops;
	VECTOR(struct subject_change) fixes; /* until changes_resolve() */
	struct changes others;               /* that need no vector */
};

/*
 * Adds what an option asks for: "lock", "WHAT=ORDER". An option without a value ignores the text.
 * Returns NULL, or what is wrong, which the caller frees; a wrong condition is also a report to
 * diag.
 */
char *changes_add(struct change_set *set, const char *option, const char *text, struct diag *diag);
/*
 * Finds what fixes the subjects of the set (subject_fix.h). The set has SPANS_NAMED. The subjects
 * are kept as long as the program.
 */
void changes_resolve(struct change_set *set, const struct model *m);
/* Returns all changes of the set, resolved, which must outlive them. */
struct changes changes_of(const struct change_set *set);

#endif
