/*
 * pack_seed DIRECTORY [BLOCK OFFSET VALUE]...: the directory as an input of pack_fuzz, on standard output; with lies in the
 * headers of blocks, counted from 0: the 8 bytes at the offset.
 */
#include "trace/pack/pack_format.h"
#include "trace/write/pack_write.h"
#include <stdlib.h>

/* Where a block's header is, or NULL. */
static char *block_find(char *bytes, const char *end, unsigned long number)
{
	while (end - bytes >= BLOCK_HEADER) {
		if (read_little_32((unsigned char *)bytes) != BLOCK_MAGIC)
			bytes++;
		else if (number-- == 0)
			return bytes;
		else
			bytes += BLOCK_HEADER;
	}
	return NULL;
}

static bool lie(char *bytes, size_t size, char **argv)
{
	unsigned long offset = strtoul(argv[1], NULL, 0);
	char *block = block_find(bytes, bytes + size, strtoul(argv[0], NULL, 0));

	if (!block || offset > BLOCK_HEADER - 8)
		return false;
	write_little_64((unsigned char *)block + offset, strtoull(argv[2], NULL, 0));
	return true;
}

int main(int argc, char **argv)
{
	struct diag diag = {.out = stderr, .program = "pack_seed"};
	struct pack_plan *plan = argc < 2 ? NULL : pack_plan_new(argv[1], &diag);
	char *bytes = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&bytes, &size);

	if (!plan || !f || !pack_write(plan, f) || fclose(f))
		return 2;
	pack_plan_free(plan);
	for (int i = 2; i + 2 < argc; i += 3)
		if (!lie(bytes, size, argv + i))
			return 2;
	bytes[7] = 0;
	fwrite(bytes + 7, 1, size - 7, stdout);
	free(bytes);
	return fflush(stdout) ? 2 : 0;
}
