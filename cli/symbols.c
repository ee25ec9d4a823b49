#include "cli/symbols.h"
#include "cli/common/fields.h"
#include "cli/common/table.h"
#include "cli/symbols_modules.h"
#include <inttypes.h>
#include <stdlib.h>

static bool fetches;
static int fetched = EXIT_FINE;

static void take_fetch(const char *unused)
{
	(void)unused;
	fetches = true;
}

/* ---- which names ---- */

/* The names that a module has, as text for people and as a word for scripts. */
struct module_names {
	const char *text, *word;
};

static struct module_names found_of(const struct run_module *m)
{
	if (m->state != IMAGE_GOOD && m->stored)
		return (struct module_names){m->state == IMAGE_OTHER
						 ? "stored with the run; file has changed"
						 : "stored with the run; file is gone",
					     "stored"};
	if (m->state == IMAGE_OTHER)
		return (struct module_names){"file has changed", "changed"};
	if (m->state == IMAGE_MISSING)
		return (struct module_names){"file is gone", "gone"};
	if (m->names.functions == NAMES_NONE)
		return (struct module_names){"none: functions are named by their addresses",
					     "none"};
	if (m->names.functions == NAMES_EXPORTED)
		return (struct module_names){"exported only", "exported"};
	if (!m->names.debug)
		return (struct module_names){"symbols", "symbols"};
	if (m->names.missing.n)
		return (struct module_names){
		    "symbols + debug information, but its shared file is missing",
		    "shared-missing"};
	return (struct module_names){"symbols + debug information", "debug"};
}

/* ---- formats ---- */

static void advice_print(FILE *out, const struct run_modules *m)
{
	size_t lacking = 0;

	for (size_t i = 0; i < m->list.n; i++)
		lacking += run_module_lacks(&m->list.at[i]);
	if (!lacking)
		return;
	fprintf(
	    out,
	    "\n%zu of %zu files lack debug information. To add it:\n"
	    "  your own programs: compile them with -g\n"
	    "  packages: install their debug symbols (in Debian NAME-dbgsym; find-dbgsym-packages\n"
	    "    of debian-goodies finds the packages by build id)\n"
	    "  or set DEBUGINFOD_URLS, and run: glimpse symbols --fetch DIRECTORY\n",
	    lacking, m->list.n);
}

static void modules_text(FILE *out, const struct run_modules *m)
{
	static const char *const head[] = {"file", "build id", "samples", "names"};
	struct columns columns = {.count = 4, .left = 2, .last_left = true};

	columns_add(&columns, head);
	for (size_t i = 0; i < m->list.n; i++) {
		const struct run_module *one = &m->list.at[i];
		char id[BUILD_ID_TEXT], samples[24] = "-";

		if (m->sampled)
			snprintf(samples, sizeof samples, "%" PRIu64, one->samples);
		columns_add(&columns, (const char *const[]){
					  one->path, one->id->n ? build_id_text(id, one->id) : "-",
					  samples, found_of(one).text});
	}
	columns_print(&columns, out);
	advice_print(out, m);
}

enum { MODULE_FIELDS = 4 };
static const struct field module_fields[MODULE_FIELDS] = {
    {"file", 1}, {"build_id", 2}, {"samples", 3}, {"names", 4}};

static void modules_data(FILE *out, enum format format, const struct run_modules *m)
{
	struct field_rows rows = {.fields = module_fields, .n = MODULE_FIELDS};

	fields_open(&rows, out, format);
	for (size_t i = 0; i < m->list.n; i++) {
		const struct run_module *one = &m->list.at[i];
		char id[BUILD_ID_TEXT];

		fields_row(&rows, (struct table_cell[MODULE_FIELDS]){
				      cell_text(one->path),
				      cell_text(one->id->n ? build_id_text(id, one->id) : NULL),
				      cell_known(m->sampled, (int64_t)one->samples),
				      cell_text(found_of(one).word),
				  });
	}
	fields_close(&rows);
}

/* ---- all ---- */

static int symbols_before(struct command_request *r)
{
	if (!fetches)
		return EXIT_FINE;
	fetched = symbols_fetch(r);
	if (fetched != SYMBOLS_UNREAD)
		return fetched == EXIT_ERROR ? EXIT_ERROR : EXIT_FINE;
	fetched = EXIT_ERROR;
	diag_error(&r->diag, DIAG_NOWHERE, "--fetch: the run could not be read; fetching stops");
	return EXIT_FINE;
}

static int symbols_run(struct command_request *r)
{
	struct trace *t = trace_open_even_empty(r->directories, r->ndirectories, r->spec, &r->diag);
	struct run_modules m;

	if (!t)
		return EXIT_ERROR;
	m = run_modules_of(t);
	if (r->format == FORMAT_TEXT)
		modules_text(r->out, &m);
	else
		modules_data(r->out, r->format, &m);
	run_modules_clear(&m);
	trace_close(t);
	return fetched;
}

static const struct choice options[] = {
    {0, "fetch", NULL,
     "first fetch missing debug information, and files that are gone or have changed,\n"
     "from the debuginfod servers in $DEBUGINFOD_URLS",
     take_fetch},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_symbols = {
    .name = "symbols",
    .summary = "list the programs and libraries of a run and their symbols; fetch missing symbols",
    .teaches =
	"Lists the programs and libraries that a run had loaded, each with its build id, its number\n"
	"of samples, and the kind of function names available. Fetched files are in the cache of\n"
	"libdebuginfod, where all subcommands find them.\n",
    .examples = "  glimpse symbols run1\n"
		"  DEBUGINFOD_URLS=https://debuginfod.debian.net glimpse symbols --fetch run1\n"
		"  glimpse symbols --format=csv run1 | grep ',none$'\n",
    .formats = FORMATS(FORMAT_TEXT) | FORMATS(FORMAT_CSV) | FORMATS(FORMAT_JSON),
    .options = options,
    .before = symbols_before,
    .run = symbols_run,
};
