/*
 * Damaged .eh_frame tables: copies of this program's own, with bytes changed at random, between pages that cannot be
 * read. Whatever they say, nothing outside of them is read, and each question is answered. SEED repeats a run.
 * tested: mutated inputs, COPIES damaged .eh_frame tables: nothing outside of the table is read.
 */
#include "probes/unwind/cfi.h"
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { COPIES = 200, QUESTIONS = 500, CHANGES = 40 };

/* The segment of this program that has the tables. */
struct tables {
	uintptr_t from, to, header;
	off_t offset; /* in the file */
};

static int program_look(struct dl_phdr_info *info, size_t size, void *data)
{
	struct tables *t = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			t->header = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    t->header - from < info->dlpi_phdr[i].p_memsz) {
			t->from = from;
			t->to = from + info->dlpi_phdr[i].p_filesz;
			t->offset = (off_t)info->dlpi_phdr[i].p_offset;
		}
	}
	return 1;
}

static unsigned answered(const struct cfi_table *t)
{
	unsigned n = 0;

	for (int i = 0; i < QUESTIONS; i++) {
		uintptr_t pc =
		    t->from + (uintptr_t)random() % (8 * (t->to - t->from)) - 4 * (t->to - t->from);

		n += cfi_rule_at(t, pc).kind > CFI_END;
	}
	return n;
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL),
		 rules = 0;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct cfi_entry entries[256];
	struct tables own = {0};
	size_t size, room, n = 0;
	unsigned char *map;
	int file = open("/proc/self/exe", O_RDONLY);

	printf("# SEED=%u\n", seed);
	srandom(seed);
	dl_iterate_phdr(program_look, &own);
	size = own.to - own.from;
	room = (size + page - 1) & ~(page - 1);
	map = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!own.header || map == MAP_FAILED)
		return 1;
	mprotect(map + page, room, PROT_READ | PROT_WRITE);
	for (int i = 0; i < COPIES; i++) {
		unsigned char *copy =
		    map + page + room - size; /* its end is that of what can be read */
		struct cfi_table t = {(const void *)(copy + (own.header - own.from)),
				      (uintptr_t)copy + size,
				      (uintptr_t)copy,
				      (uintptr_t)copy + size,
				      NULL,
				      0};
		size_t near = own.header - own.from;

		if (pread(file, copy, size, own.offset) != (ssize_t)size)
			return 1;
		for (int k = 0; k < CHANGES && i; k++)
			copy[k % 2 ? near + (size_t)random() % (size - near)
				   : near + (size_t)random() % 64] = (unsigned char)random();
		rules += answered(&t);
		n += cfi_entries(&t, (uintptr_t)copy + (size_t)random() % size, size, entries, 256);
	}
	printf("%s 1 - damaged tables are read within their bounds\n", rules ? "ok" : "not ok");
	printf("# %u rules, %zu entries\n1..1\n", rules, n);
	return !rules;
}
