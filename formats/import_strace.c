/*
 * The lines of strace -f with times (-t, -tt, -ttt or -r): each system call is an interval of its
 * name. Its length is that of -T; without it, only of calls that were unfinished when another
 * thread's line came. Calls of threads that end the futex waits of others are causes, as are ends
 * of threads and processes that others wait for.
 */
#include "base/array.h"
#include "base/hash.h"
#include "formats/import.h"
#include "formats/strace_calls.h"
#include "formats/strace_lines.h"
#include "formats/strace_processes.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#define DAY (INT64_C(86400) * 1000000000)

/* The events of one system call. */
struct call_type {
	char *name;
	const struct strace_call *call;
	const struct logs_event *begin, *end;
};

/* A call that has not returned yet. */
struct unfinished_call {
	char *name, *arguments; /* name: NULL: there is none */
	int64_t time;
	bool claimed; /* it makes a thread, which is known already */
};

struct strace_thread {
	struct logs_thread *thread;
	uint32_t pid, process; /* numbers, as strace prints them; process: of its first thread */
	char *program;
	struct unfinished_call pending;
	bool ended;
	int64_t end; /* when it called exit(), or was killed; 0: neither */
};

/* A call that woke waiting threads. */
struct futex_wake {
	uint32_t process;
	uint64_t address;
	int64_t time, left; /* left: how many threads it may still have woken */
	struct strace_thread *thread;
};

/* A call of a thread ends the wait of another one; a process ends, for which another one waits. */
enum cause { CAUSE_WAKES, CAUSE_ENDS, CAUSES };

struct cause_events {
	const struct logs_event *from, *to;
	uint64_t n;
};

enum { WAKES_KEPT = 256, CALL_MOST = 1 << 20 };

struct strace {
	struct import_input *in;
	struct logs *logs;
	VECTOR(struct call_type *) types;
	VECTOR(struct strace_thread *) threads;
	VECTOR(char *) paths;
	struct hash_table by_name, by_pid, by_descriptor;
	struct strace_processes processes; /* of threads that nobody is seen to make */
	bool guessed;                      /* the number of the first thread */
	const struct logs_event *signal, *end;
	struct cause_events causes[CAUSES];
	struct futex_wake wakes_kept[WAKES_KEPT];
	uint64_t nwakes;
	int64_t time, day;
	uint64_t other, lengthless, unended;
	char *cut; /* a call whose end may be on the next line */
};

/* ---- recognising ---- */

static bool strace_recognise(const struct import_input *in)
{
	char head[IMPORT_HEAD + 1], *line, *rest = head;
	struct strace_line l;

	if (in->directory || memchr(in->head, '\0', in->nhead))
		return false;
	memcpy(head, in->head, sizeof head);
	for (int i = 0; i < 8 && (line = strsep(&rest, "\n")); i++) {
		l = strace_line_read(line);
		if (l.kind == STRACE_CALL || l.kind == STRACE_UNFINISHED ||
		    l.kind == STRACE_RESUMED || l.kind == STRACE_SIGNAL)
			return true;
	}
	return false;
}

/* ---- texts ---- */

static bool is(struct strace_text text, const char *name)
{
	return strlen(name) == text.length && memcmp(name, text.at, text.length) == 0;
}

static char *copy(struct strace_text text)
{
	char *to = array_new(text.length + 1, 1);

	memcpy(to, text.at, text.length);
	to[text.length] = '\0';
	return to;
}

static int octal(const char **at)
{
	int byte = 0;

	for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
		byte = 8 * byte + *(*at)++ - '0';
	return byte;
}

/*
 * Returns the first quoted text of arguments, without its escapes; NULL: there is none. The caller
 * frees it.
 */
static char *quoted_of(const char *arguments)
{
	const char *at = strchr(arguments, '"'), *known;
	char *text, *to;

	if (!at)
		return NULL;
	text = to = array_new(strlen(at), 1);
	for (at++; *at && *at != '"';) {
		if (*at != '\\' || !at[1]) {
			*to++ = *at++;
		} else if (at[1] >= '0' && at[1] <= '7') {
			at++;
			*to++ = (char)octal(&at);
		} else {
			known = strchr("n\nt\tr\rv\vf\f", at[1]);
			*to++ = known ? known[1] : at[1];
			at += 2;
		}
	}
	*to = '\0';
	return text;
}

/*
 * Returns the path that -y prints of the descriptor at the beginning of a text; NULL: none. The
 * caller frees it.
 */
static char *annotation_of(const char *at)
{
	const char *end;

	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	if (*at != '<' || isspace((unsigned char)at[1]))
		return NULL;
	end = strace_skip(at);
	return end > at + 2 ? copy((struct strace_text){at + 1, (size_t)(end - at) - 2}) : NULL;
}

/*
 * Returns the n-th argument, counted from 0, where no argument before it has commas; NULL: there
 * are fewer.
 */
static const char *argument_of(const char *arguments, unsigned n)
{
	while (n--) {
		arguments = strchr(arguments, ',');
		if (!arguments)
			return NULL;
		arguments++;
	}
	return arguments;
}

/* ---- types of calls ---- */

static void interval_make(struct strace *s, const struct call_type *t)
{
	const char *begin = logs_event_name(t->begin), *end = logs_event_name(t->end),
		   *interval = logs_interval_name(s->logs, t->name), *until = t->call->until;

	logs_text(s->logs,
		  "interval %s [ b:%s -> e:%s ] nested\n"
		  "\t= rectangle (kind \"%s\"%s%s%s, label \"%s\")\n\tmetric result = e.result;\n",
		  interval, begin, end, t->call->kind, until ? ", until \"" : "",
		  until ? until : "", until ? "\"" : "", t->name);
}

static bool type_make(struct strace *s, struct call_type *t)
{
	static const struct logs_field begin_fields[] = {{"arguments", TYPE_STRING},
							 {"descriptor", TYPE_LONG},
							 {"path", TYPE_STRING}},
				       end_fields[] = {{"result", TYPE_LONG},
						       {"error", TYPE_STRING}};
	char *begin = text_format("%s begin", t->name), *end = text_format("%s end", t->name);

	t->begin = logs_event_make(s->logs, begin, begin_fields, 3, NULL);
	if (t->begin)
		t->end = logs_event_make(s->logs, end, end_fields, 2, NULL);
	free(begin);
	free(end);
	if (!t->end)
		return false;
	interval_make(s, t);
	return true;
}

/* Returns the type of a name, or NULL after a report. */
static const struct call_type *type_of(struct strace *s, const char *name)
{
	uint64_t hash = hash_text(name);
	struct hash_slot *slot = hash_table_slot(&s->by_name, hash_mix(hash), hash);
	struct call_type *t;

	if (slot->head != HASH_NOTHING)
		return s->types.at[slot->head];
	t = array_zero(1, sizeof *t);
	t->name = text_format("%s", name);
	t->call = strace_call_named(name);
	slot->head = (uint32_t)s->types.n;
	slot->tail = 0;
	*vector_add(&s->types) = t;
	return type_make(s, t) ? t : NULL;
}

/* ---- threads ---- */

static struct strace_thread *thread_known(const struct strace *s, uint32_t pid)
{
	const struct hash_slot *slot = hash_table_find(&s->by_pid, hash_mix(pid), pid);

	return slot ? s->threads.at[slot->head] : NULL;
}

static void thread_note(struct strace *s, uint32_t pid, size_t index)
{
	struct hash_slot *slot = hash_table_slot(&s->by_pid, hash_mix(pid), pid);

	slot->head = (uint32_t)index;
	slot->tail = 0;
}

/* Makes a thread. creator: NULL: not known; of_process: of that one's process. */
static struct strace_thread *thread_make(struct strace *s, uint32_t pid,
					 const struct strace_thread *creator, bool of_process)
{
	struct strace_thread *t = array_zero(1, sizeof *t);

	t->pid = pid;
	if (creator)
		t->process = of_process ? creator->process : pid;
	else
		t->process = strace_processes_find(&s->processes, pid);
	t->program = creator && creator->program ? text_format("%s", creator->program) : NULL;
	t->thread = logs_thread(logs_process(s->logs, t->process, t->program), pid);
	thread_note(s, pid, s->threads.n);
	*vector_add(&s->threads) = t;
	return t;
}

static bool makes_thread(const char *name)
{
	return strcmp(name, "clone") == 0 || strcmp(name, "clone3") == 0 ||
	       strcmp(name, "fork") == 0 || strcmp(name, "vfork") == 0;
}

/* Returns a thread that is about to make another one, which is not known yet; NULL: none. */
static struct strace_thread *creator_find(const struct strace *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct unfinished_call *p = &s->threads.at[i]->pending;

		if (p->name && !p->claimed && makes_thread(p->name))
			return s->threads.at[i];
	}
	return NULL;
}

/*
 * Returns the number of the first thread, where lines do not say it: what set_tid_address returns.
 */
static uint32_t first_number(const struct import_input *in)
{
	const char *at = strstr((const char *)in->head, "set_tid_address("), *result;

	result = at ? strstr(at, ") = ") : NULL;
	return result ? (uint32_t)strtoul(result + 4, NULL, 10) : 0;
}

/* Returns the thread of a line without a number: the one that is left, or the first one. */
static struct strace_thread *thread_unnamed(struct strace *s)
{
	struct strace_thread *alive = NULL;
	uint32_t number;

	for (size_t i = 0; i < s->threads.n; i++) {
		if (alive && !s->threads.at[i]->ended)
			return s->threads.at[0];
		if (!s->threads.at[i]->ended)
			alive = s->threads.at[i];
	}
	if (alive)
		return alive;
	number = first_number(s->in);
	s->guessed = !number;
	return thread_make(s, number ? number : 1, NULL, false);
}

static struct strace_thread *thread_of(struct strace *s, uint32_t pid)
{
	struct strace_thread *t = pid ? thread_known(s, pid) : thread_unnamed(s), *creator;

	if (t)
		return t;
	creator = creator_find(s);
	if (!creator && s->guessed) {
		s->guessed = false;
		thread_note(s, pid, 0);
		return s->threads.at[0];
	}
	if (creator)
		creator->pending.claimed = true;
	return thread_make(s, pid, creator,
			   creator && strstr(creator->pending.arguments, "CLONE_THREAD"));
}

/* ---- descriptors ---- */

static char **path_of(struct strace *s, uint32_t process, int64_t descriptor)
{
	struct hash_slot *slot =
	    hash_table_slot(&s->by_descriptor, hash_mix((uint64_t)descriptor), process);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)s->paths.n;
		slot->tail = 0;
		*vector_add(&s->paths) = NULL;
	}
	return &s->paths.at[slot->head];
}

static void path_set(struct strace *s, uint32_t process, int64_t descriptor, char *path)
{
	char **at = path_of(s, process, descriptor);

	free(*at);
	*at = path;
}

/* ---- causes ---- */

static const struct {
	const char *from, *to, *interval, *condition, *label;
} cause_names[CAUSES] = {
    {"wakes", "woken up", "Woken", " && f.process == t.process", "woken"},
    {"process ends", "process has ended", "Ended", "", "ended"},
};

static bool cause_make(struct strace *s, enum cause cause)
{
	static const struct logs_field number = {"number", TYPE_LONG};
	struct cause_events *c = &s->causes[cause];

	if (c->to)
		return true;
	c->from = logs_event_make(s->logs, cause_names[cause].from, &number, 1, NULL);
	c->to = logs_event_make(s->logs, cause_names[cause].to, &number, 1, NULL);
	if (!c->to)
		return false;
	logs_text(s->logs,
		  "interval %s [ f:%s -> t:%s ] where f.number == t.number%s\n"
		  "\t= line (kind \"cause\", label \"%s\");\n",
		  logs_interval_name(s->logs, cause_names[cause].interval),
		  logs_event_name(c->from), logs_event_name(c->to), cause_names[cause].condition,
		  cause_names[cause].label);
	return true;
}

static bool cause_log(struct strace *s, enum cause cause, struct logs_thread *from, int64_t earlier,
		      struct logs_thread *to, int64_t later)
{
	struct logs_value number;

	if (!cause_make(s, cause))
		return false;
	number = logs_natural(++s->causes[cause].n);
	logs_write(from, earlier, s->causes[cause].from, &number);
	logs_write(to, later, s->causes[cause].to, &number);
	return true;
}

/* A call as a whole. */
struct system_call {
	struct strace_thread *thread;
	const char *name, *arguments;
	int64_t begin, end;
	const struct strace_line *line; /* that says its result */
};

static struct futex_wake *wake_kept(struct strace *s, uint64_t i)
{
	return &s->wakes_kept[i % WAKES_KEPT];
}

/*
 * A call that begins may wake as many threads as it is told, and has when it returns as many as it
 * says.
 */
static void wake_begin(struct strace *s, struct strace_thread *t, const char *arguments,
		       int64_t time)
{
	const char *most = argument_of(arguments, 2);

	*wake_kept(s, s->nwakes++) = (struct futex_wake){
	    t->process, strtoull(arguments, NULL, 16), time, most ? strtoll(most, NULL, 10) : 0, t};
}

static void wake_end(struct strace *s, const struct system_call *c)
{
	const char *most = argument_of(c->arguments, 2);
	struct futex_wake *w;

	for (uint64_t i = s->nwakes; i-- && i + WAKES_KEPT >= s->nwakes;) {
		w = wake_kept(s, i);
		if (w->thread == c->thread && w->time == c->begin) {
			w->left -= (most ? strtoll(most, NULL, 10) : 0) - c->line->result;
			return;
		}
	}
}

/*
 * Logs what ended a futex wait, if it is known: a call of another thread, or the end of the one
 * waited for.
 */
static bool futex_cause(struct strace *s, const struct system_call *c)
{
	uint64_t address = strtoull(c->arguments, NULL, 16);
	const char *value = argument_of(c->arguments, 2);
	const struct strace_thread *other;

	for (uint64_t i = s->nwakes > WAKES_KEPT ? s->nwakes - WAKES_KEPT : 0; i < s->nwakes; i++) {
		struct futex_wake *w = wake_kept(s, i);

		if (w->process != c->thread->process || w->address != address || w->left <= 0 ||
		    w->time < c->begin || w->time >= c->end || w->thread == c->thread)
			continue;
		w->left--;
		return cause_log(s, CAUSE_WAKES, w->thread->thread, w->time, c->thread->thread,
				 c->end);
	}
	/* pthread_join() waits while the thread's number is there */
	other = value ? thread_known(s, (uint32_t)strtoul(value, NULL, 10)) : NULL;
	if (other && other->process == c->thread->process && other->end >= c->begin &&
	    other->end < c->end)
		return cause_log(s, CAUSE_WAKES, other->thread, other->end, c->thread->thread,
				 c->end);
	return true;
}

static bool child_cause(struct strace *s, const struct system_call *c)
{
	const struct strace_thread *child = thread_known(s, (uint32_t)c->line->result);

	if (!child || child->end < c->begin || child->end >= c->end)
		return true;
	return cause_log(s, CAUSE_ENDS, child->thread, child->end, c->thread->thread, c->end);
}

/* ---- calls ---- */

static bool futex_waits(const char *name, const char *arguments)
{
	return strcmp(name, "futex") == 0 &&
	       (strstr(arguments, "FUTEX_WAIT") || strstr(arguments, "FUTEX_LOCK_PI"));
}

static bool futex_wakes(const char *name, const char *arguments)
{
	return strcmp(name, "futex") == 0 && strstr(arguments, "FUTEX_WAKE");
}

static void program_set(struct strace_thread *t, const char *arguments)
{
	char *path = quoted_of(arguments), *last;

	if (!path)
		return;
	last = strrchr(path, '/');
	free(t->program);
	t->program = text_format("%s", last ? last + 1 : path);
	logs_process_name(logs_thread_process(t->thread), t->program);
	free(path);
}

/* What a call that has returned changes: threads, descriptors, who was woken. */
static bool call_effect(struct strace *s, const struct system_call *c,
			const struct strace_call *known)
{
	int64_t result = c->line->result;

	if (c->line->error.length || result < 0)
		return true;
	if (makes_thread(c->name) && result > 0 && result <= UINT32_MAX) {
		struct strace_thread *child = thread_known(s, (uint32_t)result);

		if (!child || child->ended)
			thread_make(s, (uint32_t)result, c->thread,
				    strstr(c->arguments, "CLONE_THREAD"));
	} else if (strcmp(c->name, "execve") == 0) {
		program_set(c->thread, c->arguments);
	} else if (known->names == CALL_OPENS) {
		path_set(s, c->thread->process, result, quoted_of(c->arguments));
	} else if (strcmp(c->name, "close") == 0) {
		path_set(s, c->thread->process, strtoll(c->arguments, NULL, 10), NULL);
	} else if (futex_wakes(c->name, c->arguments)) {
		wake_end(s, c);
	} else if (futex_waits(c->name, c->arguments)) {
		return futex_cause(s, c);
	} else if (result > 0 && strncmp(c->name, "wait", 4) == 0) {
		return child_cause(s, c);
	}
	return true;
}

static struct logs_value text_value(const char *text)
{
	return logs_bytes(text ? text : "", text ? strlen(text) : 0);
}

static void begin_log(struct strace *s, const struct system_call *c, const struct call_type *t)
{
	bool has = t->call->names == CALL_NAMES_FD && isdigit((unsigned char)*c->arguments);
	int64_t descriptor = has ? strtoll(c->arguments, NULL, 10) : -1;
	char *made = NULL;
	const char *path = NULL;

	if (has)
		path = made = annotation_of(c->arguments);
	else if (t->call->names == CALL_NAMES_PATH || t->call->names == CALL_OPENS)
		path = made = quoted_of(c->arguments);
	if (has && !path)
		path = *path_of(s, c->thread->process, descriptor);
	logs_write(c->thread->thread, c->begin, t->begin,
		   (struct logs_value[]){text_value(c->arguments), logs_integer(descriptor),
					 text_value(path)});
	free(made);
}

static void end_log(const struct system_call *c, const struct call_type *t, int64_t result,
		    struct strace_text error)
{
	logs_write(c->thread->thread, c->end, t->end,
		   (struct logs_value[]){logs_integer(result), logs_bytes(error.at, error.length)});
}

static const struct call_type *call_type(struct strace *s, const struct system_call *c)
{
	return type_of(s, futex_waits(c->name, c->arguments) ? "futex wait" : c->name);
}

static bool call_log(struct strace *s, const struct system_call *c)
{
	const struct call_type *t = call_type(s, c);

	if (!t)
		return false;
	begin_log(s, c, t);
	if (!call_effect(s, c, t->call))
		return false;
	end_log(c, t, c->line->result, c->line->error);
	return true;
}

/* ---- lines ---- */

static void pending_end(struct unfinished_call *p)
{
	free(p->name);
	free(p->arguments);
	*p = (struct unfinished_call){NULL, NULL, 0, false};
}

/*
 * Logs a call that did not return before its thread ended, or before the end of the file (end:
 * false).
 */
static bool pending_log(struct strace *s, struct strace_thread *t, bool end)
{
	struct system_call c = {.thread = t,
				.name = t->pending.name,
				.arguments = t->pending.arguments,
				.begin = t->pending.time,
				.end = s->time};
	const struct call_type *type;

	if (!c.name)
		return true;
	type = call_type(s, &c);
	if (type)
		begin_log(s, &c, type);
	if (type && end)
		end_log(&c, type, 0, (struct strace_text){"?", 1});
	s->unended += !end;
	pending_end(&t->pending);
	return type != NULL;
}

static bool call_line(struct strace *s, struct strace_thread *t, const struct strace_line *l)
{
	char *name = copy(l->name), *arguments = copy(l->arguments);
	struct system_call c = {t, name, arguments, s->time, s->time, l};
	bool good;

	if (l->length >= 0)
		c.end += l->length;
	else
		s->lengthless += !is(l->error, "?");
	if (futex_wakes(name, arguments))
		wake_begin(s, t, arguments, s->time);
	good = call_log(s, &c);
	free(name);
	free(arguments);
	return good;
}

static bool unfinished_line(struct strace *s, struct strace_thread *t, const struct strace_line *l)
{
	if (!pending_log(s, t, true))
		return false;
	t->pending = (struct unfinished_call){copy(l->name), copy(l->arguments), s->time, false};
	if (futex_wakes(t->pending.name, t->pending.arguments))
		wake_begin(s, t, t->pending.arguments, s->time);
	return true;
}

static bool resumed_line(struct strace *s, struct strace_thread *t, const struct strace_line *l)
{
	struct unfinished_call *p = &t->pending;
	struct system_call c = {.thread = t, .begin = p->time, .end = s->time, .line = l};
	char *arguments;
	bool good;

	/* it began before strace was attached */
	if (!p->name) {
		s->other++;
		return true;
	}
	if (!is(l->name, p->name))
		return import_fail(s->in, "a call of %.*s goes on that began as %s",
				   (int)l->name.length, l->name.at, p->name);
	arguments = text_format("%s%.*s", p->arguments, (int)l->arguments.length, l->arguments.at);
	c.name = p->name;
	c.arguments = arguments;
	if (l->length >= 0)
		c.end = c.begin + l->length;
	good = call_log(s, &c);
	free(arguments);
	pending_end(p);
	return good;
}

static bool signal_line(struct strace *s, const struct strace_thread *t,
			const struct strace_line *l)
{
	static const struct logs_field fields[] = {{"name", TYPE_STRING}, {"details", TYPE_STRING}};

	if (!s->signal)
		s->signal = logs_event_make(s->logs, "signal", fields, 2, NULL);
	if (s->signal)
		logs_write(t->thread, s->time, s->signal,
			   (struct logs_value[]){logs_bytes(l->name.at, l->name.length),
						 logs_bytes(l->arguments.at, l->arguments.length)});
	return s->signal;
}

static bool end_line(struct strace *s, struct strace_thread *t, const struct strace_line *l)
{
	static const struct logs_field how = {"how", TYPE_STRING};
	struct logs_value value = logs_bytes(l->arguments.at, l->arguments.length);

	if (!s->end)
		s->end = logs_event_make(s->logs, "ended", &how, 1, NULL);
	if (!s->end || !pending_log(s, t, true))
		return false;
	logs_write(t->thread, s->time, s->end, &value);
	t->ended = true;
	if (!t->end)
		t->end = s->time;
	return true;
}

/* Sets the time of a line. */
static void time_take(struct strace *s, const struct strace_line *l)
{
	if (l->clock == STRACE_RELATIVE) {
		s->time += l->time;
		return;
	}
	if (l->clock == STRACE_EPOCH && !s->time)
		logs_realtime(s->logs, l->time, l->time);
	if (l->clock == STRACE_OF_DAY && l->time + s->day < s->time - DAY / 2)
		s->day += DAY;
	s->time = l->time + s->day;
}

/* A process is called as its first thread; the path of its program says more, if it is known. */
static void comm_take(const struct strace_thread *t, const struct strace_line *l)
{
	char *name;

	if (!l->comm.length)
		return;
	name = copy(l->comm);
	logs_thread_name(t->thread, name);
	if (t->pid == t->process && !t->program)
		logs_process_name(logs_thread_process(t->thread), name);
	free(name);
}

static bool line_take(struct strace *s, const struct strace_line *l)
{
	struct strace_thread *t;

	time_take(s, l);
	t = thread_of(s, l->pid);
	comm_take(t, l);
	if (is(l->name, "exit") || is(l->name, "exit_group"))
		t->end = s->time;
	switch (l->kind) {
	case STRACE_CALL:
		return call_line(s, t, l);
	case STRACE_UNFINISHED:
		return unfinished_line(s, t, l);
	case STRACE_RESUMED:
		return resumed_line(s, t, l);
	case STRACE_SIGNAL:
		return signal_line(s, t, l);
	default:
		return end_line(s, t, l);
	}
}

static bool cut_fail(struct strace *s)
{
	return import_fail(s->in, "a call has no end before this line: %.60s", s->cut);
}

/* Takes a line, behind the beginning of a call that output of the program interrupted. */
static bool text_take(struct strace *s, const char *text)
{
	struct strace_line l = strace_line_read(text);
	char *joined = NULL;
	bool good = true;

	if (s->cut) {
		if (l.kind != STRACE_OTHER || strlen(s->cut) > CALL_MOST)
			return cut_fail(s);
		joined = text_format("%s\n%s", s->cut, text);
		free(s->cut);
		s->cut = NULL;
		l = strace_line_read(joined);
	}
	if (l.kind == STRACE_CUT)
		s->cut = text_format("%s", joined ? joined : text);
	else if (l.kind == STRACE_OTHER)
		s->other += *text && strncmp(text, "strace: Process ", 16) != 0;
	else
		good = line_take(s, &l);
	free(joined);
	return good;
}

static bool lines_read(struct strace *s)
{
	char *line;
	bool bad;

	while (import_line(s->in, &line, &bad) >= 0) {
		/* the table of -C */
		if (strncmp(line, "% time ", 7) == 0)
			break;
		if (!text_take(s, line))
			return false;
	}
	return !bad && (!s->cut || cut_fail(s));
}

static void strace_free(struct strace *s)
{
	for (size_t i = 0; i < s->threads.n; i++) {
		pending_end(&s->threads.at[i]->pending);
		free(s->threads.at[i]->program);
		free(s->threads.at[i]);
	}
	for (size_t i = 0; i < s->types.n; i++) {
		free(s->types.at[i]->name);
		free(s->types.at[i]);
	}
	for (size_t i = 0; i < s->paths.n; i++)
		free(s->paths.at[i]);
	free(s->threads.at);
	free(s->types.at);
	free(s->paths.at);
	free(s->cut);
	strace_processes_free(&s->processes);
	hash_table_free(&s->by_name);
	hash_table_free(&s->by_pid);
	hash_table_free(&s->by_descriptor);
}

/* Finds the processes of a file's threads, which can be read twice. */
static bool processes_find(struct strace *s)
{
	char *text;
	bool bad;

	if (!import_can_rewind(s->in))
		return true;
	while (import_line(s->in, &text, &bad) >= 0) {
		struct strace_line l = strace_line_read(text);

		strace_processes_take(&s->processes, &l);
	}
	return !bad && import_rewind(s->in);
}

static bool strace_read(struct import_input *in, struct logs *l)
{
	struct strace s = {.in = in, .logs = l};
	bool good = processes_find(&s) && lines_read(&s);

	for (size_t i = 0; i < s.threads.n && good; i++)
		good = pending_log(&s, s.threads.at[i], false);
	if (good) {
		import_passed_over(in, s.other, "lines are none of strace's calls");
		import_passed_over(in, s.lengthless, "calls have no length: record with strace -T");
		import_passed_over(in, s.unended, "calls have not returned at the end");
	}
	strace_free(&s);
	return good;
}

const struct import_format import_strace = {
    .name = "strace",
    .summary = "system calls: the output of strace -f -ttt -T",
    .recognise = strace_recognise,
    .read = strace_read,
};
