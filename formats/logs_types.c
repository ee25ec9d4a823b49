#include "base/utf8.h"
#include "formats/logs_inside.h"
#include "formats/specs.h"
#include "grammar/keyword.h"
#include "grammar/parser.h"
#include "spec/names.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

/* ---- names ---- */

/* Returns an identifier that looks like a text. The caller frees it. */
char *logs_identifier(const char *text, const char *otherwise)
{
	char *name = array_new(strlen(text) + strlen(otherwise) + 2, 1), *to = name;

	for (; *text && to - name < 200; text++)
		if (isalnum((unsigned char)*text)) {
			if (to == name && isdigit((unsigned char)*text))
				*to++ = '_';
			*to++ = *text;
		} else if (to > name && to[-1] != '_') {
			*to++ = '_';
		}
	while (to > name && to[-1] == '_')
		to--;
	*to = '\0';
	if (!*name)
		strcpy(name, otherwise);
	return name;
}

static bool is_reserved(const char *name)
{
	return keyword_token(name) != TOKEN_NAME || is_intrinsic(name) ||
	       strcmp(name, "process") == 0;
}

/* Returns a name that is no keyword and that none of the list has. The caller frees it. */
char *logs_unique_name(char *name, char *const *list, size_t n)
{
	char *tried = name;

	for (unsigned i = 2;; i++) {
		bool taken = is_reserved(tried);

		for (size_t k = 0; k < n && !taken; k++)
			taken = strcmp(list[k], tried) == 0;
		if (!taken)
			break;
		if (tried != name)
			free(tried);
		tried = text_format("%s_%u", name, i);
	}
	if (tried != name)
		free(name);
	return tried;
}

char *logs_quoted(const char *text, size_t length)
{
	static const char no_character[] = "\xef\xbf\xbd"; /* U+FFFD */
	char *quoted = array_new(3 * length + 3, 1), *to = quoted;

	*to++ = '"';
	for (size_t i = 0, n; i < length; i += n) {
		unsigned char c = (unsigned char)text[i];
		size_t known = utf8_length(text + i, length - i);

		n = known ? known : 1;
		if (c == '"' || c == '\\')
			*to++ = '\\';
		if (!known || c < ' ' || c == 127)
			to = stpcpy(to, no_character);
		else
			to = mempcpy(to, text + i, n);
	}
	*to++ = '"';
	*to = '\0';
	return quoted;
}

/* ---- event types ---- */

static bool spec_add(struct logs *l, struct spec *spec)
{
	struct added_spec *a = &l->added[l->nadded];

	if (l->nadded == SPECS_MOST || l->next_id + spec->nevents > MADE_FIRST) {
		diag_error(l->diag, DIAG_NOWHERE, "%s: the specification has too many events",
			   spec->name);
		spec_free(spec);
		return false;
	}
	l->nadded++;
	*a = (struct added_spec){spec, array_zero(spec->nevents, sizeof *a->events), l->next_id};
	for (unsigned i = 0; i < spec->nevents; i++) {
		a->events[i] = (struct logs_event){spec->events[i], NULL, l->next_id++};
		*vector_add(&l->names) = text_format("%s", spec->events[i]->name);
	}
	return true;
}

bool logs_spec(struct logs *l, const char *text)
{
	static const char name[] = "the specification in the trace";
	struct diag quiet = {.out = NULL};
	struct spec *spec = spec_parse(name, text, &quiet);

	/* Warnings were for who wrote it; errors are for who reads it. */
	if (!spec)
		spec = spec_parse(name, text, l->diag);
	return spec && spec_add(l, spec);
}

void logs_spec_ready(struct logs *l, const char *name)
{
	struct diag quiet = {.out = NULL};

	for (unsigned i = 0; i < l->nadded; i++)
		if (strcmp(l->added[i].spec->name, name) == 0)
			return;
	spec_add(l, spec_parse(name, strcmp(name, "samples") == 0 ? SAMPLES_SPEC : SCHEDULER_SPEC,
			       &quiet));
}

const struct logs_event *logs_event(const struct logs *l, const char *name)
{
	for (unsigned i = 0; i < l->nadded; i++) {
		const struct spec *s = l->added[i].spec;

		for (unsigned k = 0; k < s->nevents; k++)
			if (strcmp(s->events[k]->name, name) == 0)
				return &l->added[i].events[k];
	}
	return NULL;
}

const struct event_type *logs_event_type(const struct logs_event *e)
{
	return e->type;
}

const char *logs_event_name(const struct logs_event *e)
{
	return e->type->name;
}

static void fields_print(FILE *out, const struct logs_field *fields, unsigned n)
{
	VECTOR(char *) names = {0};

	for (unsigned i = 0; i < n; i++) {
		char *name =
		    logs_unique_name(logs_identifier(fields[i].name, "value"), names.at, names.n);

		fprintf(out, "%s%s %s", i ? ", " : "(", type_name(fields[i].type), name);
		*vector_add(&names) = name;
	}
	if (n)
		putc(')', out);
	for (size_t i = 0; i < names.n; i++)
		free(names.at[i]);
	free(names.at);
}

/* Returns the text of an event. The caller frees it. */
static char *event_text(const char *name, const char *label, const struct logs_field *fields,
			unsigned nfields, const char *style)
{
	char *quoted = logs_quoted(label, strlen(label)), *text = NULL;
	bool labelled = strcmp(label, name) != 0;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		array_exhausted();
	fprintf(out, "event %s", name);
	fields_print(out, fields, nfields);
	if (labelled || style)
		fprintf(out, " = (%s%s%s%s)", labelled ? "label " : "", labelled ? quoted : "",
			labelled && style ? ", " : "", style ? style : "");
	fputs(";\n", out);
	fclose(out);
	free(quoted);
	return text;
}

const struct logs_event *logs_event_make(struct logs *l, const char *name,
					 const struct logs_field *fields, unsigned nfields,
					 const char *style)
{
	char *word = logs_unique_name(logs_identifier(name, "event"), l->names.at, l->names.n);
	struct diag quiet = {.out = NULL};
	struct logs_event *e;
	char *text, *whole;
	struct spec *alone;

	if (l->made.n == MADE_MOST) {
		diag_error(l->diag, DIAG_NOWHERE, "there are more than %d types of events",
			   MADE_MOST);
		free(word);
		return NULL;
	}
	*vector_add(&l->names) = word;
	text = event_text(word, name, fields, nfields, style);
	whole = text_format("glimpse alone\n%send alone.\n", text);
	alone = spec_parse(word, whole, &quiet);
	free(whole);
	if (!alone) {
		diag_error(l->diag, DIAG_NOWHERE, "'%s' cannot be an event", name);
		free(text);
		return NULL;
	}
	fputs(text, l->text);
	free(text);
	e = array_zero(1, sizeof *e);
	*e = (struct logs_event){alone->events[0], alone, MADE_FIRST + (uint32_t)l->made.n};
	*vector_add(&l->made) = e;
	return e;
}

const char *logs_interval_name(struct logs *l, const char *name)
{
	char *word = logs_unique_name(logs_identifier(name, "interval"), l->names.at, l->names.n);

	*vector_add(&l->names) = word;
	return word;
}

void logs_text(struct logs *l, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(l->intervals, format, arguments);
	va_end(arguments);
}
