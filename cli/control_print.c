#include "cli/control_print.h"
#include "base/json.h"
#include "cli/table.h"
#include <string.h>

static const char *state_text(const struct control *c)
{
	static const char *const texts[] = {
	    [RUN_ENDED] = "ended", [RUN_DIED] = "not running", [RUN_ALIVE] = "running"};

	return texts[control_state(c)];
}

static const char *switch_text(const struct control *c, const struct control_event *e)
{
	return control_is_on(c, e->id) ? "on" : "off";
}

static void text_print(FILE *out, const struct control *c)
{
	static const char *const head[] = {"event", "specification", "switch"};
	struct columns columns = {.count = 3, .left = 3};

	fprintf(out, "%s: process %ld, %s\n", c->directory, (long)c->pid, state_text(c));
	if (!c->nevents)
		return;
	columns_add(&columns, head);
	for (unsigned i = 0; i < c->nevents; i++) {
		const struct control_event *e = &c->events[i];

		columns_add(&columns, (const char *const[]){e->name, e->spec, switch_text(c, e)});
	}
	columns_print(&columns, out);
}

/* Quotes only where RFC 4180 asks for them. */
static void field_print(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void csv_print(FILE *out, const struct control *c)
{
	for (unsigned i = 0; i < c->nevents; i++) {
		const struct control_event *e = &c->events[i];

		field_print(out, c->directory);
		fprintf(out, ",%ld,%s,%s,%s,%s\n", (long)c->pid, state_text(c), e->spec, e->name,
			switch_text(c, e));
	}
}

static void json_run(struct json *j, const struct control *c)
{
	json_object(j, NULL);
	json_string(j, "directory", c->directory);
	json_int(j, "process", c->pid);
	json_string(j, "state", state_text(c));
	json_array(j, "events");
	for (unsigned i = 0; i < c->nevents; i++) {
		json_object(j, NULL);
		json_string(j, "specification", c->events[i].spec);
		json_string(j, "event", c->events[i].name);
		json_bool(j, "on", control_is_on(c, c->events[i].id));
		json_close(j);
	}
	json_close(j);
	json_close(j);
}

static void json_print(FILE *out, const struct control *runs, unsigned n)
{
	struct json j = json_begin(out, 4);

	json_object(&j, NULL);
	json_array(&j, "runs");
	for (unsigned i = 0; i < n; i++)
		json_run(&j, &runs[i]);
	json_close(&j);
	json_close(&j);
}

void control_print(FILE *out, enum format format, const struct control *runs, unsigned n)
{
	if (format == FORMAT_JSON) {
		json_print(out, runs, n);
		return;
	}
	if (format == FORMAT_CSV)
		fputs("directory,process,state,specification,event,switch\n", out);
	for (unsigned i = 0; i < n; i++)
		if (format == FORMAT_CSV)
			csv_print(out, &runs[i]);
		else
			text_print(out, &runs[i]);
}
