/*
 * perf.data, and the text of `perf script` that is made of it: samples with their call stacks, what
 * the kernel's scheduler says (sched:*, PERF_RECORD_SWITCH, _FORK, _EXIT, _COMM), and other
 * tracepoints with their fields.
 */
#include "base/array.h"
#include "formats/import.h"
#include "formats/logs_stacks.h"
#include "formats/logs_switches.h"
#include "formats/perf_lines.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* A record of which lines may still come. */
struct perf_sample {
	bool open, profile; /* profile: it is one of running */
	char *counted;      /* the event of which it is a number of occurrences; NULL: of none */
	uint64_t occurrences;
	uint32_t tid;
	int64_t time, period;  /* period: of running, ns; 0: not known */
	VECTOR(char *) frames; /* from the innermost one on */
};

/* What an event counts; the greatest one is the profile, as it says best how long threads ran. */
enum event_counts {
	COUNTS_OCCURRENCES, /* such as page-faults: no time */
	COUNTS_CYCLES,      /* of running, whose frequency nobody says */
	COUNTS_TIME,        /* ns of running */
};

struct perf {
	struct import_input *in;
	struct logs *logs;
	struct stacks stacks;
	struct logs_switches switches;
	struct named_types types, counts; /* counts: of samples beside the profile */
	struct perf_sample sample;
	char *profile; /* the event whose samples are the profile; NULL: none was seen yet */
	enum event_counts profile_counts; /* what it counts */
	bool scheduled, traced;           /* some switches are known; by tracepoints */
	uint64_t samples, others;         /* of the profile, of other events */
	uint64_t unread, stackless, text; /* stackless: tracepoints with stacks */
};

/* ---- recognising ---- */

static bool is_data(const struct import_input *in)
{
	return in->nhead >= 8 &&
	       (memcmp(in->head, "PERFILE2", 8) == 0 || memcmp(in->head, "2ELIFREP", 8) == 0);
}

static bool perf_recognise(const struct import_input *in)
{
	char head[IMPORT_HEAD + 1], *line, *rest = head;
	struct perf_line l;

	if (in->directory)
		return false;
	if (is_data(in))
		return true;
	memcpy(head, in->head, sizeof head);
	while ((line = strsep(&rest, "\n")))
		if (*line && *line != '#')
			return perf_line_read(line, &l);
	return false;
}

/* A part of a perf.data, as it is in the file. */
struct perf_section {
	uint64_t offset, size;
};

static uint64_t later_end(uint64_t end, const struct perf_section *s)
{
	return s->offset < INT64_MAX && s->size < INT64_MAX && s->offset + s->size > end
		   ? s->offset + s->size
		   : end;
}

/*
 * Returns how many bytes, at least, a perf.data has less than it says: perf does not always
 * notice, and reads the rest. Behind the records are the sections of the features whose bits are
 * set.
 */
static uint64_t bytes_missing(const struct import_input *in)
{
	enum { DATA = 40, FEATURES = 72, WORDS = 4, HEAD = 104 };
	struct perf_section data, feature;
	uint64_t words[WORDS], at, end;
	FILE *file;

	/* of a machine of the other byte order perf has to tell */
	if (in->nhead < HEAD || memcmp(in->head, "PERFILE2", 8) != 0 || !in->size)
		return 0;
	memcpy(&data, in->head + DATA, sizeof data);
	memcpy(words, in->head + FEATURES, sizeof words);
	end = later_end(0, &data);
	at = end;
	for (int i = 0; i < WORDS; i++)
		end += (uint64_t)__builtin_popcountll(words[i]) * sizeof feature;
	file = fopen(in->path, "r");
	if (file && fseek(file, (long)at, SEEK_SET) == 0)
		for (uint64_t n = (end - at) / sizeof feature;
		     n && fread(&feature, sizeof feature, 1, file) == 1; n--)
			end = later_end(end, &feature);
	if (file)
		fclose(file);
	return end > in->size ? end - in->size : 0;
}

/* What is text is read as it is. */
static bool perf_command(struct import_input *in, const char **argv)
{
	static const char *const script[] = {"perf",
					     "script",
					     "--header",
					     "--ns",
					     "--no-inline",
					     "--show-task-events",
					     "--show-switch-events",
					     "--show-lost-events",
					     "-F",
					     "+pid",
					     "-i"};
	size_t n = sizeof script / sizeof *script;

	if (!is_data(in))
		return true;
	if (bytes_missing(in)) {
		diag_error(in->diag, DIAG_NOWHERE,
			   "%s: truncated: at least %" PRIu64 " bytes are missing at its end",
			   in->path, bytes_missing(in));
		return false;
	}
	memcpy(argv, script, sizeof script);
	argv[n] = in->path;
	argv[n + 1] = NULL;
	return true;
}

/* Returns a thread for its events. 0 is that of processors that are idle. */
static struct logs_thread *thread_of(struct perf *p, uint32_t tid)
{
	if (!tid)
		logs_process(p->logs, 0, "swapper");
	return switches_logs_thread(&p->switches, tid);
}

/* ---- samples ---- */

/* Logs a number of occurrences with their stack, which are no time. */
static bool counted_log(struct perf *p, const struct perf_sample *s, uint32_t stack)
{
	const char *function = s->frames.n ? s->frames.at[0] : "";
	struct logs_argument arguments[] = {
	    {"period", logs_natural(s->occurrences)},
	    {"function", logs_bytes(function, strlen(function))},
	    {"stack", logs_natural(stack)},
	};
	const struct named_type *type = named_type(&p->counts, SPAN_NONE, s->counted, arguments, 3);

	if (type)
		named_write(&p->counts, thread_of(p, s->tid), s->time, type, s->counted, arguments,
			    3);
	return type;
}

/* Logs the frames of a sample. Returns the number of its stack. */
static uint32_t stack_log(struct perf *p, const struct perf_sample *s)
{
	struct logs_thread *t = thread_of(p, s->tid);
	uint32_t stack = 0;

	if (!s->frames.n)
		return stacks_add(&p->stacks, t, s->time, stack, "[unknown]");
	for (size_t i = s->frames.n; i--;)
		stack = stacks_add(&p->stacks, t, s->time, stack, s->frames.at[i]);
	return stack;
}

static bool sample_end(struct perf *p)
{
	struct perf_sample *s = &p->sample;
	bool good = true;

	if (!s->open)
		return true;
	s->open = false;
	if (s->profile) {
		stacks_sample(&p->stacks, thread_of(p, s->tid), s->time, stack_log(p, s));
		stacks_ran(&p->stacks, thread_of(p, s->tid), s->time, s->period);
	} else if (s->counted) {
		good = counted_log(p, s, stack_log(p, s));
	} else {
		p->stackless += s->frames.n != 0;
	}
	for (size_t i = 0; i < s->frames.n; i++)
		free(s->frames.at[i]);
	s->frames.n = 0;
	free(s->counted);
	s->counted = NULL;
	return good;
}

static void sample_begin(struct perf *p, const struct perf_line *l, bool profile)
{
	p->sample.open = true;
	p->sample.profile = profile;
	p->sample.tid = l->tid;
	p->sample.time = l->time;
	p->sample.period = 0;
	if (p->profile_counts == COUNTS_TIME && l->period < INT64_MAX / 4)
		p->sample.period = (int64_t)l->period;
}

/* ---- which event is the profile ---- */

static enum event_counts counts_of(const char *event, size_t length)
{
	static const struct {
		const char *name;
		enum event_counts counts;
	} known[] = {
	    {"cpu-clock", COUNTS_TIME},    {"task-clock", COUNTS_TIME},   {"cycles", COUNTS_CYCLES},
	    {"cpu-cycles", COUNTS_CYCLES}, {"ref-cycles", COUNTS_CYCLES},
	};
	const char *unit = memchr(event, '/', length);
	size_t n;

	/* as in cpu_core/cycles/u */
	if (unit) {
		length -= (size_t)(unit + 1 - event);
		event = unit + 1;
	}
	for (n = 0; n < length && event[n] != ':' && event[n] != '/';)
		n++;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].name) == n && memcmp(event, known[i].name, n) == 0)
			return known[i].counts;
	return COUNTS_OCCURRENCES;
}

/* An event has samples: it is the profile if it says more of time than those before. */
static void event_seen(struct perf *p, const char *event, size_t length)
{
	enum event_counts counts = counts_of(event, length);

	if (p->profile && counts <= p->profile_counts)
		return;
	free(p->profile);
	p->profile = text_format("%.*s", (int)length, event);
	p->profile_counts = counts;
}

/* perf script's header lists the events before their samples; only a clock is sure of some. */
static void comment_take(struct perf *p, const char *line)
{
	static const char event[] = "# event : name = ";
	const char *name = line + sizeof event - 1;
	size_t length;

	if (strncmp(line, event, sizeof event - 1) != 0)
		return;
	length = strcspn(name, ",");
	if (counts_of(name, length) == COUNTS_TIME)
		event_seen(p, name, length);
}

/* A file of text can be read twice: the profile is chosen of all its events. */
static bool profile_choose(struct perf *p)
{
	struct perf_line l;
	char *line;
	bool bad;

	if (!import_can_rewind(p->in))
		return true;
	while (import_line(p->in, &line, &bad) >= 0)
		if (*line && !isspace((unsigned char)*line) && perf_line_read(line, &l) &&
		    strncmp(l.event, "PERF_RECORD_", 12) != 0 && !perf_is_tracepoint(&l))
			event_seen(p, l.event, l.nevent);
	return !bad && import_rewind(p->in);
}

/* ---- events ---- */

static bool event_log(struct perf *p, const struct perf_line *l,
		      const struct logs_argument *arguments, unsigned n)
{
	char *name = text_format("%.*s", (int)l->nevent, l->event);
	const struct named_type *type = named_type(&p->types, SPAN_NONE, name, arguments, n);

	if (type)
		named_write(&p->types, thread_of(p, l->tid), l->time, type, name, arguments, n);
	free(name);
	return type;
}

/* Samples of one event are the profile, if it counts time; those of others count occurrences. */
static void sample_take(struct perf *p, const struct perf_line *l)
{
	char *frame;
	bool profile, cut;

	if (!p->profile)
		event_seen(p, l->event, l->nevent);
	profile = strlen(p->profile) == l->nevent && memcmp(p->profile, l->event, l->nevent) == 0;
	p->samples += profile;
	p->others += !profile;
	profile &= p->profile_counts != COUNTS_OCCURRENCES;
	sample_begin(p, l, profile);
	frame = perf_frame_read(l->rest, &cut);
	if (frame)
		*vector_add(&p->sample.frames) = frame;
	if (profile)
		return;
	p->sample.counted = text_format("%.*s", (int)l->nevent, l->event);
	p->sample.occurrences = l->period;
}

/* ---- the scheduler ---- */

/* The fields of a tracepoint. */
struct fields {
	struct logs_argument at[ARGUMENTS_MOST];
	unsigned n;
};

static const struct logs_value *field(const struct fields *f, const char *name)
{
	for (unsigned i = 0; i < f->n; i++)
		if (strcmp(f->at[i].name, name) == 0)
			return &f->at[i].value;
	return NULL;
}

static uint32_t field_number(const struct fields *f, const char *name)
{
	const struct logs_value *v = field(f, name);

	return v && v->kind == LOGS_NATURAL && v->natural <= UINT32_MAX ? (uint32_t)v->natural : 0;
}

static const char *field_text(const struct fields *f, const char *name)
{
	const struct logs_value *v = field(f, name);

	return v && v->kind == LOGS_TEXT ? v->text.bytes : NULL;
}

static enum switch_why why_of(const char *state)
{
	/* R is the state of what could go on */
	return !state || *state == 'R' ? SWITCH_PREEMPTED
	       : strpbrk(state, "XxZ") ? SWITCH_EXITS
				       : SWITCH_BLOCKS;
}

static uint32_t processor_of(const struct perf_line *l)
{
	return l->has_processor ? l->processor : SWITCH_ANY_PROCESSOR;
}

static void switch_take(struct perf *p, const struct perf_line *l, const struct fields *f)
{
	uint32_t next = field_number(f, "next_pid");

	p->scheduled = p->traced = true;
	switches_thread(&p->switches, next, 0, field_text(f, "next_comm"));
	switches_switch(&p->switches, l->time, processor_of(l), field_number(f, "prev_pid"),
			why_of(field_text(f, "prev_state")), next);
}

static void wake_take(struct perf *p, const struct perf_line *l, const struct fields *f)
{
	p->scheduled = true;
	switches_wake(&p->switches, l->time, l->tid, field_number(f, "pid"));
}

static void fork_take(struct perf *p, const struct perf_line *l, const struct fields *f)
{
	p->scheduled = true;
	switches_fork(&p->switches, l->time, l->tid, field_number(f, "child_pid"));
}

static void exec_take(struct perf *p, const struct perf_line *l, const struct fields *f)
{
	const char *path = field_text(f, "filename"), *last = path ? strrchr(path, '/') : NULL;

	if (path)
		switches_exec(&p->switches, l->time, l->tid, last ? last + 1 : path);
}

static void exit_take(struct perf *p, const struct perf_line *l, const struct fields *f)
{
	switches_exit(&p->switches, l->time, field_number(f, "pid"));
}

/* A field of each tells that the text is as it is expected. */
static const struct {
	const char *name, *field;
	void (*take)(struct perf *p, const struct perf_line *l, const struct fields *f);
} scheduler[] = {
    {"sched:sched_switch", "next_pid", switch_take},
    {"sched:sched_waking", "pid", wake_take},
    {"sched:sched_wakeup", "pid", wake_take},
    {"sched:sched_wakeup_new", "pid", wake_take},
    {"sched:sched_process_fork", "child_pid", fork_take},
    {"sched:sched_process_exec", "filename", exec_take},
    {"sched:sched_process_exit", "pid", exit_take},
};

static bool scheduler_take(struct perf *p, const struct perf_line *l, const struct fields *f)
{
	for (size_t i = 0; i < sizeof scheduler / sizeof *scheduler; i++)
		if (strlen(scheduler[i].name) == l->nevent &&
		    memcmp(scheduler[i].name, l->event, l->nevent) == 0) {
			if (!field(f, scheduler[i].field))
				return false;
			scheduler[i].take(p, l, f);
			return true;
		}
	return false;
}

static bool tracepoint_take(struct perf *p, const struct perf_line *l)
{
	char *text = text_format("%s", l->rest);
	struct fields f = {.n = perf_fields_read(text, f.at, ARGUMENTS_MOST)};
	bool good = true;

	if (!f.n && *l->rest)
		f.at[f.n++] = (struct logs_argument){"text", logs_bytes(l->rest, strlen(l->rest))};
	if (!scheduler_take(p, l, &f))
		good = event_log(p, l, f.at, f.n);
	sample_begin(p, l, false);
	free(text);
	return good;
}

/* ---- records without samples ---- */

/* Reads (PID:TID) or PID/TID, and returns what follows, or NULL. */
static const char *two_read(const char *at, uint32_t *pid, uint32_t *tid)
{
	char *end;

	at += strcspn(at, "0123456789");
	*pid = (uint32_t)strtoul(at, &end, 10);
	if (end == at || (*end != ':' && *end != '/'))
		return NULL;
	at = end + 1;
	*tid = (uint32_t)strtoul(at, &end, 10);
	return end > at ? end : NULL;
}

/* "[ exec]: NAME:PID/TID". */
static bool comm_record(struct perf *p, const struct perf_line *l)
{
	bool exec = strncmp(l->rest, " exec", 5) == 0;
	const char *name = strstr(l->rest, ": "), *end = name ? strrchr(name, ':') : NULL;
	uint32_t pid, tid;
	char *text;

	if (!end || end == name || !two_read(end, &pid, &tid))
		return false;
	text = text_format("%.*s", (int)(end - name) - 2, name + 2);
	switches_thread(&p->switches, tid, pid, text);
	if (exec && p->scheduled)
		switches_exec(&p->switches, l->time, tid, text);
	free(text);
	return true;
}

/* "(PID:TID):(PARENT:THREAD)"; at the time 0 what was there before. */
static bool fork_record(struct perf *p, const struct perf_line *l)
{
	uint32_t pid, tid, parent, by;
	const char *at = two_read(l->rest, &pid, &tid);

	if (!at || !two_read(at, &parent, &by))
		return false;
	switches_thread(&p->switches, tid, pid, NULL);
	if (p->scheduled && l->time)
		switches_fork(&p->switches, l->time, by, tid);
	return true;
}

static bool exit_record(struct perf *p, const struct perf_line *l)
{
	uint32_t pid, tid;

	if (!two_read(l->rest, &pid, &tid))
		return false;
	if (p->scheduled)
		switches_exit(&p->switches, l->time, tid);
	return true;
}

/*
 * " IN", " OUT" or " OUT preempt", perhaps with the other thread. Tracepoints say more: with them,
 * these are nothing.
 */
static bool switch_record(struct perf *p, const struct perf_line *l)
{
	const char *at = l->rest + strspn(l->rest, " ");
	bool in = strncmp(at, "IN", 2) == 0;

	if (!in && strncmp(at, "OUT", 3) != 0)
		return false;
	if (p->traced)
		return true;
	p->scheduled = true;
	switches_switch(&p->switches, l->time, processor_of(l), in ? 0 : l->tid,
			strstr(at, "preempt") ? SWITCH_PREEMPTED : SWITCH_BLOCKS, in ? l->tid : 0);
	return true;
}

static bool lost_record(struct perf *p, const struct perf_line *l)
{
	const char *digits = l->rest + strcspn(l->rest, "0123456789");

	if (!*digits)
		return false;
	logs_lost(thread_of(p, l->tid), strtoull(digits, NULL, 10));
	return true;
}

static const struct {
	const char *name;
	bool (*take)(struct perf *p, const struct perf_line *l);
} records[] = {
    {"PERF_RECORD_COMM", comm_record},
    {"PERF_RECORD_EXIT", exit_record},
    {"PERF_RECORD_FORK", fork_record},
    {"PERF_RECORD_LOST", lost_record},
    {"PERF_RECORD_LOST_SAMPLES", lost_record},
    {"PERF_RECORD_SWITCH", switch_record},
    {"PERF_RECORD_SWITCH_CPU_WIDE", switch_record},
};

static bool record_take(struct perf *p, const struct perf_line *l)
{
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		if (strlen(records[i].name) == l->nevent &&
		    memcmp(records[i].name, l->event, l->nevent) == 0)
			return records[i].take(p, l) ||
			       import_fail(p->in, "%s is cut off", records[i].name);
	p->unread++;
	return true;
}

/* ---- lines ---- */

static void thread_name(struct perf *p, const struct perf_line *l)
{
	char *name;

	/* perf writes :TID where it knows no name */
	if (!l->ncomm || *l->comm == ':' || !l->time)
		return;
	name = text_format("%.*s", (int)l->ncomm, l->comm);
	switches_thread(&p->switches, l->tid, l->pid, name);
	free(name);
}

static bool head_take(struct perf *p, const struct perf_line *l)
{
	if (!sample_end(p))
		return false;
	thread_name(p, l);
	if (strncmp(l->event, "PERF_RECORD_", 12) == 0)
		return record_take(p, l);
	if (perf_is_tracepoint(l))
		return tracepoint_take(p, l);
	sample_take(p, l);
	return true;
}

/* A line of a call stack, or what other options of perf script print below one. */
static bool below_take(struct perf *p, const char *line)
{
	bool cut;
	char *frame = perf_frame_read(line, &cut);

	if (cut)
		return import_fail(p->in, "the frame of a call stack is cut off");
	if (frame)
		*vector_add(&p->sample.frames) = frame;
	else
		p->text++;
	return true;
}

static bool line_take(struct perf *p, const char *line)
{
	struct perf_line l;

	if (!*line)
		return sample_end(p);
	if (perf_line_read(line, &l))
		return head_take(p, &l);
	if (p->sample.open && isspace((unsigned char)*line))
		return below_take(p, line);
	if (*line != '#')
		return import_fail(
		    p->in,
		    "no line of perf script: it must have the fields comm, tid, time and event");
	comment_take(p, line);
	return true;
}

/* Says of which event the profile is, and what its samples weigh. */
static void profile_say(const struct perf *p, int64_t median)
{
	char *text;

	if (!p->profile)
		return;
	text = text_format(
	    "samples of events other than the profile's, %s, count occurrences, not time: glimpse "
	    "profile --event EVENT prints them",
	    p->profile);
	import_passed_over(p->in, p->others, text);
	free(text);
	text = text_format(
	    "samples of %s count no time, only occurrences: glimpse profile prints them",
	    p->profile);
	import_passed_over(p->in, p->profile_counts == COUNTS_OCCURRENCES ? p->samples : 0, text);
	free(text);
	text = text_format("samples of %s", p->profile);
	stacks_say(p->in, text, median, p->samples);
	free(text);
}

static bool perf_read(struct import_input *in, struct logs *l)
{
	struct perf p = {.in = in, .logs = l};
	char *line;
	bool bad = false, good = profile_choose(&p);

	stacks_begin(&p.stacks, l);
	switches_begin(&p.switches, l, 0);
	named_begin(&p.types, l);
	named_begin(&p.counts, l);
	p.counts.style = "counts \"period\", stack \"stack\"";
	while (good && import_line(in, &line, &bad) >= 0)
		good = line_take(&p, line);
	good = good && !bad;
	good = sample_end(&p) && good;
	if (good) {
		/* switches say it themselves */
		profile_say(&p, p.scheduled ? 0 : stacks_states(&p.stacks));
		import_passed_over(in, p.unread,
				   "records of kinds that are not read were left out");
		import_passed_over(in, p.stackless, "call stacks of tracepoints were left out");
		import_passed_over(in, p.text, "lines below records were left out");
		import_passed_over(
		    in, p.switches.unnumbered,
		    "trace without processors: those of threads are numbered as they are free");
	}
	switches_end(&p.switches);
	stacks_end(&p.stacks);
	named_end(&p.types, in, good);
	named_end(&p.counts, in, good);
	free(p.sample.frames.at);
	free(p.profile);
	return good;
}

const struct import_format import_perf = {
    .name = "perf",
    .summary = "perf.data, and the output of perf script",
    .recognise = perf_recognise,
    .command = perf_command,
    .read = perf_read,
};
