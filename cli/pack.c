#include "base/output.h"
#include "cli/common/command.h"
#include "cli/common/lost.h"
#include "trace/write/pack_write.h"

static bool plan_write(struct pack_plan *plan, const char *path, struct diag *diag)
{
	struct output *output =
	    output_begin(NULL, OUTPUT_NEW | OUTPUT_PRIVATE, diag_write_failed, diag);
	FILE *out = output_file(output, "%s", path);

	if (!out || pack_write(plan, out))
		return output_commit(output);
	diag_write_failed(diag, path);
	output_discard(output);
	return false;
}

/* Passes on what is said of a trace. Its errors are warnings: it was packed as it is. */
static void said_warn(void *diag, const struct diag_message *m)
{
	diag_warning(diag, m->category ? m->category : "log", m->where, "%s", m->text);
}

/* Warns of what the run lacks, in the words of the readers: who gets the file must know it. */
static void losses_warn(const char *path, struct diag *diag)
{
	struct diag of_trace = {.take = said_warn, .context = diag, .program = diag->program};
	struct trace *t = trace_open_even_empty(&path, 1, NULL, &of_trace);

	if (!t)
		return;
	lost_remark(NULL, t, NULL);
	trace_close(t);
}

static int pack_run(struct command_request *r)
{
	struct pack_plan *plan;
	bool good;

	if (!r->output)
		usage_fail("no output file; give one with -o FILE, such as run.glz");
	if (r->ndirectories != 1)
		usage_fail("expected one log directory; pack each one into its own file");
	if (!request_output_is_free(r, "file"))
		return EXIT_ERROR;
	plan = pack_plan_new(r->directories[0], &r->diag);
	good = plan && plan_write(plan, r->output, &r->diag);
	pack_plan_free(plan);
	if (good)
		losses_warn(r->directories[0], &r->diag);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    {'o', "output", "FILE", "write the packed file FILE, which must not exist",
     request_take_output},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_pack = {
    .name = "pack",
    .summary = "pack a log directory into one small file",
    .teaches =
	"Packs a log directory into one compressed file. Every tool reads it like the "
	"directory.\n"
	"glimpse unpack restores the directory byte for byte. Pack a run after it has ended.\n"
	"Warns of events that the run lacks.\n",
    .examples = "  glimpse pack run1 -o run1.glz\n"
		"  glimpse stats run1.glz\n"
		"  glimpse events --from=2s --to=2.1s run1.glz\n",
    .options = options,
    .run = pack_run,
};
