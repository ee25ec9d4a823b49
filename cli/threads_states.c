#include "cli/threads_states.h"
#include "analysis/activity/span_text.h"
#include "analysis/states/thread_waits.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "cli/common/table.h"
#include "cli/common/text.h"
#include <inttypes.h>
#include <stdlib.h>

/* A thread in the window. */
struct shown_thread {
	const struct instance_set *set;
	const struct states *all;
	const struct thread_states *sums;
	uint32_t thread; /* index in the trace's threads */
	int64_t from, to;
	struct thread_waits waits;
};

/* Whether the trace says when the thread runs. */
static bool is_known(const struct shown_thread *s)
{
	return s->sums->known;
}

static const char *label_of(const struct shown_thread *s, uint32_t thread)
{
	return thread == NO_THREAD_KNOWN ? "" : s->set->trace->threads[thread].label;
}

static const char *or_none(const char *text)
{
	return *text ? text : "-";
}

static const char *wait_text(const struct shown_thread *s, const struct thread_wait *w)
{
	return span_class_text(s->set->trace, w->class);
}

/* Returns the innermost of a thread's calls and waits at a time; "" if it has none. */
static const char *place_at(const struct shown_thread *s, int64_t time)
{
	const struct instance_span *wait =
	    span_at(instance_spans(s->set, SPANS_WAIT, s->thread), time);
	const struct instance_span *call =
	    span_at(instance_spans(s->set, SPANS_CALL, s->thread), time);
	const struct sampled_calls *calls = instance_sampled(s->set, s->thread);
	const struct instance_span *in = wait;
	struct instance_span sampled;

	if (calls && sampled_call_at(calls, time, wait ? wait->start : time,
				     wait ? wait->end : time, &sampled))
		call = &sampled;
	if (!wait || (call && (call->start > wait->start ||
			       (call->start == wait->start && call->end < wait->end))))
		in = call;
	return in ? span_class_text(s->set->trace, &s->set->classes.at[in->class]) : "";
}

/* ---- text ---- */

static void states_text(FILE *out, const struct shown_thread *s)
{
	struct columns columns = {.count = 5, .left = 1, .last_left = true};
	int64_t sums[NSTATES] = {0};

	columns_add(&columns, (const char *[]){"state", "from", "for", "sum", "in"});
	for (size_t i = 0; i < s->waits.states.n; i++) {
		char from[UNITS_TEXT], length[UNITS_TEXT], sum[UNITS_TEXT];
		const struct thread_span *x = &s->waits.states.at[i];

		sums[x->state] += x->end - x->start;
		columns_add(&columns,
			    (const char *[]){
				thread_state_name(x->state), units_time(from, (double)x->start),
				units_time(length, (double)(x->end - x->start)),
				units_time(sum, (double)sums[x->state]), place_at(s, x->start)});
	}
	columns_print(&columns, out);
}

static void waits_text(FILE *out, const struct shown_thread *s)
{
	struct columns columns = {.count = 7, .left = 1, .last_left = true};

	if (!s->waits.waits.n)
		return;
	putc('\n', out);
	columns_add(&columns, (const char *[]){"waits for", "from", "for", "held by", "held for",
					       "ended by", "in"});
	for (size_t i = 0; i < s->waits.waits.n; i++) {
		char from[UNITS_TEXT], length[UNITS_TEXT], held[UNITS_TEXT];
		const struct thread_wait *w = &s->waits.waits.at[i];

		columns_add(
		    &columns,
		    (const char *[]){
			or_none(w->object),
			units_time(from, (double)w->start),
			units_time(length, (double)(w->end - w->start)),
			or_none(label_of(s, w->holder)),
			w->holder == NO_THREAD_KNOWN ? "-" : units_time(held, (double)w->held),
			or_none(label_of(s, w->ended_by)),
			wait_text(s, w),
		    });
	}
	columns_print(&columns, out);
}

static void total_row(struct columns *columns, const struct shown_thread *s,
		      const struct wait_total *t)
{
	char times[UNITS_TEXT], total[UNITS_TEXT], blocked[UNITS_TEXT], longest[UNITS_TEXT];

	columns_add(columns, (const char *[]){
				 t->role->interval->name,
				 or_none(t->object),
				 units_count(times, t->times),
				 units_time(total, (double)t->total),
				 is_known(s) ? units_time(blocked, (double)t->blocked) : "-",
				 units_time(longest, (double)t->longest),
				 or_none(label_of(s, t->holder)),
				 or_none(label_of(s, t->ended_by)),
			     });
}

static void totals_text(FILE *out, const struct shown_thread *s)
{
	struct columns columns = {.count = 8, .left = 2, .last_left = true};
	char blocked[UNITS_TEXT];

	putc('\n', out);
	columns_add(&columns, (const char *[]){"wait", "for", "times", "total", "blocked",
					       "longest", "held by", "ended by"});
	for (size_t i = 0; i < s->waits.totals.n; i++)
		total_row(&columns, s, &s->waits.totals.at[i]);
	if (s->waits.blocked_else)
		columns_add(&columns,
			    (const char *[]){"in no wait", "-", "-", "-",
					     units_time(blocked, (double)s->waits.blocked_else),
					     "-", "-", "-"});
	columns_print(&columns, out);
}

/* "parser-1 from 150 ms to 180 ms, 30.0 ms: running 12.0 ms, ready 3.00 ms, ..." */
static void sums_text(FILE *out, const struct shown_thread *s)
{
	char text[UNITS_TEXT], to[UNITS_TEXT], life[UNITS_TEXT];

	fprintf(out, "\n%s from %s to %s, %s: ", s->set->trace->threads[s->thread].label,
		units_time(text, (double)s->from), units_time(to, (double)s->to),
		units_time(life, (double)s->sums->life));
	for (enum thread_state k = STATE_RUNNING; k < NSTATES; k++)
		fprintf(out, "%s %s, ", thread_state_name(k),
			is_known(s) ? units_time(text, (double)s->sums->states[k].total) : "-");
	fprintf(out, "unexplained %s\n",
		is_known(s) ? units_time(text, (double)thread_unexplained(s->sums)) : "-");
}

/* The totals come last, where a terminal shows them. */
static void thread_text(FILE *out, const struct shown_thread *s, bool first)
{
	if (!first)
		putc('\n', out);
	fprintf(out, "%s\n\n", s->set->trace->threads[s->thread].label);
	states_text(out, s);
	waits_text(out, s);
	sums_text(out, s);
	if (s->waits.totals.n || s->waits.blocked_else)
		totals_text(out, s);
}

/* ---- csv ---- */

static void row_csv(FILE *out, const struct shown_thread *s, const char *row)
{
	fprintf(out, "%" PRIu32 ",%s", s->set->trace->threads[s->thread].number, row);
}

static void rest_csv(FILE *out, const char *const *texts, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		putc(',', out);
		csv_write_field(out, texts[i]);
	}
}

static void states_csv(FILE *out, const struct shown_thread *s)
{
	int64_t sums[NSTATES] = {0};

	for (size_t i = 0; i < s->waits.states.n; i++) {
		const struct thread_span *x = &s->waits.states.at[i];

		sums[x->state] += x->end - x->start;
		row_csv(out, s, thread_state_name(x->state));
		fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64, x->start, x->end - x->start,
			sums[x->state]);
		rest_csv(out, (const char *[]){place_at(s, x->start)}, 1);
		fputs(",,,,,,\n", out);
	}
}

static void waits_csv(FILE *out, const struct shown_thread *s)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->waits.waits.n; i++) {
		const struct thread_wait *w = &s->waits.waits.at[i];

		sum += w->end - w->start;
		row_csv(out, s, "wait");
		fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64, w->start, w->end - w->start, sum);
		rest_csv(out, (const char *[]){wait_text(s, w), w->object, label_of(s, w->holder)},
			 3);
		known_csv(out, w->holder != NO_THREAD_KNOWN, w->held);
		rest_csv(out, (const char *[]){label_of(s, w->ended_by)}, 1);
		known_csv(out, is_known(s), w->blocked);
		fputs(",\n", out);
	}
}

/* of: a state, or an interval of waits. */
static void total_csv(FILE *out, const struct shown_thread *s, const char *of, bool known,
		      int64_t total)
{
	row_csv(out, s, "total");
	putc(',', out);
	known_csv(out, known, total);
	putc(',', out);
	rest_csv(out, (const char *[]){of}, 1);
}

static void totals_csv(FILE *out, const struct shown_thread *s)
{
	for (enum thread_state k = STATE_RUNNING; k < NSTATES; k++) {
		total_csv(out, s, thread_state_name(k), is_known(s), s->sums->states[k].total);
		fputs(",,,,,", out);
		known_csv(out, is_known(s), (int64_t)s->sums->states[k].times);
		putc('\n', out);
	}
	total_csv(out, s, "unexplained", is_known(s), thread_unexplained(s->sums));
	fputs(",,,,,,\n", out);
	for (size_t i = 0; i < s->waits.totals.n; i++) {
		const struct wait_total *t = &s->waits.totals.at[i];

		total_csv(out, s, t->role->interval->name, true, t->total);
		rest_csv(out,
			 (const char *[]){t->object, label_of(s, t->holder), "",
					  label_of(s, t->ended_by)},
			 4);
		known_csv(out, is_known(s), t->blocked);
		known_csv(out, true, (int64_t)t->times);
		putc('\n', out);
	}
}

/* ---- json ---- */

static void thread_json(struct json *j, const char *name, const struct shown_thread *s,
			uint32_t thread)
{
	if (thread == NO_THREAD_KNOWN)
		json_null(j, name);
	else
		json_uint(j, name, s->set->trace->threads[thread].number);
}

static void states_json(struct json *j, const struct shown_thread *s)
{
	json_array(j, "states");
	for (size_t i = 0; i < s->waits.states.n; i++) {
		const struct thread_span *x = &s->waits.states.at[i];

		json_object(j, NULL);
		json_string(j, "state", thread_state_name(x->state));
		json_int(j, "start", x->start);
		json_int(j, "length", x->end - x->start);
		json_string(j, "in", place_at(s, x->start));
		json_close(j);
	}
	json_close(j);
}

static void waits_json(struct json *j, const struct shown_thread *s)
{
	json_array(j, "waits");
	for (size_t i = 0; i < s->waits.waits.n; i++) {
		const struct thread_wait *w = &s->waits.waits.at[i];

		json_object(j, NULL);
		json_string(j, "object", w->object);
		json_int(j, "start", w->start);
		json_int(j, "length", w->end - w->start);
		known_json(j, "blocked", is_known(s), w->blocked);
		thread_json(j, "holder", s, w->holder);
		known_json(j, "held", w->holder != NO_THREAD_KNOWN, w->held);
		thread_json(j, "ended_by", s, w->ended_by);
		json_string(j, "in", wait_text(s, w));
		json_close(j);
	}
	json_close(j);
}

static void totals_json(struct json *j, const struct shown_thread *s)
{
	json_array(j, "totals");
	for (size_t i = 0; i < s->waits.totals.n; i++) {
		const struct wait_total *t = &s->waits.totals.at[i];

		json_object(j, NULL);
		json_string(j, "wait", t->role->interval->name);
		json_string(j, "object", t->object);
		json_uint(j, "times", t->times);
		json_int(j, "total", t->total);
		known_json(j, "blocked", is_known(s), t->blocked);
		json_int(j, "longest", t->longest);
		thread_json(j, "holder", s, t->holder);
		thread_json(j, "ended_by", s, t->ended_by);
		json_close(j);
	}
	json_close(j);
}

static void shown_json(struct json *j, const struct shown_thread *s)
{
	json_object(j, NULL);
	json_uint(j, "thread", s->set->trace->threads[s->thread].number);
	json_string(j, "label", s->set->trace->threads[s->thread].label);
	json_int(j, "from", s->from);
	json_int(j, "to", s->to);
	json_int(j, "life", s->sums->life);
	for (enum thread_state k = STATE_RUNNING; k < NSTATES; k++)
		known_json(j, thread_state_name(k), is_known(s), s->sums->states[k].total);
	known_json(j, "unexplained", is_known(s), thread_unexplained(s->sums));
	known_json(j, "blocked_in_no_wait", is_known(s), s->waits.blocked_else);
	states_json(j, s);
	waits_json(j, s);
	totals_json(j, s);
	json_close(j);
}

/* ---- all ---- */

static void thread_print(struct command_request *r, struct json *j, const struct shown_thread *s,
			 bool first)
{
	if (r->format == FORMAT_JSON) {
		shown_json(j, s);
	} else if (r->format == FORMAT_CSV) {
		states_csv(r->out, s);
		waits_csv(r->out, s);
		totals_csv(r->out, s);
	} else {
		thread_text(r->out, s, first);
	}
}

void threads_states_print(struct command_request *r, struct trace *t, const struct states *states,
			  const bool *chosen, struct states_window window)
{
	struct instance_set *set =
	    instance_set_of(t, THREAD_WAITS_SPANS | 1u << SPANS_CALL, NULL, 0);
	struct wait_sources *sources = wait_sources_of(set, chosen);
	struct json j = json_begin(r->out, 2);
	bool first = true;

	if (r->format == FORMAT_CSV)
		fputs(
		    "thread,state,start,length,sum,in,object,holder,held,ended_by,blocked,times\n",
		    r->out);
	else if (r->format == FORMAT_JSON)
		json_array(&j, NULL);
	for (uint32_t i = 0; i < t->nthreads; i++) {
		struct shown_thread s = {
		    .set = set, .all = states, .sums = &states->threads[i], .thread = i};

		if (!chosen[i])
			continue;
		s.from = s.sums->created;
		s.to = s.sums->ended;
		if (s.from > window.to || s.to < window.from) {
			if (r->format == FORMAT_TEXT)
				fprintf(r->out, "%s did not live in the window\n",
					t->threads[i].label);
			continue;
		}
		states_window_cut(&window, &s.from, &s.to);
		thread_waits_find(&s.waits, sources, i, window);
		thread_print(r, &j, &s, first);
		thread_waits_free(&s.waits);
		first = false;
	}
	if (r->format == FORMAT_JSON)
		json_close(&j);
	wait_sources_free(sources);
	instance_set_free(set);
}
