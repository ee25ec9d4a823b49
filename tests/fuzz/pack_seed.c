/* pack_seed DIRECTORY: the directory as an input of pack_fuzz, on standard output. */
#include "trace/pack_write.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "pack_seed"};
	struct pack_plan plan;
	char *bytes = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&bytes, &size);

	if (argc != 2 || !f || !plan_open(&plan, argv[1], &diag) || !pack_write(&plan, f) ||
	    fclose(f))
		return 2;
	plan_close(&plan);
	bytes[7] = 0;
	fwrite(bytes + 7, 1, size - 7, stdout);
	free(bytes);
	return fflush(stdout) ? 2 : 0;
}
