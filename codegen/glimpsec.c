/* glimpsec: from a specification to the stubs that log its events. */
#include "base/array.h"
#include "codegen/check_json.h"
#include "codegen/options.h"
#include "codegen/report.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads all specifications; NULL in place of one with an error. json: takes messages, or NULL. */
static struct spec **specs_read(const struct options *o, struct check_json *json, struct diag *diag)
{
	struct spec **specs = array_zero((size_t)o->nspecs, sizeof *specs);

	for (int i = 0; i < o->nspecs; i++) {
		if (json)
			check_json_begin(json, o->specs[i]);
		specs[i] = spec_read(o->specs[i], diag);
	}
	return specs;
}

/* Refuses two specifications of one name, which would write the same files. */
static void check_spec_names(struct spec **specs, int n, struct diag *diag)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (specs[i] && specs[k] && !strcmp(specs[i]->name, specs[k]->name)) {
				diag_error(diag, specs[i]->where,
					   "another specification has the same name, '%s'",
					   specs[i]->name);
				diag_note(diag, specs[k]->where, "the other one is here");
				break;
			}
}

static void glimpsec_check_all(const struct options *o, struct spec **specs, struct diag *diag)
{
	check_spec_names(specs, o->nspecs, diag);
	for (int i = 0; i < o->nspecs; i++)
		if (specs[i])
			o->target->check(specs[i], diag);
}

static const char *remedy(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return "; create the directory first, or name another one with -o";
	case EACCES:
	case EROFS:
	case EPERM:
		return "; name a directory that you may write to with -o";
	case EISDIR:
		return "; move it away, or name another directory with -o";
	default:
		return "";
	}
}

static void write_failed(void *diag, const char *path)
{
	int error = errno;

	diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s%s", path, strerror(error),
		   remedy(error));
}

static void generate_all(const struct options *o, struct spec **specs, struct diag *diag)
{
	struct output *output = output_begin(o->directory, 0, write_failed, diag);

	for (int i = 0; i < o->nspecs; i++)
		o->target->emit(specs[i], output);
	output_commit(output);
}

static void stdout_flush(struct diag *diag)
{
	if (ferror(stdout) || fflush(stdout) != 0)
		diag_error(diag, DIAG_NOWHERE, "cannot write to standard output: %s",
			   strerror(errno));
}

static void print_all(const struct options *o, struct spec **specs, struct diag *diag)
{
	for (int i = 0; i < o->nspecs; i++)
		if (o->action == ACTION_DUMP)
			spec_dump(specs[i], stdout);
		else
			spec_estimate(specs[i], stdout);
	stdout_flush(diag);
}

static void glimpsec_run(const struct options *o, struct spec **specs, struct diag *diag)
{
	bool prints = o->action == ACTION_DUMP || o->action == ACTION_ESTIMATE;

	if (!prints)
		glimpsec_check_all(o, specs, diag);
	if (diag->errors)
		return;
	if (prints)
		print_all(o, specs, diag);
	else if (o->action == ACTION_GENERATE)
		generate_all(o, specs, diag);
}

static int glimpsec_end(struct check_json *json, struct diag *diag)
{
	if (json) {
		check_json_print(json, stdout);
		check_json_free(json);
		diag->take = NULL;
		stdout_flush(diag);
	}
	return diag->errors ? 2 : 0;
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv);
	struct check_json *json = o.json ? check_json_new() : NULL;
	struct diag diag = {
	    .out = stderr,
	    .take = json ? check_json_take : NULL,
	    .context = json,
	    .program = "glimpsec",
	    .muted = o.muted,
	    .warnings_are_errors = o.warnings_are_errors,
	};
	struct spec **specs = specs_read(&o, json, &diag);

	glimpsec_run(&o, specs, &diag);
	for (int i = 0; i < o.nspecs; i++)
		if (specs[i])
			spec_free(specs[i]);
	free(specs);
	options_free(&o);
	return glimpsec_end(json, &diag);
}
