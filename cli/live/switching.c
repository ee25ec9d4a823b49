#include "cli/live/switching.h"
#include "analysis/why/event_requests.h"
#include "base/monotonic.h"
#include "cli/live/switches.h"
#include "trace/open/subdirectories.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- before the program runs ---- */

static void spec_plan(struct live *l, const struct spec *s, char **off)
{
	bool *cheap = array_zero(s->nevents, sizeof *cheap);

	requests_cheap(s, cheap);
	for (unsigned i = 0; i < s->nevents; i++) {
		const char *name = s->events[i]->name;
		struct live_event *e = vector_add(&l->events);
		char *longer;

		*e = (struct live_event){
		    .name = text_format("%s", name), .cheap = cheap[i], .rate = -1};
		if (e->cheap)
			continue;
		longer = text_format("%s%s%s", *off, **off ? "," : "", name);
		free(*off);
		*off = longer;
	}
	free(cheap);
}

char *switching_plan(struct live *l, const char *const *probes, size_t n)
{
	const char *had = getenv("GLIMPSE_OFF");
	char *off = text_format("%s", had ? had : "");
	struct diag quiet = {.program = "glimpse why"};

	for (const struct probe_spec *p = probe_specs; p->name; p++) {
		bool used = false;
		struct spec *s;

		for (size_t i = 0; i < n; i++)
			used |= strcmp(probes[i], p->name) == 0;
		s = used ? spec_parse(p->name, p->text, &quiet) : NULL;
		if (s)
			spec_plan(l, s, &off);
		spec_free(s);
	}
	return off;
}

/* ---- while it runs ---- */

/* A process. Its specifications are read again until all of them must be there. */
struct switched_process {
	char *path;
	struct process_switches switches;
	bool open;
	unsigned reads;
};
enum { READS_MOST = 3 };

static VECTOR(struct switched_process) processes;

static void process_look(char *path)
{
	struct diag quiet = {.program = "glimpse why"};
	struct switched_process *r = NULL;

	for (size_t i = 0; i < processes.n && !r; i++)
		if (strcmp(processes.at[i].path, path) == 0)
			r = &processes.at[i];
	if (!r) {
		r = vector_add(&processes);
		r->path = text_format("%s", path);
	}
	if (r->open && r->reads < READS_MOST) {
		switches_close(&r->switches);
		r->open = false;
	}
	if (!r->open) {
		r->open = switches_open(&r->switches, r->path, true, &quiet);
		if (!r->open)
			switches_close(&r->switches);
		r->reads++;
	}
	free(path);
}

static void processes_find(const char *directory)
{
	struct subdirectories within = subdirectories_find(directory);
	char *process = subdirectory_path(directory, "process");

	if (access(process, F_OK) == 0)
		process_look(text_format("%s", directory));
	for (size_t k = 0; k < within.n; k++)
		if (strcmp(within.names[k], RECORDER_NAME))
			process_look(subdirectory_path(directory, within.names[k]));
	free(process);
	subdirectories_clear(&within);
}

static void process_switch(const struct live *l, const struct process_switches *c,
			   event_is_wanted *wanted)
{
	struct diag quiet = {.program = "glimpse why"};
	bool changed = false;

	for (unsigned k = 0; k < c->nevents; k++) {
		const struct switched_event *s = &c->events[k];
		const struct live_event *e = live_event_find(l, s->name);

		if (!e || e->cheap || s->patterns || switches_is_on(c, s->id) == wanted(e))
			continue;
		changed |= switches_set(c, s->id, wanted(e), &quiet);
	}
	for (unsigned k = 0; changed && k < c->nevents; k++)
		if (c->events[k].patterns)
			switches_ring(c, &c->events[k], &quiet);
}

void switching_time(struct live *l)
{
	int64_t now = monotonic_now();

	for (size_t i = 0; i < l->events.n; i++) {
		struct live_event *e = &l->events.at[i];

		if (e->on_at) {
			e->time += (double)(now - e->on_at);
			e->predicted_time += e->predicted * (double)(now - e->on_at);
			e->on_at = now;
		}
	}
}

static void times_note(struct live *l, event_is_wanted *wanted)
{
	int64_t now = monotonic_now();

	switching_time(l);
	for (size_t i = 0; i < l->events.n; i++) {
		struct live_event *e = &l->events.at[i];
		bool on = e->cheap || wanted(e);

		e->on_at = on ? now : 0;
		e->since = !on ? 0 : e->since ? e->since : now;
	}
}

bool switching_set(struct live *l, const char *directory, event_is_wanted *wanted)
{
	bool reached = false;

	processes_find(directory);
	for (size_t i = 0; i < processes.n; i++) {
		struct switched_process *r = &processes.at[i];

		if (!r->open || switches_state(&r->switches) != RUN_ALIVE)
			continue;
		reached = true;
		process_switch(l, &r->switches, wanted);
	}
	times_note(l, wanted);
	return reached;
}

void switching_end(void)
{
	for (size_t i = 0; i < processes.n; i++) {
		if (processes.at[i].open)
			switches_close(&processes.at[i].switches);
		free(processes.at[i].path);
	}
	free(processes.at);
}
