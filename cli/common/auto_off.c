#include "cli/common/auto_off.h"
#include "base/units.h"
#include "cli/common/text.h"
#include "trace/address.h"
#include <inttypes.h>

static bool is_off(const struct trace *t, unsigned type)
{
	return t->spec->events[type]->off_attribute >= 0 && t->events_of_type[type];
}

uint64_t auto_off_count(const struct trace *t)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (is_off(t, i))
			count += t->events_of_type[i];
	return count;
}

static void off_print_type(FILE *out, struct trace *t, const struct event_type *type)
{
	const struct event_list *list = trace_events(t, type);
	char time[UNITS_TEXT];
	struct event e;

	for (size_t i = 0; i < event_list_size(list); i++) {
		event_list_get(list, i, &e);
		fprintf(out, "  %s  at %s  ", type->name, units_time(time, (double)e.time));
		attributes_print(out, t, &e);
		putc('\n', out);
	}
}

void auto_off_print(FILE *out, struct trace *t)
{
	if (!auto_off_count(t))
		return;
	fputs("\nswitched off by the program because it was logged too often\n", out);
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (is_off(t, i))
			off_print_type(out, t, t->spec->events[i]);
}

static void off_json_type(struct json *j, struct trace *t, const struct event_type *type)
{
	const struct event_list *list = trace_events(t, type);
	char text[ADDRESS_TEXT];
	struct event e;

	for (size_t i = 0; i < event_list_size(list); i++) {
		event_list_get(list, i, &e);
		json_object(j, NULL);
		json_string(j, "event", type->name);
		if (type_is_address(type->attributes[type->off_attribute].type))
			json_string(j, "what",
				    address_text(t, text, &e, (unsigned)type->off_attribute));
		json_int(j, "time", e.time);
		json_uint(j, "thread", e.thread);
		json_close(j);
	}
}

void auto_off_json(struct json *j, struct trace *t)
{
	if (!auto_off_count(t))
		return;
	json_array(j, "switched_off");
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (is_off(t, i))
			off_json_type(j, t, t->spec->events[i]);
	json_close(j);
}
