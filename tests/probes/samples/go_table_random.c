/*
 * Tables of Go programs: made at random, each answer is that of the plain list they were made from; damaged ones, which
 * end where no memory can be read, are read within their bounds. SEED repeats a run.
 * tested: mutated inputs, TABLES damaged tables of Go programs: they are read within their
 * bounds, and whole ones give the answers of a list.
 */
#include "recorder/samples/go_table.h"
#include "tests/tap.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { TABLES = 200, FUNCTIONS = 50, STRETCHES = 8, QUESTIONS = 500, CHANGES = 20, ROOM = 1 << 16 };
enum { TOP = 1, WRITES = 2 };
#define TEXT UINT64_C(0x401000)

/* The plain list. */
static struct plain {
	uint32_t start, flags, n;
	struct {
		uint32_t end;
		int32_t size;
	} stretch[STRETCHES];
} plain[FUNCTIONS + 1];
static unsigned nplain;

static unsigned char made[ROOM];
static size_t size;

static uint32_t below(uint32_t n)
{
	return (uint32_t)random() % n;
}

static void put(size_t at, uint64_t value, size_t bytes)
{
	memcpy(made + at, &value, bytes);
}

static void append_number(uint32_t value)
{
	for (; value >= 0x80; value >>= 7)
		made[size++] = (unsigned char)(value | 0x80);
	made[size++] = (unsigned char)value;
}

static void functions_choose(void)
{
	uint32_t at = 0;

	nplain = 1 + below(FUNCTIONS);
	for (unsigned i = 0; i < nplain; i++) {
		struct plain *p = &plain[i];

		*p = (struct plain){
		    .start = at, .flags = below(8) ? 4 : 1 + below(3), .n = 1 + below(STRETCHES)};
		for (unsigned k = 0; k < p->n; k++) {
			at += 1 + below(below(4) ? 30 : 3000);
			p->stretch[k].end = at;
			p->stretch[k].size = (int32_t)(8 * below(below(4) ? 20 : 2000));
		}
	}
	plain[nplain] = (struct plain){.start = at};
}

/* Sizes are differences of numbers whose lowest bit is the sign; a function begins with -1. */
static void sizes_write(const struct plain *p)
{
	uint32_t at = p->start;
	int32_t before = -1;

	for (unsigned k = 0; k < p->n; k++) {
		int32_t by = p->stretch[k].size - before;

		/* one that is as before would be the end */
		if (!by)
			append_number(2), append_number(0), by = -1;
		append_number(by < 0 ? (uint32_t)-by * 2 - 1 : (uint32_t)by * 2);
		append_number(p->stretch[k].end - at);
		at = p->stretch[k].end;
		before = p->stretch[k].size;
	}
	append_number(0);
}

static void table_make(void)
{
	size_t pctab = 72, functions;
	uint32_t sizes[FUNCTIONS];

	functions_choose();
	size = pctab + 1;
	for (unsigned i = 0; i < nplain; i++) {
		sizes[i] = (uint32_t)(size - pctab);
		sizes_write(&plain[i]);
	}
	functions = size = (size + 7) & ~(size_t)7;
	size += nplain * 8 + 4;
	for (unsigned i = 0; i < nplain; i++) {
		put(functions + i * 8, plain[i].start, 4);
		put(functions + i * 8 + 4, size - functions, 4);
		memset(made + size, 0x55, 44);
		put(size, plain[i].start, 4);
		put(size + 16, sizes[i], 4);
		made[size + 41] = (unsigned char)plain[i].flags;
		size += 44;
	}
	put(functions + nplain * 8, plain[nplain].start, 4);
	put(0, 0xfffffff1, 4);
	put(4, 0x08010000, 4);
	put(8, nplain, 8);
	put(24, below(2) ? TEXT : 0, 8);
	put(56, pctab, 8);
	put(64, functions, 8);
}

/* The same by the plain list. */
static struct cfi_rule plain_rule(uint64_t address)
{
	for (unsigned i = 0; i < nplain; i++) {
		const struct plain *p = &plain[i];

		if (address - TEXT < p->start || address - TEXT >= plain[i + 1].start)
			continue;
		if (p->flags & TOP)
			return (struct cfi_rule){.kind = CFI_OUTERMOST};
		if (p->flags & WRITES)
			break;
		for (unsigned k = 0; k < p->n; k++)
			if (address - TEXT < p->stretch[k].end)
				return (struct cfi_rule){.kind = CFI_SP,
							 .cfa = p->stretch[k].size / 8 + 1,
							 .ra = -1,
							 .fp =
							     p->stretch[k].size ? -2 : CFI_FP_SAME};
	}
	return (struct cfi_rule){.kind = CFI_END};
}

static bool equal(struct cfi_rule a, struct cfi_rule b)
{
	return a.kind == b.kind && a.cfa == b.cfa && a.ra == b.ra && a.fp == b.fp &&
	       a.add == b.add && a.fp_at_fp == b.fp_at_fp;
}

static bool answers_equal(void)
{
	uint64_t entry = TEXT + plain[below(nplain)].start;
	struct go_table t;

	if (!go_table_open(&t, made, size, TEXT, entry))
		return false;
	for (int i = 0; i < QUESTIONS; i++) {
		uint64_t address = TEXT - 20 + below(plain[nplain].start + 40);

		if (!equal(go_table_rule(&t, address), plain_rule(address)))
			return false;
	}
	return true;
}

static unsigned damaged_read(unsigned char *end)
{
	unsigned char *copy = end - size;
	struct go_table t;
	unsigned opened;

	memcpy(copy, made, size);
	for (int k = 0; k < CHANGES; k++)
		copy[k % 4 ? below((uint32_t)size) : 8 + below(64)] = (unsigned char)random();
	opened = go_table_open(&t, copy, size, TEXT, TEXT + plain[below(nplain)].start);
	for (int i = 0; opened && i < QUESTIONS; i++)
		go_table_rule(&t, TEXT - 20 + below(2 * plain[nplain].start + 40));
	return opened;
}

int main(void)
{
#if defined(__x86_64__)
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *map = mmap(NULL, ROOM + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned opened = 0;
	bool equal_all = true;
	struct go_table t;

	printf("# SEED=%u\n", seed);
	srandom(seed);
	if (map == MAP_FAILED || mprotect(map, ROOM, PROT_READ | PROT_WRITE))
		return 1;
	for (int i = 0; i < TABLES; i++) {
		table_make();
		equal_all &= answers_equal();
		opened += damaged_read(map + ROOM);
	}
	ok(equal_all, "rules of tables are those of a plain list");
	ok(opened, "damaged tables are read within their bounds");
	put(24, 0, 8);
	ok(!go_table_open(&t, made, size, TEXT + 1, TEXT),
	   "where the functions begin must be known");
	for (size_t n = 0; n < 72; n++)
		if (go_table_open(&t, made, n, TEXT, TEXT))
			equal_all = false;
	ok(equal_all, "nor is one opened that is cut in its head");
#endif
	return tap_end();
}
