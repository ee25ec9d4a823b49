/*
 * What others write about the addresses of a program: the files `modules`, `objects` and `made` of a log
 * directory, ELF files, symbols, perf maps, jitdump files, code. The first byte of an input says which of them the rest is.
 */
#include "recorder/samples/code_exit.h"
#include "recorder/samples/made_names.h"
#include "trace/symbols/debug_link.h"
#include "trace/symbols/demangle.h"
#include "trace/symbols/inlined.h"
#include "trace/symbols/made_code.h"
#include "trace/symbols/modules.h"
#include "trace/symbols/object_names.h"
#include "trace/symbols/unwind_table.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int64_t time_of(const void *context, uint64_t ticks)
{
	(void)context;
	return (int64_t)ticks;
}

static void require(bool truth)
{
	if (!truth)
		abort();
}

/* Where is what a module begins and ends with? */
static void modules_try(const char *text, size_t n)
{
	struct modules m = {0};
	uint64_t whole;

	modules_read(&m, text, n, time_of, NULL);
	for (size_t i = 0; i < m.list.n; i++) {
		struct module *one = &m.list.at[i];
		struct module *found = modules_at(&m, one->start, 0);

		require(found && found->start <= one->start && one->start < found->end);
		require(modules_at(&m, one->end - 1, INT64_MAX));
		found = modules_at_low(&m, (uint32_t)one->start, 0, &whole);
		require(!found || (found->start <= whole && whole < found->end));
		require(one->spans.n && module_name(one));
		one->low = one->start - one->start % 3;
		one->high = one->end;
	}
	modules_order_memory(&m);
	for (size_t i = 0; i < m.list.n; i++)
		require(modules_with(&m, m.list.at[i].start, 0));
	modules_clear(&m);
}

static void names_try(const char *text, size_t n)
{
	struct object_names names = {0};

	object_names_read(&names, text, n, time_of, NULL);
	for (size_t i = 0; i < names.list.n; i++) {
		const struct object_name *one = &names.list.at[i];

		require(object_names_have(&names, one->address));
		object_names_find(&names, one->address, one->time, INT64_MIN, INT64_MAX);
		object_names_find(&names, one->address, INT64_MAX, one->time, one->time);
	}
	object_names_clear(&names);
}

static void made_try(const char *text, size_t n)
{
	struct made_codes m = {0};

	made_codes_read(&m, text, n, time_of, NULL);
	for (size_t i = 0; i < m.list.n; i++) {
		const struct made_code *one = &m.list.at[i], *found = made_codes_at(&m, one->start, one->time);

		require(found && found->start <= one->start && one->start < found->end && found->time <= one->time);
		require(made_codes_at(&m, one->end - 1, INT64_MIN));
	}
	made_codes_clear(&m);
}

/* Some addresses: small ones, as inputs have them, and the last one. */
static const uint64_t sampled[] = {0, 0x10, 0x1000, 0x1008, 0x2000, 0x7f0000001000, UINT64_MAX - 1, UINT64_MAX};

static void name_check(void *context, const struct made_name *m)
{
	size_t in = 0;

	for (size_t i = 0; i < sizeof sampled / sizeof *sampled; i++)
		in += m->start <= sampled[i] && sampled[i] < m->end;
	require(in && m->length && m->length <= MADE_NAME);
	for (size_t i = 0; i < m->length; i++)
		++*(size_t *)context;
}

static void names_file_try(const unsigned char *bytes, size_t n)
{
	int fd = memfd_create("names", MFD_CLOEXEC);
	size_t read = 0;

	if (fd < 0 || write(fd, bytes + 1, n - 1) != (ssize_t)(n - 1))
		abort();
	if (*bytes == 'p')
		perf_map_read(fd, sampled, sizeof sampled / sizeof *sampled, name_check, &read);
	else
		jitdump_read(fd, sampled, sizeof sampled / sizeof *sampled, name_check, &read);
	close(fd);
}

static void exit_try(const unsigned char *code, size_t n)
{
	struct cfi_rule rule;

	if (code_exit_rule(code, n, &rule))
		require((rule.kind == CFI_SP || rule.kind == CFI_FP) && rule.cfa > 0 && rule.ra == -1 &&
			(rule.fp == CFI_FP_SAME || (rule.fp < -1 && rule.fp >= -rule.cfa)));
}

/* Is each function where the address is that found it? */
static void unwind_try(int fd, const struct elf_look *look)
{
	struct unwind_table *t = unwind_table_read(fd);
	uint64_t start, end, size = look->high - look->low;

	for (uint64_t i = 0; t && i < 64; i++) {
		uint64_t address = look->low + (size < 64 * 8 ? i : i * (size / 64));

		if (unwind_table_find(t, address, &start, &end))
			require(start <= address && address < end);
	}
	unwind_table_free(t);
}

static void link_try(int fd)
{
	struct debug_link link;
	char *path;

	if (debug_link_read(fd, &link))
		require(*link.name && !strchr(link.name, '/'));
	for (unsigned i = 0; (path = debug_link_path(&link, "/bin/a", i)); i++)
		free(path);
}

/* Asks for inlined calls at some addresses of each unit of debug information. */
static void dwarf_try(int fd, const struct elf_look *look)
{
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	struct inlined *x = inlined_open();
	Dwarf_Off offset = 0, next;
	size_t header;
	Dwarf_Die unit;

	for (unsigned n = 0; dwarf && n < 8 &&
			     dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0;
	     n++, offset = next) {
		struct inlined_call calls[INLINED_MOST];

		for (uint64_t i = 0; dwarf_offdie(dwarf, offset + header, &unit) && i < 32; i++) {
			size_t found = inlined_find(
			    x, &unit, look->low + i * ((look->high - look->low) / 32), calls);

			require(found <= INLINED_MOST);
			for (size_t k = 0; k < found; k++) {
				require(calls[k].name || calls[k].linkage);
				free(calls[k].name);
			}
		}
	}
	inlined_close(x);
	dwarf_end(dwarf);
}

static void elf_try(const unsigned char *bytes, size_t n)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	struct elf_look look;
	struct build_id id;

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	require(!elf_look(fd, &look) || (look.low < look.high && look.id.n <= sizeof look.id.bytes));
	require(!elf_build_id(fd, &id) || id.n <= sizeof id.bytes);
	unwind_try(fd, &look);
	link_try(fd);
	dwarf_try(fd, &look);
	close(fd);
}

static void demangle_try(const char *text, size_t n)
{
	char *symbol = malloc(n + 1), *name;

	memcpy(symbol, text, n);
	symbol[n] = '\0';
	name = demangle(symbol);
	require(name);
	free(name);
	free(symbol);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	if (size == 0)
		return 0;
	switch (data[0]) {
	case 'm':
		modules_try((const char *)data + 1, size - 1);
		break;
	case 'o':
		names_try((const char *)data + 1, size - 1);
		break;
	case 'd':
		demangle_try((const char *)data + 1, size - 1);
		break;
	case 'c':
		made_try((const char *)data + 1, size - 1);
		break;
	case 'p':
	case 'j':
		names_file_try(data, size);
		break;
	case 'x':
		exit_try(data + 1, size - 1);
		break;
	default:
		elf_try(data, size);
	}
	return 0;
}
