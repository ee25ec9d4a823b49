#include "trace/write/unpack.h"
#include "base/units.h"
#include "cli/common/command.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static uint64_t limit; /* of the unpacked size; 0: the usual one */

static void unpack_take_limit(const char *value)
{
	if (!units_parse_bytes(value, &limit) || !limit)
		usage_fail("--limit: invalid size (expected a size such as 20GB or 512MiB)");
}

static int pack_fill(void *pack, const char *path, struct diag *diag)
{
	uint64_t lost = 0;

	if (!pack_extract(pack, path, &lost, diag))
		return EXIT_ERROR;
	return lost ? EXIT_NO : EXIT_FINE;
}

static int unpack_run(struct command_request *r)
{
	const char *path = r->directories[0];
	struct pack *pack;
	int status;

	if (!r->output)
		usage_fail("no output directory; give one with -o DIRECTORY");
	if (r->ndirectories != 1)
		usage_fail("expected one packed file");
	if (!pack_is(path)) {
		diag_error(&r->diag, DIAG_NOWHERE, "%s: %s; glimpse pack makes one", path,
			   access(path, R_OK) == 0 ? "not a packed file" : strerror(errno));
		return EXIT_ERROR;
	}
	if (!request_output_is_free(r, "directory"))
		return EXIT_ERROR;
	pack = limit ? pack_open_limited(path, limit, &r->diag) : pack_open(path, &r->diag);
	if (!pack)
		return EXIT_ERROR;
	status = directory_make(r->output, pack_fill, pack, &r->diag);
	pack_close(pack);
	return status;
}

static const struct choice options[] = {
    {0, "limit", "SIZE", "unpack at most SIZE bytes (default: 1GiB, or 200 times the packed file)",
     unpack_take_limit},
    {'o', "output", "DIRECTORY", "create this directory", request_take_output},
    {0, NULL, NULL, NULL, NULL},
};

const struct command cmd_unpack = {
    .name = "unpack",
    .summary = "restore the log directory of a packed file",
    .teaches =
	"Restores the log directory that glimpse pack packed, byte for byte. If the packed file is\n"
	"damaged, the damaged bytes become ff, a warning says where, and the exit status is 1.\n",
    .examples = "  glimpse unpack run1.glz -o run1.again\n",
    .options = options,
    .run = unpack_run,
};
