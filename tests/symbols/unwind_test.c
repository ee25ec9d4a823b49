/*
 * Where functions begin and end by unwind_table.h, compared at random addresses with what readelf
 * says of the same file; and damaged files. UNWIND_SEED: other numbers than those of each run.
 * tested: mutated inputs, DAMAGED files with damaged unwinding tables: they are read to an end.
 */
#include "base/array.h"
#include "base/file.h"
#include "tests/random.h"
#include "tests/tap.h"
#include "trace/symbols/elf_read.h"
#include "trace/symbols/unwind_table.h"
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ADDRESSES = 20000, DAMAGED = 500 };

struct range {
	uint64_t from, to;
};

struct oracle {
	struct range *at;
	size_t n, room;
};

static struct random numbers;

/* The name of the section that an address is in; "": none with code. */
static const char *section_at(Elf *elf, uint64_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr s;
	size_t names;

	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &s) && s.sh_flags & SHF_EXECINSTR &&
		    address - s.sh_addr < s.sh_size)
			return elf_strptr(elf, names, s.sh_name);
	return "";
}

/* Reads what readelf prints of all entries, of which none are within others. */
static void oracle_read(struct oracle *o, const char *path)
{
	char *command = text_format("readelf --debug-dump=frames '%s' 2>/dev/null", path);
	FILE *lines = popen(command, "r");
	char line[512];

	free(command);
	while (lines && fgets(line, sizeof line, lines)) {
		const char *pc = strstr(line, " pc=");
		struct range r;

		if (pc && sscanf(pc, " pc=%" SCNx64 "..%" SCNx64, &r.from, &r.to) == 2)
			*vector_add(o) = r;
	}
	if (lines)
		pclose(lines);
}

static bool oracle_find(const struct oracle *o, Elf *elf, uint64_t address, struct range *r)
{
	const char *section = section_at(elf, address);

	for (size_t i = 0; i < o->n; i++) {
		*r = o->at[i];
		if (r->from <= address && address < r->to)
			return *section && strncmp(section, ".plt", 4) != 0;
	}
	return false;
}

static bool agree(const struct unwind_table *t, Elf *elf, const struct oracle *o, uint64_t address)
{
	struct range r = {0}, wanted = {0};
	bool is = unwind_table_find(t, address, &r.from, &r.to);
	bool there = oracle_find(o, elf, address, &wanted);

	if (is == there && (!is || (r.from == wanted.from && r.to == wanted.to)))
		return true;
	printf("# %#" PRIx64 ": %d [%#" PRIx64 ", %#" PRIx64 "), readelf: %d [%#" PRIx64
	       ", %#" PRIx64 ")\n",
	       address, is, r.from, r.to, there, wanted.from, wanted.to);
	return false;
}

/* The largest segment with code of a file. */
static void code_of(int fd, uint64_t *from, uint64_t *size)
{
	struct elf_file f;
	Elf64_Phdr p;

	*from = *size = 0;
	if (!elf_read(&f, fd))
		return;
	for (unsigned i = 0; i < f.header.e_phnum; i++)
		if (elf_segment(&f, i, &p) && p.p_flags & PF_X && p.p_memsz > *size) {
			*from = p.p_vaddr;
			*size = p.p_memsz;
		}
}

static void test_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct unwind_table *t = fd >= 0 ? unwind_table_read(fd) : NULL;
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	struct oracle o = {0};
	unsigned found = 0, wrong = 0;
	uint64_t from, size, start, end;
	char *name = text_format("functions of %s", path);

	oracle_read(&o, path);
	code_of(fd, &from, &size);
	for (int i = 0; t && elf && size && i < ADDRESSES && wrong < 10; i++) {
		uint64_t address = from + random_next(&numbers) % size;

		wrong += !agree(t, elf, &o, address);
		found += unwind_table_find(t, address, &start, &end);
	}
	ok(wrong == 0 && found > ADDRESSES / 10, name);
	free(name);
	free(o.at);
	elf_end(elf);
	unwind_table_free(t);
	close(fd);
}

/* ---- the library that this program runs with ---- */

static int library_find(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	if (!strstr(info->dlpi_name, "libc.so"))
		return 0;
	*(char **)path = text_format("%s", info->dlpi_name);
	return 1;
}

/* ---- damaged ---- */

/* Where the tables are, each byte matters; elsewhere few do. */
static void damage(int fd, const struct file *f, const Elf64_Phdr *table)
{
	for (unsigned n = 1 + random_below(&numbers, 8); n > 0; n--) {
		unsigned char byte = (unsigned char)random_next(&numbers);
		uint64_t at =
		    random_chance(&numbers, 70)
			? table->p_offset + random_next(&numbers) % (table->p_filesz * 4)
			: random_next(&numbers) % (random_chance(&numbers, 50) ? 1024 : f->size);

		if (at < f->size && pwrite(fd, &byte, 1, (off_t)at) != 1)
			abort();
	}
}

static bool survives(int fd, uint64_t from, uint64_t size)
{
	struct unwind_table *t = unwind_table_read(fd);
	uint64_t start, end;
	bool good = true;

	for (int i = 0; t && i < 50; i++) {
		uint64_t address = from + random_next(&numbers) % size;

		if (unwind_table_find(t, address, &start, &end))
			good &= start <= address && address < end;
	}
	unwind_table_free(t);
	return good;
}

static void test_damaged(const char *path)
{
	Elf64_Phdr table = {0};
	struct elf_file elf;
	uint64_t from, size;
	bool good = true;
	struct file f;

	if (!file_load(&f, path, false))
		return;
	for (int i = 0; i < DAMAGED && good; i++) {
		int fd = memfd_create("damaged", MFD_CLOEXEC);
		size_t kept = random_chance(&numbers, 10) ? random_next(&numbers) % f.size : f.size;

		if (fd < 0 || !file_write_all(fd, f.bytes, kept))
			abort();
		code_of(fd, &from, &size);
		for (unsigned s = 0; elf_read(&elf, fd) && s < elf.header.e_phnum; s++)
			if (!elf_segment(&elf, s, &table) || table.p_type == PT_GNU_EH_FRAME)
				break;
		if (table.p_type == PT_GNU_EH_FRAME)
			damage(fd, &f, &table);
		good = size == 0 || survives(fd, from, size);
		close(fd);
	}
	file_unload(&f);
	ok(good, "damaged files have no function that an address is not in");
}

int main(void)
{
	const char *seed = getenv("UNWIND_SEED");
	char *library = NULL, program[4096] = "";

	numbers.state = seed ? strtoull(seed, NULL, 0) : 1;
	printf("# UNWIND_SEED=%" PRIu64 "\n", numbers.state);
	elf_version(EV_CURRENT);
	if (system("readelf --version >/dev/null 2>&1") != 0) {
		printf("1..0 # SKIP no readelf\n");
		return 0;
	}
	if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
		return 1;
	test_file(program);
	dl_iterate_phdr(library_find, &library);
	if (library)
		test_file(library);
	free(library);
	test_damaged(program);
	return tap_end();
}
