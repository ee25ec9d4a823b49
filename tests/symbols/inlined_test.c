/*
 * Which calls are inlined where, by inlined.h, compared at random addresses of a file (this program) with the
 * scopes that libdw finds; and damaged debug information. INLINED_SEED: other numbers than those of each run.
 * tested: mutated inputs, DAMAGED files with damaged debug information: they are read to an end.
 */
#include "base/array.h"
#include "base/file.h"
#include "tests/random.h"
#include "tests/tap.h"
#include "trace/symbols/inlined.h"
#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ADDRESSES = 3000, DAMAGED = 60, DAMAGED_ADDRESSES = 100 };

static struct random numbers;

typedef VECTOR(Dwarf_Die) units;

static units units_of(Dwarf *dwarf)
{
	Dwarf_Off offset = 0, next;
	units all = {0};
	Dwarf_Die unit;
	size_t header;

	while (all.n < 1000 && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(dwarf, offset + header, &unit))
			*vector_add(&all) = unit;
		offset = next;
	}
	return all;
}

/* Returns an address of a unit; 0: it has none. */
static Dwarf_Addr address_in(Dwarf_Die *unit)
{
	Dwarf_Addr base, from, to, found = 0;
	ptrdiff_t at = 0;
	unsigned n = 0;

	while (n < 1000 && (at = dwarf_ranges(unit, at, &base, &from, &to)) > 0)
		if (from < to && random_below(&numbers, ++n) == 0)
			found = from + random_next(&numbers) % (to - from);
	return found;
}

static void calls_free(struct inlined_call *calls, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(calls[i].name);
}

/* ---- the oracle ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

static bool call_equals(Dwarf_Die *die, const struct inlined_call *c)
{
	Dwarf_Attribute memory, *line = dwarf_attr(die, DW_AT_call_line, &memory);
	Dwarf_Attribute named, *linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &named);
	Dwarf_Word number = 0;

	if (line)
		dwarf_formudata(line, &number);
	return number == c->line && !linkage == !c->linkage &&
	       (!linkage || strcmp(dwarf_formstring(linkage), c->linkage) == 0) && c->name &&
	       ends_with(c->name, dwarf_diename(die));
}

/*
 * Compares the calls at an address, which are scopes from the innermost one outwards. libdw does not find
 * functions that are within namespaces, as those of Rust.
 */
static bool address_try(struct inlined *x, Dwarf_Die *unit, Dwarf_Addr address, size_t *inlined)
{
	struct inlined_call calls[INLINED_MOST];
	size_t n = inlined_find(x, unit, address, calls), left = n;
	Dwarf_Die *scopes = NULL, *around = NULL;
	int nscopes = dwarf_getscopes(unit, address, &scopes);
	bool good = true, found = false;

	nscopes = nscopes > 0 ? dwarf_getscopes_die(&scopes[0], &around) : 0;
	for (int i = 0; i < nscopes && !found; i++) {
		found = dwarf_tag(&around[i]) == DW_TAG_subprogram;
		if (dwarf_tag(&around[i]) == DW_TAG_inlined_subroutine)
			good = good && left > 0 && call_equals(&around[i], &calls[--left]);
	}
	good = !found || (good && left == 0);
	if (!good)
		printf("# at %" PRIx64 ": %zu calls\n", (uint64_t)address, n);
	*inlined += found && n > 1;
	calls_free(calls, n);
	free(scopes);
	free(around);
	return good;
}

static void compare(Dwarf *dwarf)
{
	struct inlined *x = inlined_open();
	units all = units_of(dwarf);
	size_t inlined = 0;
	bool good = true;

	for (unsigned i = 0; i < ADDRESSES && all.n; i++) {
		Dwarf_Die *unit = &all.at[random_below(&numbers, (unsigned)all.n)];
		Dwarf_Addr address = address_in(unit);

		if (address)
			good = address_try(x, unit, address, &inlined) && good;
	}
	printf("# %zu units, %zu addresses with calls in calls\n", all.n, inlined);
	ok(good, "calls are those of the scopes");
	free(all.at);
	inlined_close(x);
}

/* ---- damaged files ---- */

/* Finds the bytes of a section in the file. */
static bool section_find(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) &&
		    !strcmp(elf_strptr(elf, names, header->sh_name), name))
			return true;
	return false;
}

static void dwarf_try(Dwarf *dwarf)
{
	struct inlined *x = inlined_open();
	units all = units_of(dwarf);

	for (unsigned i = 0; i < DAMAGED_ADDRESSES && all.n; i++) {
		struct inlined_call calls[INLINED_MOST];
		Dwarf_Die *unit = &all.at[random_below(&numbers, (unsigned)all.n)];
		size_t n = inlined_find(x, unit, address_in(unit), calls);

		calls_free(calls, n);
	}
	free(all.at);
	inlined_close(x);
}

static void damage(unsigned char *bytes, const GElf_Shdr *s)
{
	for (unsigned i = random_below(&numbers, 40); i > 0; i--)
		bytes[s->sh_offset + random_next(&numbers) % s->sh_size] =
		    (unsigned char)random_next(&numbers);
}

static void damaged(int fd)
{
	static const char *const sections[] = {".debug_info", ".debug_abbrev"};
	Elf *whole = elf_begin(fd, ELF_C_READ, NULL);
	GElf_Shdr headers[2];
	struct file file;

	for (unsigned i = 0; i < 2; i++)
		if (!section_find(whole, sections[i], &headers[i]))
			return;
	if (!file_take(&file, dup(fd), false))
		return;
	for (unsigned i = 0; i < DAMAGED; i++) {
		unsigned char *bytes = array_new(file.size, 1);
		Elf *elf;
		Dwarf *dwarf;

		memcpy(bytes, file.bytes, file.size);
		damage(bytes, &headers[0]);
		if (i % 2)
			damage(bytes, &headers[1]);
		elf = elf_memory((char *)bytes, file.size);
		dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
		if (dwarf)
			dwarf_try(dwarf);
		dwarf_end(dwarf);
		elf_end(elf);
		free(bytes);
	}
	ok(true, "damaged debug information");
	file_unload(&file);
	elf_end(whole);
}

int main(int argc, char **argv)
{
	const char *seed = getenv("INLINED_SEED");
	int fd = open(argc > 1 ? argv[1] : "/proc/self/exe", O_RDONLY);
	Dwarf *dwarf;

	numbers.state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
	printf("# INLINED_SEED=%" PRIu64 "\n", numbers.state);
	elf_version(EV_CURRENT);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!dwarf) {
		printf("1..0 # SKIP the file has no debug information\n");
		return 0;
	}
	compare(dwarf);
	dwarf_end(dwarf);
	damaged(fd);
	close(fd);
	return tap_end();
}
