/*
 * Makes logs of another tool's trace: a log directory with processes, threads and events, and the
 * specification that they need. Events may come in any order of threads; the times of one thread
 * may step back, as readers sort them. Memory does not grow with the number of events.
 *
 *	struct logs *l = logs_begin(directory, "nginx", diag);
 *	struct logs_process *p = logs_process(l, 4711, "nginx");
 *	struct logs_thread *t = logs_thread(p, 4712);
 *	struct logs_field fields[] = {{"status", TYPE_LONG}};
 *	const struct logs_event *e = logs_event_make(l, "request", fields, 1, NULL);
 *	logs_write(t, time, e, (struct logs_value[]){logs_integer(200)});
 *	return logs_end(l);
 *
 * Values are converted to the types of attributes. What does not fit (a number out of range, a
 * string of more than 4095 bytes) is cut to what does, and counted; logs_end() warns of it.
 */
#ifndef GLIMPSE_FORMATS_LOGS_H
#define GLIMPSE_FORMATS_LOGS_H

#include "grammar/diag.h"
#include "spec/spec.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct logs;
struct logs_event; /* an event type */
struct logs_process;
struct logs_thread;

/*
 * Begins logs in a directory, which exists and is empty. name: of the specification that is made
 * for the events of logs_event_make(); it is made an identifier. Ends the program where memory runs
 * out.
 */
struct logs *logs_begin(const char *directory, const char *name, struct diag *diag);
/* Returns whether an event was logged: logs without any are of no use. */
bool logs_has_events(const struct logs *l);
/*
 * Writes all that is left and frees the logs, which have events. Returns false after a report to
 * diag if something could not be written; the directory is then of no use.
 */
bool logs_end(struct logs *l);
/* Frees the logs without finishing them. */
void logs_discard(struct logs *l);

/*
 * Says that a time of the events (ns) is that time of CLOCK_REALTIME (ns since 1970). Without it
 * the date is not known.
 */
void logs_realtime(struct logs *l, int64_t time, int64_t realtime);

/* ---- event types ---- */

/*
 * Adds a specification: one of ours, or the one that was exported with the trace. Reports to diag
 * and returns false if it is wrong. At most 8 are added.
 */
bool logs_spec(struct logs *l, const char *text);
/* Adds one of the specifications that the recorder logs by: "scheduler" or "samples"; once. */
void logs_spec_ready(struct logs *l, const char *name);
/* Returns the event of a name, of all specifications that were added; NULL: there is none. */
const struct logs_event *logs_event(const struct logs *l, const char *name);
/* Returns what a specification says of an event. */
const struct event_type *logs_event_type(const struct logs_event *e);

struct logs_field {
	const char *name;
	enum type type;
};

/*
 * Adds an event type to the specification that is made. Its name and its fields' names become
 * unique identifiers; the original names become labels. style: more of the style, such as "kind
 * \"sample\", stack \"stack\"", or NULL. Returns NULL after a report to diag if there are too many
 * types (2,000); use one with a string attribute for the name then.
 */
const struct logs_event *logs_event_make(struct logs *l, const char *name,
					 const struct logs_field *fields, unsigned nfields,
					 const char *style);
/* Returns the identifier that an event type has. */
const char *logs_event_name(const struct logs_event *e);
/*
 * Makes a name an identifier that no other event or interval has, for an interval of logs_text().
 */
const char *logs_interval_name(struct logs *l, const char *name);
/*
 * Adds text to the specification that is made, behind its events: intervals, assertions. For
 * example "interval Request [ b:Request_begin -> e:Request_end ] where b.id == e.id = rectangle
 * (kind \"work\");".
 */
__attribute__((format(printf, 2, 3))) void logs_text(struct logs *l, const char *format, ...);
/* Prints text with the quotes and escapes of a string of the language. The caller frees it. */
char *logs_quoted(const char *text, size_t length);

/* ---- threads ---- */

/*
 * Returns the process of a number, which is made at the first call. name: its program; NULL: not
 * known yet.
 */
struct logs_process *logs_process(struct logs *l, uint32_t pid, const char *name);
/* Returns the process of a name, whose number nobody knows; made at the first call. */
struct logs_process *logs_process_named(struct logs *l, const char *name);
void logs_process_name(struct logs_process *p, const char *name);
/* Gives a process its number, if that comes late; no other process has it. */
void logs_process_number(struct logs_process *p, uint32_t pid);
/*
 * Returns the thread of a process by the number that the system, or the format, gives it; made at
 * the first call. Threads are numbered in the order in which they are made.
 */
struct logs_thread *logs_thread(struct logs_process *p, uint64_t tid);
/* Returns the thread of a name, whose number nobody knows; made at the first call. */
struct logs_thread *logs_thread_named(struct logs_process *p, const char *name);
void logs_thread_name(struct logs_thread *t, const char *name);
/*
 * Gives a thread the number that it had where it was logged, N of log.N; another one if it is
 * taken.
 */
void logs_thread_number(struct logs_thread *t, uint32_t number);
struct logs_process *logs_thread_process(const struct logs_thread *t);

/*
 * The processes and threads of a trace that was exported, as they were recorded. Two processes may
 * have one pid (for example after executing a program), and two threads one number. directory: the
 * name of its log directory within that of the first one. If it is "", it is that one. later: the
 * name that the thread was given later; NULL: none. The thread is in the logs even if it has no
 * events.
 */
struct logs_process *logs_process_restore(struct logs *l, uint32_t pid, const char *name,
					  const char *directory);
struct logs_thread *logs_thread_restore(struct logs_process *p, uint64_t tid, uint32_t number,
					const char *name, const char *later);
/* Adds a file "modules", "objects" or "made" with a text: see doc/log-format.md. */
void logs_process_file(struct logs_process *p, const char *name, const char *text);

/*
 * Returns an address of a process's code that has that name, made at the first call: for attributes
 * of the types code and code32. Readers show the name.
 */
uint64_t logs_code(struct logs_process *p, const char *name);
/*
 * Gives what is at an address of a process, an object or code, a name from a time on, and before if
 * it has none yet: for attributes whose values are those of the trace. It holds until another name,
 * or the end of the object.
 */
void logs_address_name(struct logs_process *p, int64_t time, uint64_t address, const char *name);
/* Returns whether an address has had a name. */
bool logs_address_is_named(const struct logs_process *p, uint64_t address);

/* ---- events ---- */

enum logs_kind { LOGS_INTEGER, LOGS_NATURAL, LOGS_REAL, LOGS_TEXT };

struct logs_value {
	enum logs_kind kind;
	union {
		int64_t integer;
		uint64_t natural;
		double real;
		struct {
			const char *bytes;
			size_t length;
			bool cut; /* it is the beginning of a longer one */
		} text;
	};
};

static inline struct logs_value logs_integer(int64_t integer)
{
	return (struct logs_value){.kind = LOGS_INTEGER, .integer = integer};
}

static inline struct logs_value logs_natural(uint64_t natural)
{
	return (struct logs_value){.kind = LOGS_NATURAL, .natural = natural};
}

static inline struct logs_value logs_real(double real)
{
	return (struct logs_value){.kind = LOGS_REAL, .real = real};
}

static inline struct logs_value logs_bytes(const char *bytes, size_t length)
{
	return (struct logs_value){.kind = LOGS_TEXT, .text = {bytes, length, false}};
}

/*
 * Logs an event of a thread at a time (ns, of any origin, not negative), with a value for each
 * attribute in the order of the specification.
 */
void logs_write(struct logs_thread *t, int64_t time, const struct logs_event *e,
		const struct logs_value *values);
/* Says that so many events of a thread are missing there. */
void logs_lost(struct logs_thread *t, uint64_t events);

#endif
