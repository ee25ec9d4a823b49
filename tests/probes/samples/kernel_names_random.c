/*
 * Random lists as /proc/kallsyms: the functions that are found are those of a plain search. Damaged ones are read to an end. The same with
 * the cache: after another boot, other modules, code that came unseen, damage, and where it cannot be kept. SEED chooses the random numbers.
 * tested: oracles with random cases, ROUNDS lists: names of the kernel's functions and their
 * cache, and a plain search.
 */
#include "recorder/samples/kernel_cache.h"
#include "recorder/samples/kernel_table.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 2000, ADDRESSES = 30, SYMBOLS = 60, FUNCTION_MOST = 1 << 20 };

static unsigned tests;
static uint64_t addresses[ADDRESSES];
static size_t naddresses;

struct symbol {
	uint64_t start;
	char type, name[32];
	const char *module; /* "": none */
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
	static const char types[] = "tTwWdDbr", *const before[] = {"", "", "_", "__x64_"},
			  *const modules[] = {"", "\t[module]", "\t[bpf]"};
	size_t at = 0;

	nsymbols = (size_t)random() % SYMBOLS;
	for (size_t i = 0; i < nsymbols; i++) {
		struct symbol *s = &symbols[i];

		s->start = address_random();
		s->type = types[(size_t)random() % (sizeof types - 1)];
		snprintf(s->name, sizeof s->name, "%sf%zu", before[random() % 4], i);
		s->module = random() % 3 ? "" : modules[random() % 3];
		at += (size_t)sprintf(text + at, "%016lx %c %s%s\n", (unsigned long)s->start,
				      s->type, s->name, s->module);
	}
	return at;
}

static bool list_round(bool damaged)
{
	static char text[1 << 14];
	size_t n = list_make(text);
	int fd = memfd_create("names", MFD_CLOEXEC);
	struct kernel_table table;
	bool good;

	addresses_choose();
	nfound = 0;
	for (int k = 0; damaged && n && k < 20; k++)
		text[(size_t)random() % n] = (char)random();
	if (fd < 0 || write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET))
		exit(1);
	good = kernel_table_read(&table, fd);
	kernel_table_give(&table, addresses, naddresses, take, NULL);
	kernel_table_free(&table);
	close(fd);
	return good && (damaged || as_searched());
}

/* ---- the cache ---- */

static const struct kernel_files own = {"list", "modules", "boot"};

static void file_write(const char *path, const char *text, size_t n)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(text, 1, n, f) != n || fclose(f) != 0)
		exit(1);
}

static void file_say(const char *path, const char *text)
{
	file_write(path, text, strlen(text));
}

static bool names_as_searched(void)
{
	nfound = 0;
	return kernel_names_find(&own, addresses, naddresses, take, NULL) && as_searched();
}

/* Finds the names while the list cannot be read: what is found is from the cache. */
static bool kept(void)
{
	bool good;

	rename("list", "away");
	good = names_as_searched();
	rename("away", "list");
	return good;
}

/* Any number of names, at ascending places of the kernel's own. */
static void list_ascending(void)
{
	static char text[1 << 14];
	size_t at = 0;

	for (nsymbols = 0; nsymbols < SYMBOLS; nsymbols++) {
		struct symbol *s = &symbols[nsymbols];

		*s = (struct symbol){.start = UINT64_C(0xffffffff81000000) + nsymbols * 100000,
				     .type = "tTd"[random() % 3],
				     .module = nsymbols < SYMBOLS / 2 ? "" : "\t[module]"};
		snprintf(s->name, sizeof s->name, "f%ld", random());
		at += (size_t)sprintf(text + at, "%016lx %c %s%s\n", (unsigned long)s->start,
				      s->type, s->name, s->module);
	}
	symbols[0].type = text[17] = 't';
	file_write("list", text, at);
}

/* Chooses addresses between symbols of one owner. */
static void addresses_inside(void)
{
	addresses[0] = symbols[0].start + 1 + (uint64_t)random() % 1000;
	naddresses = 1;
}

/* Makes a cache of a new list. */
static bool cache_made(void)
{
	remove("cache/glimpse/kernel-names");
	file_say("boot", "5e2e\n");
	file_say("modules", "some 4096 1 other, Live 0xffffffffc0000000\n");
	list_ascending();
	addresses_inside();
	return names_as_searched() && kept();
}

static bool is_private(void)
{
	struct stat status;

	return cache_made() && stat("cache/glimpse/kernel-names", &status) == 0 &&
	       (status.st_mode & 07777) == 0600;
}

static bool counts_users(void)
{
	if (!cache_made())
		return false;
	file_say("modules", "some 4096 7 - Live 0xffffffffc0000000\n");
	return kept();
}

/* After a change of that file the list is read again, and kept again. */
static bool reads_again(const char *path, const char *text)
{
	if (!cache_made())
		return false;
	file_say(path, text);
	if (kept())
		return false;
	list_ascending();
	return names_as_searched() && kept();
}

/* An address behind the last symbol of an owner may be of code that came since. */
static bool trusts_inside(void)
{
	if (!cache_made())
		return false;
	addresses[0] = symbols[SYMBOLS - 1].start + 1;
	if (kept())
		return false;
	list_ascending();
	addresses[0] = symbols[SYMBOLS - 1].start + 1;
	return names_as_searched();
}

/* Writes other bytes, or fewer; what is found is right all the same. */
static bool damaged_round(void)
{
	static const char path[] = "cache/glimpse/kernel-names";
	struct stat status;
	char byte = (char)(1 + random() % 255), had;
	off_t at;
	int fd;

	if (!cache_made() || (fd = open(path, O_RDWR | O_CLOEXEC)) < 0 || fstat(fd, &status) != 0)
		return false;
	at = random() % status.st_size;
	if (random() % 4 == 0) {
		if (ftruncate(fd, at) != 0)
			exit(1);
	} else if (pread(fd, &had, 1, at) != 1 ||
		   (had = (char)(had ^ byte), pwrite(fd, &had, 1, at)) != 1) {
		exit(1);
	}
	close(fd);
	return !kept() && names_as_searched() && kept();
}

static bool needs_none(const char *folder)
{
	bool good;

	setenv("XDG_CACHE_HOME", folder, 1);
	list_ascending();
	addresses_inside();
	good = names_as_searched() && !kept();
	setenv("XDG_CACHE_HOME", getenv("OWN_CACHE"), 1);
	return good;
}

/* Whoever else may write to it may have written to it. */
static bool refuses_others(void)
{
	return cache_made() && chmod("cache/glimpse/kernel-names", 0620) == 0 && !kept() &&
	       names_as_searched() && kept();
}

static bool hides_nothing(void)
{
	if (!cache_made())
		return false;
	remove("cache/glimpse/kernel-names");
	file_say("list", "0000000000000000 T f\n0000000000000000 t g\n");
	nfound = 0;
	return kernel_names_find(&own, addresses, naddresses, take, NULL) && !nfound &&
	       access("cache/glimpse/kernel-names", F_OK) != 0;
}

/* Random lists and addresses; the cache may know some of the addresses. */
static bool cached_round(void)
{
	static char text[1 << 14];
	bool good = true;

	remove("cache/glimpse/kernel-names");
	file_write("list", text, list_make(text));
	for (int i = 0; i < 3; i++) {
		addresses_choose();
		good = names_as_searched() && good;
	}
	return good;
}

static void cache_checks(void)
{
	char folder[] = "/tmp/kernel-names-XXXXXX", path[sizeof folder + 16];
	bool damaged = true, cached = true;

	if (!mkdtemp(folder) || chdir(folder) != 0)
		exit(1);
	snprintf(path, sizeof path, "%s/cache", folder);
	setenv("XDG_CACHE_HOME", path, 1);
	setenv("OWN_CACHE", path, 1);
	check(is_private(), "the list is kept in the user's cache, and read there, by nobody else");
	check(counts_users(), "and also while modules have other users");
	check(reads_again("boot", "5e2f\n"), "after another boot the list is read again");
	check(reads_again("modules", "some 4096 1 other, Live 0xffffffffc0001000\n"),
	      "and after a module was loaded at another place");
	check(reads_again("modules", ""), "and after it was unloaded");
	check(trusts_inside(), "and for code behind the last function of a module");
	check(refuses_others(), "a file that others may write to is not used");
	check(hides_nothing(), "a list without addresses is not kept");
	check(needs_none("/proc/nowhere"), "without a place for it the list is read each time");
	for (int i = 0; i < 200; i++) {
		damaged &= damaged_round();
		cached &= cached_round();
	}
	check(damaged, "a damaged file is not used, and replaced");
	check(cached, "whatever is kept, functions are those of a plain search");
	remove("cache/glimpse/kernel-names");
	remove("cache/glimpse");
	remove("cache");
	remove("list");
	remove("modules");
	remove("boot");
	if (chdir("/") == 0)
		rmdir(folder);
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
	cache_checks();
	printf("1..%u\n", tests);
	return 0;
}
