/*
 * Searches for what makes a program slow: which hypotheses hold (why), for which part of the
 * program (where), and when. Each test is kept in a history; what cannot be refined further is a
 * finding. doc/why.md describes the method.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_SEARCH_H
#define GLIMPSE_ANALYSIS_WHY_SEARCH_H

#include "analysis/why/axis_keys.h"
#include "analysis/why/comparisons.h"
#include "analysis/why/cost.h"
#include "analysis/why/phases.h"

enum search_verdict { IS_TRUE, IS_FALSE, IS_NOT_TESTED };

/* One test: a hypothesis, for a focus. Nodes refine the one before them. */
struct search_node {
	const struct hypothesis *hypothesis;
	size_t parent; /* in the nodes; NO_PARENT */
	unsigned depth;
	enum axis axis;    /* along which it is refined; NAXES: it is not */
	const char *where; /* the value on that axis; NULL: as the one before */
	size_t phase;      /* in the phases; NO_PHASE: all that is searched */
	enum search_verdict verdict;
	const char *reason;       /* why it was not tested; else NULL */
	comparison_list compared; /* what the verdict rests on; owned */
	double cost, share;       /* of what the hypothesis is about */
	size_t finding;           /* NO_PARENT: it is none */
};
#define NO_PARENT SIZE_MAX

/* The parts of a finding that stand for most of it, most first. */
struct part_named {
	int64_t key; /* the number of the name */
	const char *name;
	double share; /* of the finding */
};
typedef VECTOR(struct part_named) parts_named;

/* Waits for threads of a finding, for what one word names, at one call site. */
struct blocked {
	const char *word; /* "Condvar", "barrier", "join" */
	int64_t site;     /* NO_KEY */
	int64_t time;     /* ns, of all threads that wait */
	parts_named threads, objects;
};
typedef VECTOR(struct blocked) blocked_list;

struct rank_row;

/* The gain of the run without the kernel's work for memory: shares of it. */
struct paging_gain {
	bool known; /* it was replayed */
	double gain, low, high;
};

struct finding {
	const struct hypothesis *hypothesis;
	size_t node;
	size_t phase; /* that it was searched for in; NO_PHASE */
	struct focus focus;
	struct cost cost;
	double share; /* of the time of the threads in focus */
	double saved; /* ns: by how much the run is shorter; see zeroing */
	int64_t time; /* of the spans that it is about */
	uint64_t count;
	int64_t from, to; /* when: nearly all of its cost is there */
	parts_named threads, code, functions, objects, holders, holder_code;
	/* of the kernel's work for memory: where the program makes maps, or else gives them back */
	parts_named maps;
	bool maps_made;
	blocked_list blocks; /* who waits for the threads meanwhile; see blocks.h */
	/* what the holders did, or of computing those that do it; NULL: not known */
	char *meanwhile;
	struct paging_gain without_paging; /* of a finding about the kernel's work for memory */
	const struct rank_row *fix;  /* what to fix first (fixes.h); NULL: it is not known */
	VECTOR(const char *) joined; /* names of hypotheses that found the same */
};

struct search {
	const struct evidence *evidence;
	int64_t from, to;
	phase_list phases;
	VECTOR(struct search_node) history;
	VECTOR(struct finding) findings; /* what costs most first */
};

/*
 * Searches the run and then each of its phases with hypotheses, each after those that it refines.
 * Counts as many steps as the trace has events, of a task that has planned them.
 */
struct search *search_run(const struct evidence *g, const struct hypothesis *const *hypotheses,
			  unsigned n, int64_t from, int64_t to);
void search_free(struct search *s);

#endif
