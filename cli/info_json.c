#include "base/json.h"
#include "cli/info.h"

static void processes_json(struct json *j, const struct trace *t)
{
	json_array(j, "processes");
	for (unsigned i = 0; i < t->nprocesses; i++) {
		const struct trace_process *p = &t->processes[i];

		json_object(j, NULL);
		json_string(j, "directory", p->path);
		json_string(j, "program", p->program[0] ? p->program : NULL);
		json_uint(j, "pid", p->pid);
		json_bool(j, "ended", p->ended);
		json_string(j, "clock", p->counter ? "counter" : "monotonic");
		json_real(j, "frequency", p->frequency);
		json_uint(j, "threads", p->nthreads);
		json_uint(j, "events", process_events(t, p));
		json_uint(j, "dropped", p->dropped);
		json_real(j, "event_cost", (double)p->event_cost / 1000);
		json_real(j, "overhead", process_overhead(t, p).share);
		json_close(j);
	}
	json_close(j);
}

static void threads_json(struct json *j, const struct trace *t)
{
	json_array(j, "threads");
	for (unsigned i = 0; i < t->nthreads; i++) {
		const struct trace_thread *thread = &t->threads[i];

		json_object(j, NULL);
		json_uint(j, "number", thread->number);
		json_string(j, "name", thread->name);
		json_string(j, "log", thread->path);
		json_uint(j, "pid", thread->process);
		json_uint(j, "tid", thread->tid);
		json_uint(j, "events", thread->events);
		json_uint(j, "bytes", thread->bytes);
		json_uint(j, "lost", thread->lost);
		json_uint(j, "skipped", thread->skipped);
		json_int(j, "first", thread->first);
		json_int(j, "last", thread->last);
		json_close(j);
	}
	json_close(j);
}

static void types_json(struct json *j, const struct trace *t)
{
	json_array(j, "event_types");
	for (unsigned i = 0; i < t->spec->nevents; i++) {
		json_object(j, NULL);
		json_string(j, "name", t->spec->events[i]->name);
		json_uint(j, "count", t->events_of_type[i]);
		json_close(j);
	}
	json_close(j);
}

void info_json(FILE *out, const struct trace *t)
{
	struct json j = json_begin(out, 2);

	json_object(&j, NULL);
	json_string(&j, "specification", t->spec->name);
	json_uint(&j, "events", t->events);
	json_int(&j, "duration", t->duration);
	json_int(&j, "origin", t->origin);
	if (t->origin_real)
		json_int(&j, "origin_real", t->origin_real);
	else
		json_null(&j, "origin_real");
	json_uint(&j, "lost", t->lost);
	processes_json(&j, t);
	threads_json(&j, t);
	types_json(&j, t);
	json_close(&j);
}
