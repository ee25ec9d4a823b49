#include "trace/open/specs.h"
#include "base/array.h"
#include "spec/names.h"
#include "trace/format/schema.h"
#include "trace/open/name_clash.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What `glimpse record -s` puts into a directory. */
#define USERS_SPEC "user.spec"

static bool spec_keep(struct opened *o, struct spec *spec)
{
	struct spec **list = realloc(o->specs, (o->nspecs + 1) * sizeof(struct spec *));

	if (!list)
		return false;
	o->specs = list;
	o->specs[o->nspecs++] = spec;
	return schemas_add(&o->schemas, spec);
}

/* Returns a specification of the same name and events that was read before, or NULL. */
static const struct spec *spec_twin(const struct opened *o, const struct spec *spec)
{
	for (size_t i = 0; i < o->nspecs; i++)
		if (o->specs[i] != o->given && o->specs[i]->schema == spec->schema &&
		    strcmp(o->specs[i]->name, spec->name) == 0)
			return o->specs[i];
	return NULL;
}

/*
 * Logs name a specification by its events and attributes: of two that are the same in these, all
 * records are the first one's.
 */
static void namesake_warn(const struct opened *o, const struct spec *spec, const char *path,
			  struct diag *diag)
{
	for (size_t i = 0; i < o->nspecs; i++)
		if (o->specs[i] != o->given && o->specs[i]->schema == spec->schema)
			diag_warning(diag, "spec", DIAG_NOWHERE,
				     "%s: %s has the same events and attributes as %s, for whose "
				     "its events are taken; let them differ in a name",
				     path, spec->name, o->specs[i]->name);
}

static struct spec *spec_of_directory(const struct directory *d, const char *path,
				      struct diag *diag)
{
	int fd = directory_file(d, strrchr(path, '/') + 1);

	if (fd >= 0)
		return spec_take(path, fd, !d->pack, diag);
	diag_error(diag, DIAG_NOWHERE, "cannot read the specification '%s': %s", path,
		   d->pack && errno == EIO ? "it is damaged" : file_why(errno));
	return NULL;
}

/*
 * Returns whether a process was killed before it had written the first byte, which is its last
 * step: then it has logged no event of the specification either.
 */
static bool is_begun(const struct directory *d, const char *path)
{
	int fd = directory_file(d, strrchr(path, '/') + 1);
	char first = 0;
	struct stat s;
	bool begun = fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) &&
		     pread(fd, &first, 1, 0) >= 0 && !first;

	if (fd >= 0)
		close(fd);
	return begun;
}

/* Reads a specification beside logs; one of the same events as another is left out. */
static bool spec_add(struct opened *o, const struct directory *d, const char *path,
		     struct diag *diag)
{
	/* warnings were given when it was compiled */
	struct diag quiet = {.program = diag->program};
	struct spec *spec = spec_of_directory(d, path, &quiet);
	const struct spec *twin;

	if (!spec) {
		spec_free(spec_of_directory(d, path, diag));
		diag_note(diag, DIAG_NOWHERE,
			  "if a newer glimpse made the trace, install that; or give another "
			  "specification with -s FILE");
		return false;
	}
	twin = spec_twin(o, spec);
	if (!twin) {
		namesake_warn(o, spec, path, diag);
		return spec_keep(o, spec);
	}
	if (!o->given && strcmp(twin->text, spec->text) != 0)
		diag_warning(diag, "spec", DIAG_NOWHERE,
			     "%s: %s has other intervals over the same events in another "
			     "directory, which are used; "
			     "-s %s would use these",
			     path, spec->name, path);
	spec_free(spec);
	return true;
}

static bool is_users(const char *path)
{
	return strcmp(strrchr(path, '/') + 1, USERS_SPEC) == 0;
}

/* Adds those that users gave to the recorder, or all others. */
static bool specs_add(struct opened *o, bool users, struct diag *diag)
{
	for (size_t i = 0; i < o->ndirectories; i++)
		for (size_t j = 0; j < o->directories[i].nspecs; j++) {
			const char *path = o->directories[i].specs[j];

			if (is_users(path) != users || is_begun(&o->directories[i], path))
				continue;
			if (!spec_add(o, &o->directories[i], path, diag))
				return false;
		}
	return true;
}

/* *nusers: how many were given by users; they come first, behind the one given. */
static bool specs_gather(struct opened *o, const char *given, size_t *nusers, struct diag *diag)
{
	if (given) {
		struct spec *spec = spec_read_for_logs(given, diag);

		if (!spec)
			return false;
		o->given = spec;
		if (!spec_keep(o, spec))
			return false;
	}
	if (!specs_add(o, true, diag))
		return false;
	*nusers = o->nspecs - (o->given ? 1 : 0);
	if (!specs_add(o, false, diag))
		return false;
	if (o->nspecs == 0)
		diag_error(
		    diag, DIAG_NOWHERE,
		    "%s: there is no .spec file, and the logs cannot be read without one; give it "
		    "with -s FILE",
		    o->directories[0].path);
	return o->nspecs > 0;
}

/* ---- several as one ---- */

/*
 * Returns whether one of the first specifications, which users gave, has all events of another one,
 * as it does when it imports it: then it is read for its records only. Reports to diag if it has
 * some of them, and *good is then false.
 */
static bool is_covered(const struct opened *o, size_t nusers, const struct spec *spec, bool *good,
		       struct diag *diag)
{
	for (size_t i = 0; i < nusers; i++) {
		unsigned n = clashing_events(o->specs[i], spec);

		if (n == spec->nevents)
			return true;
		if (!n)
			continue;
		diag_error(diag, o->specs[i]->where,
			   "%s has some, but not all, of the events of %s, which is in the trace, "
			   "too; let it import that one, or give the one to use with -s FILE",
			   o->specs[i]->name, spec->name);
		*good = false;
	}
	return false;
}

/* Puts those that are covered last. Returns how many are not; 0 after a report to diag. */
static size_t specs_choose(struct opened *o, size_t nusers, struct diag *diag)
{
	size_t chosen = nusers;
	bool good = true;

	for (size_t i = nusers; i < o->nspecs; i++) {
		struct spec *spec = o->specs[i];

		if (is_covered(o, nusers, spec, &good, diag))
			continue;
		o->specs[i] = o->specs[chosen];
		o->specs[chosen++] = spec;
	}
	return good ? chosen : 0;
}

/* Appends pointers to a list whose room was reserved. */
static void pointers_append(void *list, unsigned *count, void *more, unsigned nmore)
{
	if (nmore)
		memcpy((void **)list + *count, more, nmore * sizeof(void *));
	*count += nmore;
}

static bool joined_reserve(struct opened *o, size_t n, struct spec *joined)
{
	size_t events = 0, intervals = 0, assertions = 0, objects = 0;

	for (size_t i = 0; i < n; i++) {
		events += o->specs[i]->nevents;
		intervals += o->specs[i]->nintervals;
		assertions += o->specs[i]->nassertions;
		objects += o->specs[i]->nobject_words;
	}
	joined->events = calloc(events + 1, sizeof *joined->events);
	joined->intervals = calloc(intervals + 1, sizeof *joined->intervals);
	joined->assertions = calloc(assertions + 1, sizeof *joined->assertions);
	joined->object_words = calloc(objects + 1, sizeof *joined->object_words);
	return joined->events && joined->intervals && joined->assertions && joined->object_words;
}

/* The specifications are not in use yet: their indices become those in the whole. */
static void joined_append(struct spec *joined, const struct spec *spec)
{
	for (unsigned i = 0; i < spec->nevents; i++)
		spec->events[i]->index += joined->nevents;
	for (unsigned i = 0; i < spec->nintervals; i++)
		spec->intervals[i]->index += joined->nintervals;
	pointers_append(joined->events, &joined->nevents, spec->events, spec->nevents);
	pointers_append(joined->intervals, &joined->nintervals, spec->intervals, spec->nintervals);
	pointers_append(joined->assertions, &joined->nassertions, spec->assertions,
			spec->nassertions);
	pointers_append(joined->object_words, &joined->nobject_words, spec->object_words,
			spec->nobject_words);
}

static void names_print(FILE *f, const struct opened *o, size_t n, char between)
{
	fputs(o->specs[0]->name, f);
	for (size_t i = 1; i < n; i++)
		fprintf(f, "%c%s", between, o->specs[i]->name);
}

/* Prints one block of all items: several blocks are no specification. */
static void items_print(FILE *f, const struct opened *o, size_t n)
{
	fputs("glimpse ", f);
	names_print(f, o, n, '_');
	fputs("\n\n", f);
	for (size_t i = 0; i < n; i++) {
		const char *items;
		size_t length = spec_items(o->specs[i], &items);

		fwrite(items, 1, length, f);
	}
	fputs("end\n", f);
}

static char *texts_join(const struct opened *o, size_t n, bool names)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f && names)
		names_print(f, o, n, '+');
	else if (f)
		items_print(f, o, n);
	if (!f || fclose(f))
		return NULL;
	return text;
}

/* Makes the first n specifications one; returns false without memory. */
static bool specs_join(struct opened *o, size_t n)
{
	struct spec *joined = o->joined = calloc(1, sizeof *joined);

	if (!joined || !joined_reserve(o, n, joined))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!name_clashes_rename(joined, o->specs[i]))
			return false;
		joined_append(joined, o->specs[i]);
	}
	joined->name = texts_join(o, n, true);
	joined->text = texts_join(o, n, false);
	return joined->name && joined->text;
}

/* ---- the schemas' events in the trace's specification ---- */

static bool is_logged(const struct opened *o, const char *name)
{
	for (size_t i = 0; i < o->schemas.count; i++)
		if (o->schemas.list[i]->spec != o->given &&
		    spec_event(o->schemas.list[i]->spec, name))
			return true;
	return false;
}

/* Returns whether a specification was logged, with other events than a schema's, and has a name. */
static bool has_too(const struct opened *o, const struct spec *spec, const struct schema *schema,
		    const char *name)
{
	return spec != o->given && spec->schema != schema->spec->schema && spec_event(spec, name);
}

/* Returns whether an event type is what another specification logged by that name. */
static bool is_anothers(const struct opened *o, const struct schema *schema,
			const struct event_type *type)
{
	struct diag quiet = {.out = NULL};

	for (size_t i = 0; i < o->nspecs; i++)
		if (has_too(o, o->specs[i], schema, type->name) &&
		    event_types_agree(type, spec_event(o->specs[i], type->name), &quiet))
			return true;
	return false;
}

/*
 * Returns what an event is called in the specification given, if it is NAME in several of those
 * that were logged: SPECIFICATION_NAME, as it is when none is given. Returns NULL for the others.
 */
static char *longer_name(const struct opened *o, const struct schema *schema, const char *name)
{
	const char *home = NULL;
	bool shared = false;
	char *longer;

	for (size_t i = 0; o->given && i < o->nspecs; i++) {
		shared |= has_too(o, o->specs[i], schema, name);
		if (o->specs[i] != o->given && o->specs[i]->schema == schema->spec->schema)
			home = o->specs[i]->name;
	}
	if (!shared || !home)
		return NULL;
	longer = text_format("%s_%s", home, name);
	if (!is_logged(o, longer))
		return longer;
	free(longer);
	return NULL;
}

/* Returns the trace's event type for one of a schema; NULL if the specification given has none. */
static const struct event_type *schema_type(const struct opened *o, const struct schema *schema,
					    const struct event_type *logged)
{
	const struct event_type *plain = spec_event(o->trace.spec, logged->name);
	char *name = longer_name(o, schema, logged->name);
	const struct event_type *longer = name ? spec_event(o->given, name) : NULL;
	struct diag quiet = {.out = NULL};
	bool other = plain && name && !event_types_agree(plain, logged, &quiet);

	free(name);
	if (longer && (!plain || other || event_types_agree(longer, logged, &quiet)))
		return longer;
	return other && is_anothers(o, schema, plain) ? NULL : plain;
}

/* Reports which events the specification given does not name. */
static void left_out_note(const struct opened *o, const struct schema *schema, unsigned count,
			  struct diag *diag)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	for (unsigned i = 0, n = 0; i < schema->spec->nevents; i++)
		if (schema->types[i] == NO_TYPE) {
			const char *name = schema->spec->events[i]->name;
			char *longer =
			    spec_event(o->given, name) ? longer_name(o, schema, name) : NULL;

			fprintf(f, "%s%s", n++ ? ", " : "", longer ? longer : name);
			free(longer);
		}
	if (fclose(f) == 0)
		diag_note(diag, DIAG_NOWHERE,
			  "left out, because the given specification does not name %s: %s",
			  count > 1 ? "them" : "it", text);
	free(text);
}

static bool schema_map(const struct opened *o, struct schema *schema, struct diag *diag)
{
	unsigned left_out = 0;
	bool good = true;

	for (unsigned i = 0; i < schema->spec->nevents; i++) {
		const struct event_type *logged = schema->spec->events[i];
		const struct event_type *type = schema_type(o, schema, logged);

		schema->types[i] = type ? (uint16_t)type->index : NO_TYPE;
		left_out += !type;
		good &= !type || event_types_agree(type, logged, diag);
	}
	if (left_out)
		left_out_note(o, schema, left_out, diag);
	return good;
}

/* Reports names in the specification given that are nearly those of events that were logged, and
 * that it does not name. */
static void misspelt_note(const struct opened *o, struct diag *diag)
{
	const struct spec *given = o->given;

	for (unsigned i = 0; i < given->nevents; i++) {
		const struct event_type *e = given->events[i];
		const char *near = NULL;

		for (size_t k = 0; k < o->schemas.count && !near && !is_logged(o, e->name); k++)
			near = nearest_event(o->schemas.list[k]->spec, e->name);
		if (near && !spec_event(given, near))
			diag_note(diag, e->where, "no log has an event %s; did you mean '%s'?",
				  e->name, near);
	}
}

bool specs_settle(struct opened *o, const char *given, struct diag *diag)
{
	size_t nusers, chosen = 1;
	bool good = true;

	if (!specs_gather(o, given, &nusers, diag))
		return false;
	if (!o->given && !(chosen = specs_choose(o, nusers, diag)))
		return false;
	if (chosen > 1 && !specs_join(o, chosen))
		return false;
	o->trace.spec = o->given ? o->given : o->joined ? o->joined : o->specs[0];
	if (o->trace.spec->nevents >= NO_TYPE) {
		diag_error(diag, o->trace.spec->where, "too many event types for one trace: %u",
			   o->trace.spec->nevents);
		return false;
	}
	for (size_t i = 0; i < o->schemas.count; i++)
		good &= schema_map(o, o->schemas.list[i], diag);
	if (o->given)
		misspelt_note(o, diag);
	return good;
}
