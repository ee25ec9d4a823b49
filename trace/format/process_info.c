#include "trace/format/process_info.h"
#include "base/file.h"
#include "base/visible.h"
#include "trace/format/bytes.h"
#include <errno.h>
#include <string.h>

static struct clock_sample sample_read(const unsigned char *from, bool swapped)
{
	return (struct clock_sample){.ticks = read_swapped_64(from, swapped),
				     .monotonic = (int64_t)read_swapped_64(from + 8, swapped),
				     .realtime = (int64_t)read_swapped_64(from + 16, swapped)};
}

static void header_parse(struct process_info *p, const unsigned char *bytes, bool swapped)
{
	char name[128] = "", source[24] = "";
	uint32_t state;

	p->present = true;
	p->pid = read_swapped_32(bytes + 12, swapped);
	p->clock = read_swapped_32(bytes + 16, swapped);
	state = read_swapped_32(bytes + 20, swapped);
	p->filtered = state == 2;
	p->executed = state == 3;
	p->ended = p->filtered || state == 1;
	p->samples[0] = sample_read(bytes + 24, swapped);
	p->samples[1] = sample_read(bytes + 48, swapped);
	p->cost = read_swapped_64(bytes + 72, swapped);
	p->dropped = read_swapped_64(bytes + 80, swapped);
	p->frequency = read_swapped_64(bytes + 88, swapped);
	memcpy(source, bytes + 104, sizeof source - 1);
	visible_copy(p->source, sizeof p->source, source);
	memcpy(name, bytes + 128, sizeof name - 1);
	visible_copy(p->program, sizeof p->program, name);
}

static void pairs_parse(struct process_info *p, const struct file *f, bool swapped)
{
	size_t at = read_swapped_32(f->bytes + 96, swapped);
	size_t n = read_swapped_32(f->bytes + 100, swapped);

	p->nsamples = 2;
	for (size_t i = 0; at >= PROCESS_HEADER && i < n && i < PROCESS_PAIRS &&
			   f->size >= at + PROCESS_PAIR_SIZE;
	     i++, at += PROCESS_PAIR_SIZE) {
		p->samples[p->nsamples] = sample_read(f->bytes + at, swapped);
		p->nsamples += p->samples[p->nsamples].ticks != 0;
	}
}

/* Older runs have more pairs there, the last of which is rarely used. */
static void place_parse(struct process_info *p, const struct file *f, bool swapped)
{
	const unsigned char *from = f->bytes + PROCESS_PLACE;

	if (f->size < PROCESS_PLACE + 32 || read_swapped_32(f->bytes + 100, swapped) > 340)
		return;
	p->keep = read_swapped_32(from, swapped);
	p->rank = read_swapped_32(from + 4, swapped);
	p->pid_space = read_swapped_64(from + 8, swapped);
	memcpy(p->boot, from + 16, sizeof p->boot);
}

static void specs_parse(struct process_info *p, const struct file *f, bool swapped)
{
	for (size_t at = PROCESS_HEADER;
	     p->nspecs < PROCESS_SPECS && f->size >= at + PROCESS_SPEC_SIZE;
	     at += PROCESS_SPEC_SIZE) {
		if (read_swapped_32(f->bytes + at + 12, swapped) == 0)
			return;
		p->specs[p->nspecs].schema = read_swapped_64(f->bytes + at, swapped);
		p->specs[p->nspecs++].base = read_swapped_32(f->bytes + at + 8, swapped);
	}
}

void process_info_read(struct process_info *p, const char *path, int fd, struct diag *diag)
{
	struct file f;
	uint64_t magic;
	bool swapped;

	*p = (struct process_info){0};
	if (!file_take(&f, fd, false)) {
		if (errno != ENOENT)
			diag_warning(diag, "log", DIAG_NOWHERE, "%s: %s; read without it", path,
				     file_why(errno));
		return;
	}
	magic = f.size >= PROCESS_HEADER ? read_64(f.bytes) : 0;
	swapped = magic == __builtin_bswap64(PROCESS_MAGIC);
	if (magic != PROCESS_MAGIC && !swapped)
		diag_warning(diag, "log", DIAG_NOWHERE, "%s: not a process file; read without it",
			     path);
	else if (read_swapped_32(f.bytes + 8, swapped) != FORMAT_VERSION)
		diag_warning(diag, "log", DIAG_NOWHERE,
			     "%s: version %u is unknown; read without it", path,
			     read_swapped_32(f.bytes + 8, swapped));
	else {
		header_parse(p, f.bytes, swapped);
		pairs_parse(p, &f, swapped);
		specs_parse(p, &f, swapped);
		place_parse(p, &f, swapped);
	}
	file_unload(&f);
}
