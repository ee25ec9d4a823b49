#include "base/interrupt.h"
#include "cli/output.h"
#include "trace/write/pack_write.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_failed(struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE, "cannot write %s: %s", made_path, strerror(errno));
	return false;
}

static bool file_write(struct pack_plan *plan, const char *path, struct diag *diag)
{
	int fd = mkstemp((char *)path);
	FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
	bool good;

	if (!f)
		return write_failed(diag);
	good = pack_write(plan, f);
	if (fclose(f) != 0)
		good = false;
	if (!good && !interrupt_pending())
		write_failed(diag);
	/* link() does not replace what may be there by now. */
	if (good && link(path, made_path) != 0)
		good = write_failed(diag);
	unlink(path);
	return good;
}

/* All or nothing: the file gets its name when it is complete. */
static bool plan_write(struct pack_plan *plan, struct diag *diag)
{
	char *path;
	bool good;

	if (asprintf(&path, "%s.XXXXXX", made_path) < 0)
		return false;
	interrupt_catch();
	good = file_write(plan, path, diag);
	free(path);
	interrupt_end();
	return good;
}

static int run(struct request *r)
{
	struct pack_plan *plan;
	bool good;

	if (!made_path)
		usage_fail("give an output file with -o FILE, such as run.glz");
	if (r->ndirectories != 1)
		usage_fail("give one log directory; each is packed into a file of its own");
	if (!made_is_free("file", &r->diag))
		return EXIT_ERROR;
	plan = pack_plan_new(r->directories[0], &r->diag);
	good = plan && plan_write(plan, &r->diag);
	pack_plan_free(plan);
	return good ? EXIT_FINE : EXIT_ERROR;
}

static const struct choice options[] = {
    {'o', "output", "FILE", "the packed file to write; it must not exist", made_take},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_pack = {
    .name = "pack",
    .summary = "a log directory as one small file",
    .teaches = "Packs a log directory into one compressed file, which every tool reads like the "
	       "directory.\n"
	       "glimpse unpack restores the directory byte for byte. The run should have ended.\n",
    .examples = "  glimpse pack run1 -o run1.glz\n"
		"  glimpse stats run1.glz\n"
		"  glimpse events --from=2s --to=2.1s run1.glz\n",
    .options = options,
    .run = run,
};
