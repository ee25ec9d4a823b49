/*
 * Random perf maps and jitdump files: the names that are found are those of a plain search. Damaged ones are read to an end. Exits of
 * functions, by hand. SEED chooses the random numbers.
 * tested: oracles with random cases, ROUNDS maps: names of code that was made at run time, and a
 * plain search.
 */
#include "recorder/samples/code_exit.h"
#include "recorder/samples/made_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 300, ADDRESSES = 40, ENTRIES = 60, SPACE = 4000 };

static unsigned tests;
static uint64_t addresses[ADDRESSES];
static size_t naddresses;

/* The number in the name that was found for each address, -1: none; and its time. */
static long found[ADDRESSES];
static uint64_t times[ADDRESSES];
static size_t calls;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

static void addresses_choose(void)
{
	uint64_t at = 0;

	naddresses = (size_t)random() % ADDRESSES;
	for (size_t i = 0; i < naddresses; i++)
		addresses[i] = at += 1 + (uint64_t)random() % (2 * SPACE / ADDRESSES);
}

/* Of maps, which come from their end, the first call counts; of dumps, with a context, the latest time. */
static void take(void *context, const struct made_name *m)
{
	bool timed = context != NULL;

	calls++;
	for (size_t i = 0; i < naddresses; i++)
		if (m->start <= addresses[i] && addresses[i] < m->end &&
		    (found[i] < 0 || (timed && m->time >= times[i]))) {
			found[i] = strtol(m->name + 1, NULL, 10);
			times[i] = m->time;
		}
}

static void found_clear(void)
{
	for (size_t i = 0; i < ADDRESSES; i++) {
		found[i] = -1;
		times[i] = 0;
	}
	calls = 0;
}

static int file_of(const void *bytes, size_t n)
{
	int fd = memfd_create("names", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		exit(1);
	return fd;
}

struct entry {
	uint64_t start, size, time;
};

/* The last entry that has an address, in the order of `time` or of the file. */
static bool as_searched(const struct entry *entries, size_t n)
{
	for (size_t i = 0; i < naddresses; i++) {
		long last = -1;

		for (size_t k = 0; k < n; k++)
			if (addresses[i] >= entries[k].start &&
			    addresses[i] - entries[k].start < entries[k].size &&
			    (last < 0 || entries[k].time >= entries[last].time))
				last = (long)k;
		if (found[i] != last)
			return false;
	}
	return true;
}

static struct entry entry_random(void)
{
	struct entry e = {(uint64_t)random() % SPACE, (uint64_t)random() % (SPACE / 10), 0};

	return e;
}

/* padding: lines without meaning, so that the file is read in pieces. */
static bool map_round(bool padding)
{
	static char text[1 << 20];
	struct entry entries[ENTRIES];
	size_t n = (size_t)random() % ENTRIES, at = 0;
	int fd;

	addresses_choose();
	found_clear();
	for (size_t i = 0; i < n; i++) {
		entries[i] = entry_random();
		at += (size_t)sprintf(text + at, "%lx %lx n%zu of some\n",
				      (unsigned long)entries[i].start,
				      (unsigned long)entries[i].size, i);
		if (padding) {
			size_t length = (size_t)random() % 17000;

			memset(text + at, random() % 2 ? ' ' : '\n', length);
			at += length;
			text[at++] = '\n';
		}
	}
	at += (size_t)sprintf(text + at, "0 %x cut", 2 * SPACE);
	fd = file_of(text, at);
	perf_map_read(fd, addresses, naddresses, take, NULL);
	close(fd);
	return as_searched(entries, n) && calls <= naddresses;
}

static size_t record_put(char *to, uint32_t id, uint64_t time, const uint64_t *words, size_t n,
			 const char *name)
{
	size_t length = name ? strlen(name) + 1 : 0;
	uint32_t head[] = {id, (uint32_t)(24 + 8 * n + length)}, ids[] = {1, 1};

	memcpy(to, head, 8);
	memcpy(to + 8, &time, 8);
	memcpy(to + 16, ids, 8);
	memcpy(to + 24, words, 8 * n);
	if (name)
		memcpy(to + 24 + 8 * n, name, length);
	return head[1];
}

/* A file of loads; returns how long it is. */
static size_t dump_make(char *text, struct entry *entries, size_t n)
{
	uint32_t head[] = {0x4a695444, 1, 40, 62, 0, 1};
	uint64_t rest[] = {0, 0};
	size_t at = 40;

	memcpy(text, head, sizeof head);
	memcpy(text + sizeof head, rest, sizeof rest);
	for (size_t i = 0; i < n; i++) {
		struct entry old = entry_random();
		uint64_t load[] = {0, old.start, old.size, i};
		char name[32];

		entries[i] = old;
		entries[i].time = 10 * i + 1;
		snprintf(name, sizeof name, "n%zu of some", i);
		at += record_put(text + at, 0, entries[i].time, load, 4, name);
	}
	return at;
}

/* Puts all loads where no address is, and then moves them; returns how long that is. */
static size_t moves_make(char *text, size_t end, struct entry *entries, size_t n)
{
	const uint64_t far = UINT64_C(1) << 40;
	size_t offset = 40, at = end;
	uint32_t size;

	for (size_t i = 0; i < n; i++, offset += size) {
		uint64_t words[] = {0, far, 0, 0, i};

		memcpy(text + offset + 32, &far, 8);
		memcpy(&size, text + offset + 4, 4);
		entries[i] = entry_random();
		entries[i].time = 1000 + 10 * i;
		words[2] = entries[i].start;
		words[3] = entries[i].size;
		at += record_put(text + at, 1, entries[i].time, words, 5, NULL);
	}
	return at - end;
}

static bool dump_round(bool moved)
{
	static char text[1 << 16];
	struct entry entries[ENTRIES];
	size_t n = (size_t)random() % ENTRIES, at;
	int fd;

	addresses_choose();
	found_clear();
	at = dump_make(text, entries, n);
	if (moved)
		at += moves_make(text, at, entries, n);
	fd = file_of(text, at);
	jitdump_read(fd, addresses, naddresses, take, text);
	close(fd);
	return as_searched(entries, n);
}

/* Whatever the bytes, names are of the file and addresses in them. */
static void damaged_round(void)
{
	static char text[1 << 16];
	struct entry entries[ENTRIES];
	size_t n = dump_make(text, entries, ENTRIES);
	int fd;

	addresses_choose();
	for (int k = 0; k < 20; k++)
		text[(size_t)random() % n] = (char)random();
	fd = file_of(text, n - (size_t)random() % n);
	jitdump_read(fd, addresses, naddresses, take, text);
	perf_map_read(fd, addresses, naddresses, take, NULL);
	close(fd);
}

static bool exit_is(const char *code, size_t n, enum cfi_kind kind, int cfa, int fp)
{
	struct cfi_rule rule;
	/* what is behind it must not be read */
	unsigned char *copy = malloc(n);
	bool known;

	memcpy(copy, code, n);
	known = code_exit_rule(copy, n, &rule);
	free(copy);
	if (!known || kind == CFI_END)
		return !known && kind == CFI_END;
	return rule.kind == kind && rule.cfa == cfa && rule.fp == fp && rule.ra == -1;
}
#define EXIT(code, kind, cfa, fp) exit_is(code, sizeof(code) - 1, kind, cfa, fp)

static void exits_check(void)
{
	check(EXIT("\xc3", CFI_SP, 1, CFI_FP_SAME), "a return");
	check(EXIT("\x48\x83\xc4\x08\xc3", CFI_SP, 2, CFI_FP_SAME), "add $8,%rsp; ret");
	check(EXIT("\x48\x81\xc4\x00\x01\x00\x00\xf3\xc3", CFI_SP, 33, CFI_FP_SAME),
	      "add $256,%rsp; rep ret");
	check(EXIT("\x5b\x5d\x41\x5c\xc3", CFI_SP, 4, -3), "pop %rbx; pop %rbp; pop %r12; ret");
	check(EXIT("\x5b\xc9\xc3", CFI_FP, 2, -2), "pop %rbx; leave; ret");
	check(EXIT("\x5d\xc9\xc3", CFI_END, 0, 0), "leave with a frame pointer that is gone");
	check(EXIT("\x48\x83\xc4\x04\xc3", CFI_END, 0, 0), "half a word");
	check(EXIT("\x48\x83\xc4\xf8\xc3", CFI_END, 0, 0), "a frame that grows");
	check(EXIT("\x31\xc0\xc3", CFI_END, 0, 0), "another instruction");
	check(EXIT("\x5c\xc3", CFI_END, 0, 0), "pop %rsp");
	check(EXIT("\x48\x83\xc4\x08", CFI_END, 0, 0) && EXIT("\x48\x83\xc4", CFI_END, 0, 0) &&
		  EXIT("\x41", CFI_END, 0, 0) && EXIT("", CFI_END, 0, 0),
	      "code that ends");
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
	bool maps = true, long_maps = true, dumps = true, moves = true;

	printf("# SEED=%u\n", seed);
	srandom(seed);
	for (int i = 0; i < ROUNDS; i++) {
		maps &= map_round(false);
		dumps &= dump_round(false);
		moves &= dump_round(true);
		damaged_round();
	}
	for (int i = 0; i < ROUNDS / 10; i++)
		long_maps &= map_round(true);
	check(maps, "perf maps: the last line counts");
	check(long_maps, "long ones too, which are read in pieces");
	check(dumps, "jitdump files: each time has its name");
	check(moves, "and code that was moved");
#ifdef __x86_64__
	exits_check();
#endif
	printf("1..%u\n", tests);
	return 0;
}
