#include "analysis/headline/headline.h"
#include "analysis/graph/unknown.h"
#include "analysis/headline/causes.h"
#include "analysis/headline/path_use.h"
#include "analysis/headline/words.h"
#include "analysis/samples/moved_tasks.h"
#include "analysis/samples/spinning.h"
#include "analysis/why/finding.h"
#include "analysis/why/fixes.h"
#include "analysis/why/measures.h"
#include "analysis/why/openmp_teams.h"
#include "analysis/why/paging.h"
#include "analysis/why/switches.h"
#include "base/units.h"
#include "trace/address.h"
#include <stdlib.h>

/* A thread with this share of the critical path counts as having all of it. */
static const double one_thread = 0.9;
/* Above this share of waiting for a processor, nothing in the program limits the run. */
static const double most_ready = 0.5;
/* With this share of the processors the program's threads would be limited by their number. */
static const double all_processors = 0.9;
/* Mean numbers of threads or processors below it are not mentioned. */
static const double least_threads = 0.05;
/* A smaller part of the critical path is not what limits the run. */
static const double least_limit = 0.1;
/* Below this share no function stands for what computes: its file does. */
static const double least_function = 0.2;
/* With more of the time in which functions run, the kernel's work for their memory is named. */
static const double most_paging = 0.5;
/* With more of it, the kernel is named of what programs do not ask for. */
static const double most_kernel = 0.5;
/* Smaller shares would be printed as 0 %. */
static const double least_share = 0.01;
enum { NEXT_CAUSES = 2, NAMED_GROUPS = 3 };

struct headline_context {
	const struct why *why;
	const struct evidence *g;
	const struct search *search;
	const struct busy *busy;      /* NULL: the program does not need all processors */
	const struct rank_row *first; /* the subject of the first line; NULL: none */
	struct path_use path;
	struct unknown_part unknown; /* of the critical path in the part */
};

static double share_of(int64_t part, int64_t all)
{
	return all > 0 ? (double)part / (double)all : 0;
}

/* Sets when the links of a line matter. */
static void line_when(struct part_line *l, int64_t from, int64_t to)
{
	for (size_t i = 0; i < l->parts.n; i++)
		if (l->parts.at[i].kind != PART_PLAIN) {
			l->parts.at[i].from = from;
			l->parts.at[i].to = to;
		}
}

/* ---- what fixing it gains ---- */

static const char *gain_condition(const struct rank_row *row, bool removal)
{
	static const char *const fixed[NSUBJECTS] = {
	    [SUBJECT_FUNCTION] = "if twice as fast", [SUBJECT_INTERVAL] = "if half as long",
	    [SUBJECT_LOCK] = "if held half as long", [SUBJECT_SITE] = "if half as long",
	    [SUBJECT_THREAD] = "if twice as fast",
	};

	return removal ? "without it" : fixed[row->subject.kind];
}

static double path_share(const struct rank_row *row)
{
	return share_of(row->worth.path, row->known);
}

static double gain_share(const struct rank_row *row)
{
	return row->known > 0 ? fix_gain(row) / (double)row->known : 0;
}

/* Returns "19 % shorter (12 to 25 %)", or "no shorter"; to be freed. */
static char *gain_text(double gain, double low, double high)
{
	if (gain < fix_least_gain)
		return text_format("no shorter");
	return text_format("%.0f %% shorter (%.0f to %.0f %%)", 100 * gain, 100 * low, 100 * high);
}

/* Says "19 % shorter (12 to 25 %) without it", where glimpse whatif answers that. */
static void say_known_gain(struct part_line *l, const struct rank_row *row, bool removal,
			   const char *condition)
{
	struct rank_gain g = rank_gain_of(row, removal);
	char *gain = g.known ? gain_text(g.gain, g.low, g.high) : NULL;
	char *fix = rank_fix_text(row, removal);

	line_link(l, PART_WHAT_IF, fix, "%s %s", gain ? gain : "cannot tell",
		  gain ? condition : "what it gains")
	    ->option = "fix";
	free(fix);
	free(gain);
}

/* Nothing is said of what gains little, as far as it is known. */
static void say_gain(struct part_line *l, const struct rank_row *row)
{
	bool removal = fix_is_removal(row);
	double gain = removal ? share_of(row->removal, row->known) : gain_share(row);

	if (gain < fix_least_gain)
		return;
	line_say(l, "; ");
	say_known_gain(l, row, removal, gain_condition(row, removal));
}

static void say_more(struct part_line *l, const struct more_processors *m)
{
	char *cores = text_format("%u", m->n), *gain = gain_text(m->gain, m->low, m->high);

	line_link(l, PART_WHAT_IF, cores, "%s with %u processors", gain, m->n)->option = "cores";
	free(gain);
	free(cores);
}

/* ---- the first line: a row of the rank ---- */

static void say_lock(struct part_line *l, const struct headline_context *t,
		     const struct rank_row *row)
{
	int64_t site = lock_site(t->g, row->subject.key);

	line_say(l, "Held up by ");
	say_lock_name(l, t->g, &row->subject);
	if (site == NO_KEY)
		return;
	line_say(l, ", held in ");
	say_site(l, evidence_text(t->g, site));
}

/* Describes a wait that no thread ends: "Waits for a timer or a signal: sleep in main(), s.c:3". */
static void say_wait(struct part_line *l, const struct headline_context *t,
		     const struct span_class *c)
{
	const char *until = c->role->interval->until;

	line_say(l, "Waits for %s",
		 until                      ? until
		 : c->role->kind == KIND_IO ? "input and output"
					    : "a timer");
	/* its name alone says no more */
	if (until && c->role->start.code[0] < 0 && c->role->start.object < 0)
		return;
	line_say(l, ": ");
	say_class(l, t->g, c);
}

static void say_place(struct part_line *l, const struct headline_context *t,
		      const struct rank_row *row)
{
	const struct span_class *c = subject_class(t->g, &row->subject);

	if (c && (c->role->kind == KIND_IO ||
		  (c->role->kind == KIND_WAIT && c->role->interval->until))) {
		say_wait(l, t, c);
		return;
	}
	line_say(l, "Held up by ");
	if (row->subject.kind == SUBJECT_SITE) {
		line_say(l, "calls in ");
		say_site(l, row->subject.name);
	} else {
		line_say(l, "%s", row->subject.name);
	}
}

/*
 * Returns the wait of a lock's holders that limits the run instead of the lock: without the lock,
 * they would wait there for each other. NULL: the lock limits it.
 */
static const struct span_class *limiting_wait(const struct headline_context *t,
					      const struct rank_row *row)
{
	if (row->subject.kind != SUBJECT_LOCK || !row->removed || row->removal >= row->whatif)
		return NULL;
	return lock_held_wait(t->g, row->subject.key);
}

/* Says "Waits for another program: output in log(), log.c:33, under lock logger". */
static void say_held_wait(struct part_line *l, const struct headline_context *t,
			  const struct rank_row *row, const struct span_class *wait)
{
	say_wait(l, t, wait);
	line_say(l, ", under ");
	say_lock_name(l, t->g, &row->subject);
}

/* Says "; 9 % shorter (5 to 12 %) without the lock". */
static void say_without_lock(struct part_line *l, const struct rank_row *row)
{
	line_say(l, "; ");
	say_known_gain(l, row, true, "without the lock");
}

/* Whether one thread computes, or could with a processor, for nearly all of the critical path. */
static bool is_alone(const struct path_use *p)
{
	int64_t able = p->most[PATH_RUNS];

	if (p->thread[PATH_READY] == p->thread[PATH_RUNS])
		able += p->most[PATH_READY];
	return p->all > 0 && (double)able >= one_thread * (double)p->all;
}

/* Whether the functions of one file, of which each is little, are what computes. */
static bool is_module(const struct function_time *f)
{
	return f->module != NO_KEY && f->module_time > f->time &&
	       (double)f->time < least_function * (double)f->all;
}

/* Whether most of the time of the functions is the kernel's, for their memory. */
static bool is_paging(const struct function_time *f)
{
	return f->paging_key != NO_KEY && (double)f->paging > most_paging * (double)f->all;
}

/* Whether most of the time is the kernel's, and no function of a program asked for it. */
static bool is_kernel(const struct function_time *f)
{
	return f->kernel_key != NO_KEY && (double)f->kernel > most_kernel * (double)f->all;
}

/* Whether the function that say_most() names mostly waits by spinning. */
static bool is_spinning(const struct function_time *f)
{
	return f->key != NO_KEY && !is_paging(f) && !is_kernel(f) && !is_module(f) &&
	       mostly_spins((uint64_t)f->spinning, (uint64_t)f->time);
}

/* Returns the time that say_most() names. */
static int64_t most_time(const struct function_time *f)
{
	return is_paging(f)   ? f->paging
	       : is_kernel(f) ? f->kernel
	       : is_module(f) ? f->module_time
			      : f->time;
}

/*
 * Says "in compute()"; or "in cc1" of a program without one such function; or "in the kernel, for
 * page faults and memory mapping of scan()". Returns its time.
 */
static int64_t say_most(struct part_line *l, const struct evidence *g,
			const struct function_time *f)
{
	if (is_paging(f)) {
		line_say(l, "in the kernel, for page faults and memory mapping of ");
		say_function(l, evidence_text(g, f->paging_key));
	} else if (is_kernel(f)) {
		line_say(l, "in the kernel, for %s", evidence_text(g, f->kernel_key));
	} else if (!is_module(f)) {
		line_say(l, "in ");
		say_function(l, evidence_text(g, f->key));
	} else {
		line_say(l, "in %s", evidence_text(g, f->module));
	}
	return most_time(f);
}

/* Says " (3 samples)" if these are too few to name a function. */
static void say_few(struct part_line *l, const struct function_time *f)
{
	if (f->few && f->samples)
		line_say(l, " (only %zu sample%s)", f->samples, f->samples == 1 ? "" : "s");
	else if (f->few)
		line_say(l, " (without samples)");
}

/* Says ", 74 % of it in compute()". all: of which it is a part. */
static void say_most_of(struct part_line *l, const struct evidence *g,
			const struct function_time *f, double all)
{
	double share = all > 0 ? (double)most_time(f) / all : 0;

	say_few(l, f);
	if (f->key == NO_KEY || share < least_share || is_start(evidence_text(g, f->key)))
		return;
	line_say(l, ", %.0f %% of it %s", 100 * (share < 1 ? share : 1),
		 is_spinning(f) ? "possibly waiting by spinning " : "");
	say_most(l, g, f);
}

/*
 * Says "thread main" or "threads work" after some words: who runs a function on the path that no
 * others run there. function: NO_KEY: who computes at all. Returns whether that is one or a group.
 */
static bool say_who(struct part_line *l, const struct headline_context *t, int64_t function,
		    const char *before)
{
	int64_t group;
	uint32_t thread = path_thread_of(t->g, function, t->search->from, t->search->to, &group);

	if (thread != NO_THREAD) {
		line_say(l, "%sthread ", before);
		say_thread(l, t->g->trace, thread);
	} else if (group != NO_KEY) {
		line_say(l, "%sthreads ", before);
		line_link(l, PART_THREAD, evidence_text(t->g, group), "%s",
			  evidence_text(t->g, group));
	}
	return thread != NO_THREAD || group != NO_KEY;
}

/*
 * Whether the threads of a focus share out the work of one region. Threads that only begin with the
 * same function may have different work by intention.
 */
static bool is_team(const struct evidence *g, const struct focus *f)
{
	bool any = false;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		if (f->threads[t] && !openmp_team_has(g, t))
			return false;
		any |= f->threads[t];
	}
	return any;
}

/* Returns what a finding says of computing beyond that one thread computes; NULL: nothing. */
static const char *more_than_alone(const struct headline_context *t, const struct finding *f)
{
	const struct hypothesis *h = f->hypothesis;

	return h->about->state && h->nrefines && is_team(t->g, &f->focus) ? h->explanation : NULL;
}

/* Names what others wait for, if it has a name and not only a number, such as "lock 3". */
static void say_awaited(struct part_line *l, const struct evidence *g, const struct finding *f)
{
	const char *label = f->objects.n ? f->objects.at[0].name : " ";
	const char *object = lock_name_of(g->set->objects, label);

	if (f->hypothesis->about->state || strchr(object, ' '))
		return;
	line_say(l, "; others wait for ");
	line_link(l, PART_OBJECT, object, "%s", label);
}

static void say_computing(struct part_line *l, const struct headline_context *t,
			  const struct rank_row *row, const struct finding *finding)
{
	const char *uneven = more_than_alone(t, finding);
	bool waits = !finding->hypothesis->about->state; /* other threads wait for it */
	bool alone = is_alone(&t->path);
	struct function_time f = path_function(t->g, NO_THREAD, t->search->from, t->search->to);
	bool paging = is_paging(&f) && row->subject.kind == SUBJECT_FUNCTION &&
		      row->subject.key == f.paging_key;

	if (uneven)
		line_say(l, "%s, in ", uneven);
	else
		line_say(l, "%s by %s in ", alone && !waits ? "Limited only" : "Held up",
			 paging ? "the kernel's page faults and memory mapping" : "computing");
	if (row->subject.kind == SUBJECT_THREAD) {
		line_say(l, "thread ");
		say_keyed_thread(l, t->g, row->subject.key, row->subject.name);
		f = path_function(t->g, thread_keyed(t->g, row->subject.key), t->search->from,
				  t->search->to);
		say_most_of(l, t->g, &f, (double)f.all);
		say_awaited(l, t->g, finding);
		return;
	}
	if (f.few) {
		if (!say_who(l, t, NO_KEY, ""))
			line_say(l, "several threads");
		say_few(l, &f);
		return;
	}
	say_function(l, row->subject.name);
	say_who(l, t, row->subject.key, ", ");
	if (is_of_waits_moments(finding->hypothesis->about))
		say_awaited(l, t->g, finding);
}

/* If events were on for only part of the run, all shares are relative to that part. */
static void say_known(struct part_line *l, const struct headline_context *t,
		      const struct rank_row *row)
{
	char cell[UNITS_TEXT];

	if (row->known < t->why->rank->duration)
		line_say(l, ", relative to the %s in which its events were on",
			 units_time(cell, (double)row->known));
}

/* Whether others than the one thread of a finding run a function on the path. */
static bool is_others_too(const struct headline_context *t, const struct finding *f,
			  const struct rank_row *row)
{
	int64_t group;
	uint32_t thread;

	if (row->subject.kind != SUBJECT_FUNCTION || !f->hypothesis->about->state ||
	    f->threads.n != 1)
		return false;
	thread = path_thread_of(t->g, row->subject.key, t->search->from, t->search->to, &group);
	return thread == NO_THREAD || thread != thread_keyed(t->g, f->threads.at[0].key);
}

/* The row of what a finding says to fix: of its thread, if others run the same function. */
static const struct rank_row *row_of(const struct headline_context *t, const struct finding *f)
{
	const struct rank *rank = t->why->rank;

	if (!is_others_too(t, f, f->fix))
		return f->fix;
	for (size_t i = 0; i < rank->n; i++)
		if (rank->rows[i].subject.kind == SUBJECT_THREAD &&
		    rank->rows[i].subject.key == f->threads.at[0].key)
			return &rank->rows[i];
	return f->fix;
}

/*
 * Says of a thread that is one of many: "Held up by computing in 200 threads of brief: 64 % of the
 * critical path". Nobody replayed what all of them gain. Returns whether it is, and the finding is
 * not that it has more to do than the others.
 */
static bool say_group(struct part_line *l, const struct headline_context *t,
		      const struct rank_row *row, const struct finding *f)
{
	struct group_use use;
	const char *group;

	if (more_than_alone(t, f) ||
	    !is_one_of_many(t->g, row, t->search->from, t->search->to, &use))
		return false;
	group = evidence_text(t->g, use.group);
	line_say(l, "Held up by computing in %u threads of ", use.threads);
	line_link(l, PART_THREAD, group, "%s", group);
	line_say(l, ": %.0f %% of the critical path", 100 * share_of(use.time, row->known));
	return true;
}

static void row_line(struct part_line *l, struct headline_context *t, const struct finding *f)
{
	const struct rank_row *row = row_of(t, f);
	const struct span_class *wait = limiting_wait(t, row);
	double path = path_share(row);

	t->first = row;
	if (say_group(l, t, row, f)) {
		say_known(l, t, row);
		line_when(l, f->from, f->to);
		return;
	}
	if (wait)
		say_held_wait(l, t, row, wait);
	else if (row->subject.kind == SUBJECT_LOCK)
		say_lock(l, t, row);
	else if (row->subject.kind == SUBJECT_FUNCTION || row->subject.kind == SUBJECT_THREAD)
		say_computing(l, t, row, f);
	else
		say_place(l, t, row);
	if (path >= least_share)
		line_say(l, ": %.0f %% of the critical path", 100 * path);
	say_known(l, t, row);
	if (wait)
		say_without_lock(l, row);
	else
		say_gain(l, row);
	line_when(l, f->from, f->to);
}

/* ---- the first line: other findings ---- */

static void deadlock_line(struct part_line *l, const struct headline_context *t,
			  const struct finding *f)
{
	int64_t since = f->cost.ranges.n ? f->cost.ranges.at[0].from : f->from;
	char cell[UNITS_TEXT];

	line_say(l, "Deadlock since %s: ", units_time(cell, (double)since));
	for (size_t i = 0; i < f->threads.n; i++) {
		line_say(l, i == 0 ? "" : i + 1 == f->threads.n ? " and " : ", ");
		say_keyed_thread(l, t->g, f->threads.at[i].key, f->threads.at[i].name);
	}
	line_say(l, " wait for each other");
	line_when(l, since, f->to);
}

/* Says "Waits that never end: 3 threads of server, since 1.20 s". */
static void stuck_line(struct part_line *l, const struct headline_context *t,
		       const struct finding *f)
{
	int64_t since = f->cost.ranges.at[0].from;
	const struct trace *trace = t->g->trace;
	unsigned threads = 0, process = 0;
	char cell[UNITS_TEXT];

	for (uint32_t i = 0; i < trace->nthreads; i++)
		if (f->focus.threads[i] && stuck_thread_of(&t->g->stuck, i)) {
			threads++;
			process = trace->threads[i].directory;
		}
	line_say(l, "%s: %u thread%s of %s, since %s", f->hypothesis->explanation, threads,
		 threads == 1 ? "" : "s", trace->processes[process].program,
		 units_time(cell, (double)since));
	line_when(l, since, f->to);
}

static bool is_inversion(const struct finding *f)
{
	return f->hypothesis->about->function == TEST_INVERTED;
}

/* The processors of an inversion are busy, and yet the program waits. NULL: there is none. */
static const struct finding *inversion_of(const struct search *s)
{
	for (size_t i = 0; i < s->findings.n; i++)
		if (is_inversion(&s->findings.at[i]))
			return &s->findings.at[i];
	return NULL;
}

/* A finding without a row in the rank that fixes it: switches, faults, inversions. */
static void finding_line(struct part_line *l, const struct headline_context *t,
			 const struct finding *f)
{
	double cost = f->cost.time / (double)(f->focus.to - f->focus.from);
	bool paging = measure_subject(f->hypothesis->about) == OF_PAGING;
	const parts_named *code = paging ? &f->functions : &f->code;

	line_say(l, "%s", f->hypothesis->explanation);
	if (is_inversion(f) && !f->hypothesis->about->label && f->objects.n) {
		const struct part_named *lock = &f->objects.at[0];

		line_say(l, ", ");
		say_lock_name(l, t->g, &(struct subject){SUBJECT_LOCK, lock->key, lock->name});
	} else if (code->n) {
		line_say(l, ", in ");
		say_site(l, code->at[0].name);
	}
	if (measure_subject(f->hypothesis->about) == OF_SWITCHES)
		line_say(l, ": %.0f %% of their CPU time for switching",
			 100 * switching_part(t->g, &f->focus));
	else if (cost >= least_share)
		line_say(l, ": %.0f %% of the run", 100 * cost);
	line_when(l, f->from, f->to);
}

static void busy_line(struct part_line *l, const struct headline_context *t)
{
	const struct busy *b = t->busy;
	struct function_time f = most_run_function(t->g, t->search->from, t->search->to);
	char *used = text_format("%.2f of %u", b->used, b->processors);

	line_say(l, "All processors are busy: ");
	line_link(l, PART_PROCESSORS, "processors", "%s", used)->number = b->processors;
	if (b->used < all_processors * b->processors)
		line_say(l, " with this program");
	say_most_of(l, t->g, &f, b->used * (double)(t->search->to - t->search->from));
	if (t->why->more.replayed) {
		line_say(l, "; ");
		say_more(l, &t->why->more);
	}
	line_when(l, t->search->from, t->search->to);
	free(used);
}

/* ---- the first line: nothing was found ---- */

static double path_computes(struct part_line *l, const struct headline_context *t)
{
	const struct path_use *p = &t->path;
	bool alone = is_alone(p);
	uint32_t thread = p->thread[PATH_RUNS];
	struct function_time f =
	    path_function(t->g, alone ? thread : NO_THREAD, t->search->from, t->search->to);
	int64_t most = 0;

	line_say(l, is_spinning(&f) ? "Possibly waits by spinning" : "Limited only by computing");
	if (f.key != NO_KEY) {
		line_say(l, " ");
		most = say_most(l, t->g, &f);
	}
	if (alone) {
		line_say(l, f.key == NO_KEY ? " in thread " : ", thread ");
		say_thread(l, t->g->trace, thread);
	} else if (f.key == NO_KEY) {
		say_who(l, t, NO_KEY, " in ");
	}
	say_few(l, &f);
	return share_of(alone ? p->most[PATH_RUNS] : p->of[PATH_RUNS], p->all) *
	       (f.key != NO_KEY ? share_of(most, f.all) : 1);
}

static double path_waits(struct part_line *l, const struct headline_context *t, enum path_sort sort)
{
	const struct path_use *p = &t->path;
	struct function_time f = {.key = NO_KEY};

	if (sort == PATH_READY && p->thread[sort] != NO_THREAD)
		f = path_function(t->g, p->thread[sort], t->search->from, t->search->to);
	if (p->class[sort] != NO_CLASS) {
		say_wait(l, t, &t->g->set->classes.at[p->class[sort]]);
	} else if (is_spinning(&f)) {
		/* it is ready since it yields, or runs in vain */
		line_say(l, "Possibly waits by spinning in ");
		say_function(l, evidence_text(t->g, f.key));
		line_say(l, ", thread ");
		say_thread(l, t->g->trace, p->thread[sort]);
		return share_of(p->most[sort], p->all);
	} else if (p->thread[sort] != NO_THREAD) {
		line_say(l, sort == PATH_READY ? "Waits for a processor, thread "
					       : "Waits for an unknown reason, thread ");
		say_thread(l, t->g->trace, p->thread[sort]);
		return share_of(p->most[sort], p->all);
	} else {
		line_say(l, "No thread in the trace is active");
	}
	return share_of(p->of[sort], p->all);
}

/* What most of the path is, apart from waits for work. */
static enum path_sort most_of_path(const struct path_use *p)
{
	enum path_sort most = PATH_RUNS;

	for (enum path_sort s = PATH_RUNS; s < NPATH_SORTS; s++)
		if (s != PATH_IDLE && p->of[s] > p->of[most])
			most = s;
	return most;
}

/* What a server does in the time in which it does not wait for requests. */
static void say_rest(struct part_line *l, const struct headline_context *t, enum path_sort sort)
{
	const struct path_use *p = &t->path;
	struct function_time f;

	line_say(l, "; the other %.0f %%: ", 100 * share_of(p->all - p->of[PATH_IDLE], p->all));
	if (p->class[sort] != NO_CLASS) {
		say_class(l, t->g, &t->g->set->classes.at[p->class[sort]]);
	} else if (sort == PATH_RUNS) {
		f = path_function(t->g, NO_THREAD, t->search->from, t->search->to);
		line_say(l, is_spinning(&f) ? "possibly waiting by spinning" : "computing");
		if (f.key == NO_KEY)
			return;
		line_say(l, " in ");
		say_function(l, evidence_text(t->g, f.key));
	} else {
		line_say(l, sort == PATH_READY ? "waiting for a processor"
					       : "waiting for an unknown reason");
	}
}

/* A server that mostly waits for its clients: nothing in it limits the run. */
static void idle_line(struct part_line *l, const struct headline_context *t)
{
	const struct path_use *p = &t->path;
	enum path_sort rest = most_of_path(p);

	line_say(l, "Waits for requests: %.0f %% of the run",
		 100 * share_of(p->of[PATH_IDLE], p->all));
	if (share_of(p->all - p->of[PATH_IDLE], p->all) >= least_share && p->of[rest])
		say_rest(l, t, rest);
	line_when(l, t->search->from, t->search->to);
}

static void path_line(struct part_line *l, const struct headline_context *t)
{
	enum path_sort most = most_of_path(&t->path);
	double share;

	if (t->path.of[PATH_IDLE] > t->path.of[most]) {
		idle_line(l, t);
		return;
	}
	if (!t->path.of[most])
		return;
	share = most == PATH_RUNS ? path_computes(l, t) : path_waits(l, t, most);
	line_say(l, ": %.0f %% of the critical path", 100 * share);
	line_when(l, t->search->from, t->search->to);
}

/*
 * Whether nobody knows what limits the run: more is unknown than what the finding costs, or that
 * says only how many threads ran, which waits for an unknown reason may limit.
 */
static bool is_unknown(const struct headline_context *t, const struct finding *f)
{
	return unknown_decides(t->unknown.time, t->path.all) &&
	       (!f || (!f->fix &&
		       (f->cost.time < (double)t->unknown.time || f->hypothesis->about->state)));
}

static void unknown_line(struct part_line *l, const struct headline_context *t)
{
	line_say(
	    l,
	    "Cannot tell what limits the run: %.0f %% of the critical path is waiting without a "
	    "known cause",
	    100 * share_of(t->unknown.time, t->path.all));
	if (t->unknown.thread != NO_THREAD) {
		line_say(l, ", most of it in thread ");
		say_thread(l, t->g->trace, t->unknown.thread);
	}
	line_when(l, t->search->from, t->search->to);
}

/*
 * Whether all that is known of the run is what its threads do, and a run-time library moves tasks
 * between them: no task's waits are known.
 */
static bool is_moved(const struct headline_context *t, const struct finding *f)
{
	return t->g->mover && (!f || f->hypothesis->about->state ||
			       (f->fix && f->fix->subject.kind == SUBJECT_THREAD));
}

static void moved_line(struct part_line *l, const struct headline_context *t)
{
	const struct task_mover *m = t->g->mover;
	struct function_time f = most_run_function(t->g, t->search->from, t->search->to);
	int64_t most = most_time(&f);

	line_say(l, "Cannot tell what limits the run: %s moves its %ss between threads", m->name,
		 m->task);
	if (f.key != NO_KEY && share_of(most, f.all) >= least_share) {
		line_say(l, "; %.0f %% of their computing ", 100 * share_of(most, f.all));
		say_most(l, t->g, &f);
	}
	line_when(l, t->search->from, t->search->to);
}

/* Whether a row is what limits the run, and not a small part of it beside something greater. */
static bool is_limit(const struct rank_row *row)
{
	return path_share(row) >= least_limit || gain_share(row) >= least_limit;
}

/*
 * Whether more than computing limits a program that needs all processors: a lock, or switches from
 * thread to thread.
 */
static bool is_beside_computing(const struct headline_context *t, const struct finding *f)
{
	if (f && measure_subject(f->hypothesis->about) == OF_SWITCHES)
		return switching_part(t->g, &f->focus) >= least_limit;
	return f && f->fix && f->fix->subject.kind == SUBJECT_LOCK &&
	       gain_share(f->fix) >= least_limit;
}

static void first_line(struct part_line *l, struct headline_context *t)
{
	const struct finding *f = fix_first(t->search);
	bool states = instance_set_has_states(t->why->set);

	if (f && is_stuck(f))
		stuck_line(l, t, f);
	else if (f && is_hang(f))
		deadlock_line(l, t, f);
	else if (f && is_throttled(f))
		finding_line(l, t, f);
	else if (t->busy && inversion_of(t->search))
		finding_line(l, t, inversion_of(t->search));
	else if (t->busy && !is_beside_computing(t, f))
		busy_line(l, t);
	else if ((double)t->path.of[PATH_READY] >
		 most_ready * (double)(t->path.all + t->path.others))
		path_line(l, t);
	else if (states && is_moved(t, f))
		moved_line(l, t);
	else if (is_unknown(t, f))
		unknown_line(l, t);
	else if (f && f->fix && (!states || is_limit(f->fix)))
		row_line(l, t, f);
	else if (f && !f->fix)
		finding_line(l, t, f);
	else if (states)
		path_line(l, t);
}

/* ---- the second line ---- */

static void sentence_begin(struct part_line *l)
{
	if (l->parts.n)
		line_say(l, ". ");
}

static void say_used(struct part_line *l, const struct headline_context *t)
{
	unsigned n = t->g->idle->processors;
	double used = busy_threads(t->g, ACTIVITY_RUNNING, t->search->from, t->search->to);
	char *busy = text_format("%.2f of %u busy", used, n);

	line_say(l, "Processors: ");
	line_link(l, PART_PROCESSORS, "processors", "%s", busy)->number = n;
	free(busy);
}

/* Says "0.40 threads ready behind own threads, 0.70 behind other programs". */
static void say_ready(struct part_line *l, const struct headline_context *t)
{
	int64_t from = t->search->from, to = t->search->to;
	double ready = busy_threads(t->g, ACTIVITY_READY, from, to);
	double others = busy_behind_others(t->g, from, to), own = ready - others;

	if (ready < least_threads)
		return;
	line_say(l, "%s", l->parts.n ? "; " : "");
	if (others < 0 || (own < least_threads && others < least_threads))
		line_say(l, "%.2f threads ready without a processor", ready);
	else if (own < least_threads)
		line_say(l, "%.2f threads ready behind other programs", others);
	else if (others < least_threads)
		line_say(l, "%.2f threads ready behind own threads", own);
	else
		line_say(l, "%.2f threads ready behind own threads, %.2f behind other programs",
			 own, others);
}

/* If all processors are busy, the first line says how many are used. */
static void say_processors(struct part_line *l, const struct headline_context *t)
{
	int64_t from = t->search->from, to = t->search->to;
	double others = busy_others(t->g, from, to);

	if (!t->busy)
		say_used(l, t);
	if (others >= least_threads)
		line_say(l, l->parts.n ? ", other programs on %.2f" : "Other programs run on %.2f",
			 others);
	say_ready(l, t);
	if (t->busy || !t->why->more.replayed || t->why->more.gain < fix_least_gain)
		return;
	sentence_begin(l);
	say_more(l, &t->why->more);
}

static void say_groups(struct part_line *l, const struct busy *b)
{
	size_t n = b->groups.n < NAMED_GROUPS ? b->groups.n : NAMED_GROUPS;

	if (!n)
		return;
	sentence_begin(l);
	line_say(l, "CPU time by threads: ");
	for (size_t i = 0; i < n; i++) {
		line_say(l, i ? ", " : "");
		line_link(l, PART_THREAD, b->groups.at[i].name, "%s", b->groups.at[i].name);
		line_say(l, " %.0f %%", 100 * b->groups.at[i].share);
	}
}

/* Names a step of the plan. */
static void say_step(struct part_line *l, const struct headline_context *t,
		     const struct bottleneck *step)
{
	struct subject thread;

	if (step->kind == BOTTLENECK_PROCESSORS) {
		line_say(l, "processors");
		return;
	}
	if (step->kind == BOTTLENECK_THREAD) {
		thread = subject_named(t->g->trace, SUBJECT_THREAD, step->thread);
		say_subject(l, t->g, &thread);
		return;
	}
	say_subject(l, t->g, &step->subject);
}

static const char *step_condition(const struct bottleneck *step)
{
	static const char *const faster[] = {"if twice as fast", "if 4 times as fast",
					     "if 8 times as fast"};

	if (step->kind == BOTTLENECK_LOCK)
		return "without it";
	if (step->kind == BOTTLENECK_PROCESSORS)
		return "with unlimited ones";
	return faster[step->factor / 4];
}

/* Says what limits the run after the first fix. Returns whether fixing it gains something. */
static bool say_plan(struct part_line *l, const struct headline_context *t)
{
	const struct fix_plan *plan = &t->why->plan;
	const struct next_steps *then = &plan->then;

	if (!t->first || plan->first != t->first || !then->at[0].tried ||
	    next_gains_little(&then->at[0]))
		return false;
	sentence_begin(l);
	line_say(l, "Then: ");
	for (unsigned i = 0; i < then->n && i < NEXT_CAUSES && then->at[i].tried; i++) {
		line_say(l, i ? ", " : "");
		say_step(l, t, &then->at[i]);
		line_say(l, " %s: %.0f %% in all (%.0f to %.0f %%)", step_condition(&then->at[i]),
			 100 * fix_plan_gain(plan, then->at[i].duration),
			 100 * fix_plan_gain(plan, then->at[i].high),
			 100 * fix_plan_gain(plan, then->at[i].low));
	}
	return true;
}

/* Other rows beside the first, each alone, where their gains are known. */
static void say_next(struct part_line *l, const struct headline_context *t)
{
	const struct rank_row *next[NEXT_CAUSES];
	size_t n = 0;

	if (say_plan(l, t))
		return;
	if (t->why->rank)
		n = causes_next(t->g, t->why->rank, t->first, next, NEXT_CAUSES);
	for (size_t i = 0; i < n; i++) {
		bool removal = rank_is_removal(next[i]);
		struct rank_gain g = rank_gain_of(next[i], removal);

		if (!g.known || g.low <= 0)
			continue;
		sentence_begin(l);
		line_say(l, t->first ? "Or " : "");
		say_subject(l, t->g, &next[i]->subject);
		line_say(l, ": ");
		say_known_gain(l, next[i], removal, gain_condition(next[i], removal));
	}
}

/* What the recording cost, where a finding is about it. */
static void say_recording(struct part_line *l, const struct headline_context *t)
{
	const struct finding *most = NULL;

	for (size_t i = 0; i < t->search->findings.n; i++) {
		const struct finding *f = &t->search->findings.at[i];

		if (f->hypothesis->about->function == TEST_PROBE &&
		    (!most || f->cost.time > most->cost.time))
			most = f;
	}
	if (!most)
		return;
	sentence_begin(l);
	line_say(l, "Recording took %.0f %% of the run",
		 100 * most->cost.time / (double)(most->focus.to - most->focus.from));
}

static void second_line(struct part_line *l, const struct headline_context *t)
{
	if (instance_set_has_states(t->why->set))
		say_processors(l, t);
	if (t->busy)
		say_groups(l, t->busy);
	say_next(l, t);
	say_recording(l, t);
	line_when(l, t->search->from, t->search->to);
}

/* ---- servers ---- */

/* Returns the interval from the end of a wait to the start of the next one, or NULL. */
static const struct interval *between_waits(const struct spec *s, const struct interval *wait)
{
	bool forwards = wait->direction == FORWARDS;
	const struct event_type *begin = forwards ? wait->anchor.event : wait->partner.event;
	const struct event_type *end = forwards ? wait->partner.event : wait->anchor.event;

	for (unsigned i = 0; i < s->nintervals; i++) {
		const struct interval *v = s->intervals[i];

		if (v->direction == FORWARDS && v->anchor.event == end && v->partner.event == begin)
			return v;
	}
	return NULL;
}

/* The end of the run says little about a server that waits for its clients much of the time. */
static void server_find(struct headline *h, const struct headline_context *t)
{
	h->server = share_of(t->path.of[PATH_IDLE], t->path.all) >= least_limit;
	for (size_t i = 0; h->server && !h->served && i < t->g->set->classes.n; i++) {
		const struct interval *wait = t->g->set->classes.at[i].role->interval;

		if (wait->idle)
			h->served = between_waits(t->g->trace->spec, wait);
	}
}

/* ---- all ---- */

/*
 * Returns what keeps the processors busy, if it is the program: also if other programs take most of
 * them, but its threads could use them all.
 */
static const struct busy *own_busy(const struct why *w)
{
	const struct busy *b = w->busy;
	double ready;

	if (!b || b->others <= b->used)
		return b;
	ready = busy_threads(w->evidence, ACTIVITY_READY, w->search->from, w->search->to);
	return b->used + ready >= all_processors * b->processors ? b : NULL;
}

struct headline *headline_of(const struct why *w)
{
	struct headline_context t = {.why = w, .g = w->evidence, .search = w->search};
	struct headline *h = array_zero(1, sizeof *h);

	t.busy = own_busy(w);
	t.path = path_use_of(t.g, t.search->from, t.search->to);
	t.unknown = unknown_of_path(t.g->graph, t.g->path, t.search->from, t.search->to);
	first_line(&h->lines[0], &t);
	if (!h->lines[0].parts.n) {
		headline_free(h);
		return NULL;
	}
	second_line(&h->lines[1], &t);
	h->n = h->lines[1].parts.n ? 2 : 1;
	server_find(h, &t);
	return h;
}

/* The hypotheses of an opened trace were checked. */
struct headline *headline_of_trace(struct trace *t)
{
	struct why_options o = {.to = t->duration, .search = true, .rank = true};
	struct why *w = why_of(t, &o, &(struct diag){0});
	struct headline *h = w ? headline_of(w) : NULL;

	if (w)
		why_free(w);
	return h;
}

void headline_free(struct headline *h)
{
	for (unsigned i = 0; i < HEADLINE_LINES; i++)
		line_free(&h->lines[i]);
	free(h);
}
