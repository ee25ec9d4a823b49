#include "trace/format/process_file.h"
#include "base/file.h"
#include "trace/format/bytes.h"
#include <errno.h>
#include <string.h>

static uint32_t get_32(const unsigned char *from, bool swap)
{
	return swap ? __builtin_bswap32(read_32(from)) : read_32(from);
}

static uint64_t get_64(const unsigned char *from, bool swap)
{
	return swap ? __builtin_bswap64(read_64(from)) : read_64(from);
}

static struct clock_sample get_pair(const unsigned char *from, bool swap)
{
	return (struct clock_sample){get_64(from, swap), (int64_t)get_64(from + 8, swap),
				   (int64_t)get_64(from + 16, swap)};
}

static void process_parse(struct process_file *p, const unsigned char *bytes, bool swap)
{
	p->present = true;
	p->pid = get_32(bytes + 12, swap);
	p->clock = get_32(bytes + 16, swap);
	p->ended = get_32(bytes + 20, swap) == 1;
	p->pairs[0] = get_pair(bytes + 24, swap);
	p->pairs[1] = get_pair(bytes + 48, swap);
	p->cost = get_64(bytes + 72, swap);
	p->dropped = get_64(bytes + 80, swap);
	p->frequency = get_64(bytes + 88, swap);
	memcpy(p->program, bytes + 128, sizeof p->program - 1);
}

static void specs_parse(struct process_file *p, const struct file *f, bool swap)
{
	for (size_t at = PROCESS_HEADER;
	     p->nspecs < PROCESS_SPECS && f->size >= at + PROCESS_SPEC_SIZE;
	     at += PROCESS_SPEC_SIZE) {
		if (get_32(f->bytes + at + 12, swap) == 0)
			return;
		p->specs[p->nspecs].schema = get_64(f->bytes + at, swap);
		p->specs[p->nspecs++].base = get_32(f->bytes + at + 8, swap);
	}
}

void process_read(struct process_file *p, const char *path, int fd, struct diag *diag)
{
	struct file f;
	uint64_t magic;

	*p = (struct process_file){0};
	if (!file_take(&f, fd, false)) {
		if (errno != ENOENT)
			diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; read without it", path,
				     strerror(errno));
		return;
	}
	magic = f.size >= PROCESS_HEADER ? read_64(f.bytes) : 0;
	if (magic != PROCESS_MAGIC && magic != __builtin_bswap64(PROCESS_MAGIC))
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: this is no process file; read without it", path);
	else if (get_32(f.bytes + 8, magic != PROCESS_MAGIC) != FORMAT_VERSION)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: version %u is unknown; read without it", path,
			     get_32(f.bytes + 8, magic != PROCESS_MAGIC));
	else {
		process_parse(p, f.bytes, magic != PROCESS_MAGIC);
		specs_parse(p, &f, magic != PROCESS_MAGIC);
	}
	file_unload(&f);
}
