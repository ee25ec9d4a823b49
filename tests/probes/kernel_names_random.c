/*
 * Random lists as /proc/kallsyms: the functions that are found are those of a plain search. Damaged ones are read to an end. SEED chooses
 * the random numbers.
 */
#include "recorder/samples/made_names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 2000, ADDRESSES = 30, SYMBOLS = 60, FUNCTION_MOST = 1 << 20 };

static unsigned tests;
static uint64_t addresses[ADDRESSES];
static size_t naddresses;

struct symbol {
	uint64_t start;
	char type, name[32];
};
static struct symbol symbols[SYMBOLS];
static size_t nsymbols;

/* What was found. */
static struct {
	uint64_t start, end;
	char name[32];
} found[ADDRESSES + SYMBOLS];
static size_t nfound;

static void check(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests, what);
}

static void take(void *context, const struct made_name *m)
{
	(void)context;
	if (nfound == sizeof found / sizeof *found)
		exit(1);
	found[nfound].start = m->start;
	found[nfound].end = m->end;
	snprintf(found[nfound].name, sizeof found[nfound].name, "%.*s", (int)m->length, m->name);
	nfound++;
}

static bool is_code(const struct symbol *s)
{
	return strchr("tTwW", s->type) != NULL;
}

/* As a reader would choose: strong, without underscores, global, the first one. */
static bool is_better(const struct symbol *a, const struct symbol *b)
{
	bool weak[] = {a->type == 'w' || a->type == 'W', b->type == 'w' || b->type == 'W'};
	size_t underscores[] = {strspn(a->name, "_"), strspn(b->name, "_")};

	if (weak[0] != weak[1])
		return weak[1];
	if (underscores[0] != underscores[1])
		return underscores[0] < underscores[1];
	return a->type != 't' && b->type == 't';
}

/* Returns the function that an address is in, and where it ends; NULL: it is in none. */
static const struct symbol *search(uint64_t address, uint64_t *end)
{
	const struct symbol *last = NULL;

	for (size_t i = 0; i < nsymbols; i++) {
		const struct symbol *s = &symbols[i];

		if (is_code(s) && s->start <= address &&
		    (!last || s->start > last->start ||
		     (s->start == last->start && is_better(s, last))))
			last = s;
	}
	if (!last)
		return NULL;
	*end = last->start + FUNCTION_MOST;
	for (size_t i = 0; i < nsymbols; i++)
		if (is_code(&symbols[i]) && symbols[i].start > last->start &&
		    symbols[i].start < *end)
			*end = symbols[i].start;
	return address < *end ? last : NULL;
}

static bool as_searched(void)
{
	size_t n = 0;
	uint64_t before = UINT64_MAX;

	for (size_t i = 0; i < naddresses; i++) {
		uint64_t end = 0;
		const struct symbol *s = search(addresses[i], &end);

		if (!s || s->start == before)
			continue;
		before = s->start;
		if (n == nfound || found[n].start != s->start || found[n].end != end ||
		    strcmp(found[n].name, s->name) != 0)
			return false;
		n++;
	}
	return n == nfound;
}

/* Numbers of some millions, so that some functions would be too long; several are equal. */
static uint64_t address_random(void)
{
	return UINT64_C(0xffffffff81000000) + (uint64_t)(random() % 100) * 70000 +
	       (uint64_t)(random() % 3);
}

static int by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void addresses_choose(void)
{
	size_t n = (size_t)random() % ADDRESSES;

	for (size_t i = 0; i < n; i++)
		addresses[i] = address_random();
	if (n)
		qsort(addresses, n, sizeof *addresses, by_address);
	naddresses = 0;
	for (size_t i = 0; i < n; i++)
		if (!i || addresses[i] != addresses[i - 1])
			addresses[naddresses++] = addresses[i];
}

static size_t list_make(char *text)
{
	static const char types[] = "tTwWdDbr", *const before[] = {"", "", "_", "__x64_"};
	size_t at = 0;

	nsymbols = (size_t)random() % SYMBOLS;
	for (size_t i = 0; i < nsymbols; i++) {
		struct symbol *s = &symbols[i];

		s->start = address_random();
		s->type = types[(size_t)random() % (sizeof types - 1)];
		snprintf(s->name, sizeof s->name, "%sf%zu", before[random() % 4], i);
		at += (size_t)sprintf(text + at, "%016lx %c %s%s\n", (unsigned long)s->start,
				      s->type, s->name, random() % 3 ? "" : "\t[module]");
	}
	return at;
}

static bool list_round(bool damaged)
{
	static char text[1 << 14];
	size_t n = list_make(text);
	int fd = memfd_create("names", MFD_CLOEXEC);
	bool good;

	addresses_choose();
	nfound = 0;
	for (int k = 0; damaged && n && k < 20; k++)
		text[(size_t)random() % n] = (char)random();
	if (fd < 0 || write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET))
		exit(1);
	good = kernel_names_read(fd, addresses, naddresses, take, NULL);
	close(fd);
	return good && (damaged || as_searched());
}

int main(void)
{
	const char *given = getenv("SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
	bool lists = true, damaged = true;

	printf("# SEED=%u\n", seed);
	srandom(seed);
	for (int i = 0; i < ROUNDS; i++) {
		lists &= list_round(false);
		damaged &= list_round(true);
	}
	check(lists, "functions of the kernel are those of a plain search, with their ends");
	check(damaged, "a damaged list is read to its end");
	printf("1..%u\n", tests);
	return 0;
}
