#include "trace/cmd.h"
#include "trace/interrupt.h"
#include "trace/pack_extract.h"
#include "trace/unmake.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *output;

static void take_output(const char *value)
{
	output = value;
}

static int make_failed(struct diag *diag)
{
	diag_error(diag, DIAG_NOWHERE, "cannot make %s: %s", output, strerror(errno));
	return EXIT_ERROR;
}

static int directory_fill(const struct pack *pack, const char *path, struct diag *diag)
{
	uint64_t lost = 0;

	if (!pack_extract(pack, path, &lost, diag))
		return EXIT_ERROR;
	if (rename(path, output) != 0)
		return make_failed(diag);
	return lost ? EXIT_NO : EXIT_FINE;
}

/* All or nothing: the directory gets its name when it is complete. */
static int directory_write(const struct pack *pack, struct diag *diag)
{
	size_t length = strlen(output);
	char *path;
	int status;

	while (length > 1 && output[length - 1] == '/')
		length--;
	if (asprintf(&path, "%.*s.XXXXXX", (int)length, output) < 0)
		return EXIT_ERROR;
	interrupt_catch();
	if (!mkdtemp(path)) {
		free(path);
		return make_failed(diag);
	}
	status = directory_fill(pack, path, diag);
	if (status == EXIT_ERROR)
		directory_unmake(path);
	free(path);
	interrupt_end();
	return status;
}

static int run(struct request *r)
{
	const char *path = r->directories[0];
	struct pack *pack;
	int status;

	if (!output)
		usage_fail("-o DIRECTORY is wanted");
	if (r->ndirectories != 1)
		usage_fail("one packed file is wanted");
	if (!pack_is(path)) {
		diag_error(&r->diag, DIAG_NOWHERE, "%s: %s; glimpse pack makes one", path,
			   access(path, R_OK) == 0 ? "this is no packed file" : strerror(errno));
		return EXIT_ERROR;
	}
	if (access(output, F_OK) == 0) {
		diag_error(&r->diag, DIAG_NOWHERE, "%s exists; give a new directory with -o",
			   output);
		return EXIT_ERROR;
	}
	pack = pack_open(path, &r->diag);
	if (!pack)
		return EXIT_ERROR;
	status = directory_write(pack, &r->diag);
	pack_close(pack);
	return status;
}

static const struct choice options[] = {
    {'o', "output", "DIRECTORY", "the directory to make", take_output},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_unpack = {
    .name = "unpack",
    .summary = "the log directory of a packed file",
    .teaches = "Restores the log directory that glimpse pack packed, byte for byte. Where the "
	       "packed file is\n"
	       "damaged the bytes are ff, a warning says where, and the exit status is 1.\n",
    .examples = "  glimpse unpack run1.glz -o run1.again\n",
    .options = options,
    .run = run,
};
