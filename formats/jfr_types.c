#include "formats/jfr_types.h"
#include "base/array.h"
#include <stdlib.h>

enum { ENDS_MOST = 3 };

/* What is known of an event type. Fields are called as JFR calls them. */
struct jfr_known {
	const char *name, *kind;
	const char *label; /* NULL: JFR's */
	const char *until; /* what ends it where no thread does; NULL */
	/* what the object at the field `address` is to be called; NULL: there is none */
	const char *object;
	const char *class;     /* the field with its class */
	const char *culprit;   /* the field with the number of the thread that ends it; NULL */
	const char *timed_out; /* the field that says whether the time was up; NULL */
};

static const struct jfr_known known[] = {
    {.name = "jdk.FileForce", .kind = "io", .label = "sync", .until = "the device"},
    {.name = "jdk.FileRead", .kind = "io", .label = "read", .until = "the file"},
    {.name = "jdk.FileWrite", .kind = "io", .label = "write", .until = "the file"},
    {.name = "jdk.GCPhasePause", .kind = "phase", .label = "pause for garbage collection"},
    {.name = "jdk.GCPhasePauseLevel1", .kind = "phase"},
    {.name = "jdk.GCPhasePauseLevel2", .kind = "phase"},
    {.name = "jdk.GCPhasePauseLevel3", .kind = "phase"},
    {.name = "jdk.GCPhasePauseLevel4", .kind = "phase"},
    {.name = "jdk.GarbageCollection", .kind = "phase", .label = "garbage collection"},
    {.name = "jdk.JavaMonitorEnter",
     .kind = "wait",
     .label = "monitor",
     .object = "monitor",
     .class = "monitorClass",
     .culprit = "previousOwner_tid"},
    {.name = "jdk.JavaMonitorWait",
     .kind = "wait",
     .label = "condition",
     .object = "monitor",
     .class = "monitorClass",
     .culprit = "notifier_tid",
     .timed_out = "timedOut"},
    {.name = "jdk.SocketRead", .kind = "io", .label = "receive", .until = "the other end"},
    {.name = "jdk.SocketWrite", .kind = "io", .label = "send", .until = "the other end"},
    {.name = "jdk.ThreadPark",
     .kind = "wait",
     .label = "park",
     .object = "blocker",
     .class = "parkedClass"},
    {.name = "jdk.ThreadSleep", .kind = "wait", .label = "sleep", .until = "a timer"},
};

static const struct jfr_known *known_find(const char *name)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].name, name) == 0)
			return &known[i];
	return NULL;
}

static bool is_sample(const char *name)
{
	return strcmp(name, "jdk.ExecutionSample") == 0 ||
	       strcmp(name, "jdk.NativeMethodSample") == 0;
}

static enum type type_of(const char *name)
{
	static const enum type types[] = {TYPE_LONG, TYPE_ULONG, TYPE_DOUBLE, TYPE_ADDRESS};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(type_name(types[i]), name) == 0)
			return types[i];
	return TYPE_STRING;
}

/* Whether a field has that name (NULL: none has) and type. */
static bool field_is(const struct logs_field *field, const char *name, enum type type)
{
	return name && strcmp(field->name, name) == 0 && field->type == type;
}

/* Notes what a field is in a type that is known. */
static void field_look(struct jfr_type *t, struct logs_field *field, int index)
{
	const struct jfr_known *k = t->known;

	if (!k)
		return;
	if (k->object && field_is(field, "address", TYPE_ADDRESS)) {
		t->address = index;
		*field = (struct logs_field){k->object, TYPE_OBJECT};
	} else if (field_is(field, k->class, TYPE_STRING)) {
		t->class = index;
	} else if (field_is(field, k->timed_out, TYPE_LONG)) {
		t->timed_out = index;
	} else if (field_is(field, k->culprit, TYPE_ULONG)) {
		t->culprit = index;
	}
}

/* Reads the fields behind those of our own; returns how many all are. */
static unsigned fields_read(struct jfr_type *t, const struct json_value *v,
			    struct logs_field *fields, unsigned n)
{
	for (v = v ? v->first : NULL; v && v->next && n < JFR_FIELDS; v = v->next->next) {
		fields[n] =
		    (struct logs_field){json_text_of(v, ""), type_of(json_text_of(v->next, ""))};
		field_look(t, &fields[n], (int)t->nfields);
		t->types[t->nfields++] = fields[n++].type;
	}
	return n;
}

/* Returns the styles of an event, or NULL. The caller frees them. */
static char *style_of(const struct jfr_type *t, bool lasts)
{
	const char *kind = is_sample(t->name) ? "kind \"sample\""
			   : t->coded         ? "kind \"wait\""
					      : NULL;

	if (!lasts && !t->stacks)
		return NULL;
	return text_format("%s%s%s%s%s", lasts ? "internal \"span\"" : "",
			   lasts && t->stacks ? ", " : "", t->stacks ? "stack \"stack\"" : "",
			   t->stacks && kind ? ", " : "", t->stacks && kind ? kind : "");
}

static void interval_make(struct logs *l, const struct jfr_type *t, const char *label)
{
	const struct jfr_known *k = t->known;
	const char *kind = k ? k->kind : t->threads ? "work" : NULL;
	char *quoted;

	if (k && k->label)
		label = k->label;
	quoted = logs_quoted(label, strlen(label));
	logs_text(
	    l,
	    "interval %s [ b:%s -> e:%s ] nested where b.thread == e.thread && b.span == e.span\n"
	    "\t= rectangle (label %s",
	    logs_interval_name(l, t->name), logs_event_name(t->event), logs_event_name(t->end),
	    quoted);
	if (kind)
		logs_text(l, ", kind \"%s\"", kind);
	if (k && k->until)
		logs_text(l, ", until \"%s\"", k->until);
	logs_text(l, ");\n");
	free(quoted);
}

static const struct logs_event *end_make(struct logs *l, const struct jfr_type *t)
{
	struct logs_field fields[ENDS_MOST] = {{"span", TYPE_ULONG}};
	char *end = text_format("%s end", t->name);
	const struct logs_event *e;
	unsigned n = 1;

	if (t->culprit >= 0)
		fields[n++] = (struct logs_field){"ender", TYPE_ULONG};
	if (t->timed_out >= 0)
		fields[n++] = (struct logs_field){"errno", TYPE_LONG};
	e = logs_event_make(l, end, fields, n,
			    t->timed_out >= 0 ? "internal \"span\", errno \"errno\""
					      : "internal \"span\"");
	free(end);
	return e;
}

bool jfr_culprit_make(struct logs *l, struct jfr_type *t)
{
	static const struct logs_field span = {"span", TYPE_ULONG};
	char *event = text_format("%s ended", t->name), *name = text_format("%s cause", t->name);

	t->culprit_event = logs_event_make(l, event, &span, 1, "internal \"span\"");
	if (t->culprit_event)
		logs_text(l,
			  "interval %s [ e:%s <- r:%s ] where e.ender != 0 && e.span == r.span\n"
			  "\t= line (kind \"cause\", label \"%s\");\n",
			  logs_interval_name(l, name), logs_event_name(t->end),
			  logs_event_name(t->culprit_event), t->known->label);
	free(event);
	free(name);
	return t->culprit_event != NULL;
}

static bool event_make(struct logs *l, struct jfr_type *t, bool lasts,
		       const struct logs_field *fields, unsigned nfields)
{
	char *style = style_of(t, lasts),
	     *begin = lasts ? text_format("%s begin", t->name) : text_format("%s", t->name);

	t->event = logs_event_make(l, begin, fields, nfields, style);
	if (t->event && lasts)
		t->end = end_make(l, t);
	free(style);
	free(begin);
	return t->event && (t->end || !lasts);
}

bool jfr_type_make(struct logs *l, const struct json_value *v, struct jfr_type *t)
{
	const char *name = json_text_of(json_member(v, "name"), "event");
	bool lasts = json_integer_of(json_member(v, "lasts"), 0);
	struct logs_field fields[JFR_FIELDS];
	unsigned n = 0;

	*t = (struct jfr_type){.name = text_format("%s", name),
			       .known = lasts ? known_find(name) : NULL,
			       .address = -1,
			       .class = -1,
			       .culprit = -1,
			       .timed_out = -1,
			       .threads = json_integer_of(json_member(v, "threads"), 0),
			       .stacks = json_integer_of(json_member(v, "stacks"), 0)};
	t->coded = t->stacks && t->known && strcmp(t->known->kind, "phase") != 0;
	if (lasts)
		fields[n++] = (struct logs_field){"span", TYPE_ULONG};
	if (t->stacks)
		fields[n++] = (struct logs_field){"stack", TYPE_UINT};
	if (t->coded)
		fields[n++] = (struct logs_field){"method", TYPE_CODE};
	n = fields_read(t, json_member(v, "fields"), fields, n);
	if (!event_make(l, t, lasts, fields, n))
		return false;
	if (lasts)
		interval_make(l, t, json_text_of(json_member(v, "label"), name));
	return true;
}

void jfr_type_free(struct jfr_type *t)
{
	free(t->name);
}
