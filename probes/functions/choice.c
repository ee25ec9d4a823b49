#include "probes/functions/choice.h"
#include "probes/functions/calls.h"
#include "probes/functions/names.h"
#include "probes/functions/xray.h"
#include "runtime/system.h"
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The patterns in force. Threads may be reading the former ones, which are kept. */
struct function_choice {
	bool others; /* what no pattern fits is logged */
	uint32_t generation;
	size_t n;
	struct pattern {
		const char *text;
		bool on;
	} of[];
};

static struct function_choice *chosen;
static uint32_t generation;
static bool at_work; /* a lock: names are looked up by one thread at a time */
static const char *environment;

/* ---- Reading patterns ------------------------------------------------------------------------ */

static struct function_choice *choice_new(size_t most)
{
	struct function_choice *c =
	    system_mmap(NULL, sizeof *c + most * sizeof *c->of, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return c == MAP_FAILED ? NULL : c;
}

/* Returns the length of the first pattern: up to a comma outside of ( ) and < >. */
static size_t pattern_length(const char *s)
{
	size_t i = 0;

	for (int depth = 0; s[i] && (s[i] != ',' || depth > 0); i++)
		depth += (s[i] == '(' || s[i] == '<') - (s[i] == ')' || s[i] == '>');
	return i;
}

/* Cuts the text of the environment into patterns. */
static void environment_take(struct function_choice *c, char *s)
{
	for (bool more = *s; more;) {
		size_t length = pattern_length(s);
		bool on = *s != '-';

		more = s[length];
		s[length] = '\0';
		if (!c->n && on)
			c->others = false;
		c->of[c->n++] = (struct pattern){s + !on, on};
		s += length + 1;
	}
}

/* Cuts the lines of the file: "+PATTERN" and "-PATTERN". The last may be half written. */
static void lines_take(struct function_choice *c, char *s, char *end)
{
	for (char *line = s, *next; (next = memchr(line, '\n', (size_t)(end - line)));
	     line = next) {
		*next++ = '\0';
		if (*line == '+' || *line == '-')
			c->of[c->n++] = (struct pattern){line + 1, *line == '+'};
	}
}

/* Returns a copy of a file's text; NULL if there is none. */
static char *text_read(const char *path, size_t *size)
{
	int fd = system_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
	struct stat status;
	char *text = MAP_FAILED;
	ssize_t n = -1;

	*size = 0;
	if (fd < 0)
		return NULL;
	if (system_fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		text = system_mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text != MAP_FAILED)
		n = system_read(fd, text, (size_t)status.st_size);
	system_close(fd);
	*size = n > 0 ? (size_t)n : 0;
	return n > 0 ? text : NULL;
}

static void choice_make(const char *path)
{
	size_t size = 0, length = environment ? strlen(environment) : 0;
	char *text = path ? text_read(path, &size) : NULL;
	struct function_choice *c = choice_new(length + size + 2);
	char *copy;

	if (!c)
		return;
	c->others = true;
	copy = (char *)&c->of[length / 2 + size / 2 + 1];
	if (length)
		environment_take(c, memcpy(copy, environment, length + 1));
	if (text)
		lines_take(c, text, text + size);
	c->generation = ++generation;
	__atomic_store_n(&chosen, c, __ATOMIC_RELEASE);
	if (c->n || auto_off_wanted())
		__atomic_fetch_or(&calls_mode, CALLS_CHOOSY, __ATOMIC_RELAXED);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

static bool is_on(const struct function_choice *c, uintptr_t function)
{
	const char *name = names_find(function);
	bool on = c->others;

	for (size_t i = 0; i < c->n; i++)
		if (names_fit(c->of[i].text, name ? name : ""))
			on = c->of[i].on;
	return on;
}

static void lock(void)
{
	while (__atomic_exchange_n(&at_work, true, __ATOMIC_ACQUIRE))
		system_sched_yield();
}

static void unlock(void)
{
	__atomic_store_n(&at_work, false, __ATOMIC_RELEASE);
}

/* What a site keeps of its choice: the generation, and in the lowest bit whether it is off. */
static void site_choose(struct auto_off_site *site, const struct function_choice *c)
{
	bool off;

	lock();
	off = !is_on(c, site->key);
	unlock();
	__atomic_store_n(&site->chosen, c->generation << 1 | off, __ATOMIC_RELAXED);
}

struct auto_off_site *choice_find(uintptr_t function)
{
	const struct function_choice *c = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
	struct auto_off_site *site = auto_off_find(function);

	if (site && c && c->n &&
	    __atomic_load_n(&site->chosen, __ATOMIC_RELAXED) >> 1 != c->generation)
		site_choose(site, c);
	return site;
}

bool choice_is_off(const struct auto_off_site *site)
{
	return site_is_auto_off(site) || (__atomic_load_n(&site->chosen, __ATOMIC_RELAXED) & 1);
}

void choice_dropped(uintptr_t function)
{
	xray_function_off(function);
}

void choice_look(void)
{
	if (names_modules_collide())
		__atomic_fetch_or(&calls_mode, CALLS_WIDE, __ATOMIC_RELAXED);
}

/* ---- News ------------------------------------------------------------------------------------ */

void choice_load(void)
{
	environment = secure_getenv("GLIMPSE_FUNCTIONS");
	if (environment)
		environment = strdup(environment);
	choice_look();
	choice_make(NULL);
	xray_load();
}

/* Returns the path of the file of patterns; NULL if there is no run. */
static const char *choice_path(void)
{
	static char path[PATH_MAX + 16];
	const char *directory = glimpse_directory();

	if (!directory || strlen(directory) >= PATH_MAX)
		return NULL;
	strcpy(path, directory);
	return strcat(path, "/functions");
}

void choice_renew(void)
{
	lock();
	if (glimpse_off(&functions_glimpse, EVENT_SELECTED) &&
	    glimpse_switch("functions.Selected", 1) == 0) {
		choice_make(choice_path());
		Selected_Stamp((unsigned)chosen->n);
	}
	unlock();
	xray_choose();
}

void choice_forked(void)
{
	unlock();
}
