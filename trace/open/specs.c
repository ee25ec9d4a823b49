#include "trace/open/specs.h"
#include "trace/format/schema.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool spec_keep(struct opened *o, struct spec *spec)
{
	struct spec **list = realloc(o->specs, (o->nspecs + 1) * sizeof(struct spec *));

	if (!list)
		return false;
	o->specs = list;
	o->specs[o->nspecs++] = spec;
	return schemas_add(&o->schemas, spec);
}

/* The specification of the same events that was read before, or NULL. */
static const struct spec *spec_twin(const struct opened *o, const struct spec *spec)
{
	for (size_t i = 0; i < o->nspecs; i++)
		if (o->specs[i] != o->given && o->specs[i]->schema == spec->schema &&
		    strcmp(o->specs[i]->name, spec->name) == 0)
			return o->specs[i];
	return NULL;
}

/* Nothing is imported in a specification that lies beside its logs. */
static struct spec *spec_of_pack(const struct directory *d, const char *path, struct diag *diag)
{
	struct spec *spec;
	struct file f;
	char *text;

	if (!file_take(&f, directory_file(d, strrchr(path, '/') + 1), false)) {
		diag_error(diag, DIAG_NOWHERE, "%s: %s; another specification can be given with -s FILE",
			   path, errno == EIO ? "it is damaged" : strerror(errno));
		return NULL;
	}
	text = strndup((const char *)f.bytes, f.size);
	file_unload(&f);
	spec = text ? spec_parse(path, text, diag) : NULL;
	free(text);
	return spec;
}

static struct spec *spec_of_directory(const struct directory *d, const char *path,
				      struct diag *diag)
{
	return d->pack ? spec_of_pack(d, path, diag) : spec_read(path, diag);
}

/*
 * A run under a specification whose intervals were edited since is still a run of the same events.
 */
static bool spec_take(struct opened *o, const struct directory *d, const char *path,
		      struct diag *diag)
{
	/* What is doubtful in it was said when it was compiled. */
	struct diag quiet = {.program = diag->program};
	struct spec *spec = spec_of_directory(d, path, &quiet);
	const struct spec *twin;

	if (!spec) {
		spec_free(spec_of_directory(d, path, diag));
		diag_note(diag, DIAG_NOWHERE, "another specification can be given with -s FILE");
		return false;
	}
	twin = spec_twin(o, spec);
	if (!twin)
		return spec_keep(o, spec);
	if (!o->given && strcmp(twin->text, spec->text) != 0)
		diag_warning(diag, "spec", DIAG_NOWHERE,
			     "%s: %s has other intervals over the same events in another "
			     "directory, which are used; "
			     "-s %s would use these",
			     path, spec->name, path);
	spec_free(spec);
	return true;
}

static bool specs_read(struct opened *o, const char *given, struct diag *diag)
{
	if (given) {
		static const char *const muted[] = {"unused-attribute", NULL};
		struct spec *spec;

		diag->muted = muted;
		spec = spec_read(given, diag);
		diag->muted = NULL;
		if (!spec)
			return false;
		o->given = spec;
		if (!spec_keep(o, spec))
			return false;
	}
	for (size_t i = 0; i < o->ndirectories; i++)
		for (size_t j = 0; j < o->directories[i].nspecs; j++)
			if (!spec_take(o, &o->directories[i], o->directories[i].specs[j], diag))
				return false;
	if (o->nspecs == 0)
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: no .spec file in it, and the logs cannot be read without; give it with "
		    "-s FILE",
		    o->directories[0].path);
	return o->nspecs > 0;
}

/* ---- the schemas' events in the trace's specification ---- */

/* Says which events the specification given does not name. */
static void left_out_note(const struct schema *schema, unsigned count, struct diag *diag)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	for (unsigned i = 0, n = 0; i < schema->spec->nevents; i++)
		if (schema->types[i] == NO_TYPE)
			fprintf(f, "%s%s", n++ ? ", " : "", schema->spec->events[i]->name);
	if (fclose(f) == 0)
		diag_note(diag, DIAG_NOWHERE,
			  "left out, since the specification given does not name %s: %s",
			  count > 1 ? "them" : "it", text);
	free(text);
}

static bool schema_map(const struct opened *o, struct schema *schema, struct diag *diag)
{
	unsigned left_out = 0;
	bool good = true;

	for (unsigned i = 0; i < schema->spec->nevents; i++) {
		const struct event_type *logged = schema->spec->events[i];
		const struct event_type *type = spec_event(o->trace.spec, logged->name);

		schema->types[i] = type ? (uint16_t)type->index : NO_TYPE;
		left_out += !type;
		good &= !type || event_types_agree(type, logged, diag);
	}
	if (left_out)
		left_out_note(schema, left_out, diag);
	return good;
}

bool specs_settle(struct opened *o, const char *given, struct diag *diag)
{
	bool good = true;

	if (!specs_read(o, given, diag))
		return false;
	if (!o->given && o->nspecs > 1 && !specs_join(o, diag))
		return false;
	o->trace.spec = o->given ? o->given : o->joined ? o->joined : o->specs[0];
	if (o->trace.spec->nevents >= NO_TYPE) {
		diag_error(diag, o->trace.spec->where, "%u events are more than a trace can have",
			   o->trace.spec->nevents);
		return false;
	}
	for (size_t i = 0; i < o->schemas.count; i++)
		good &= schema_map(o, o->schemas.list[i], diag);
	return good;
}

void specs_clear(struct opened *o)
{
	schemas_clear(&o->schemas);
	if (o->joined) {
		free(o->joined->name);
		free(o->joined->text);
		free(o->joined->events);
		free(o->joined->intervals);
		free(o->joined->assertions);
		free(o->joined);
	}
	for (size_t i = 0; i < o->nspecs; i++)
		spec_free(o->specs[i]);
	free(o->specs);
}
