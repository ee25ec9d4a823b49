#include "probes/follow_exec/environment.h"
#include "runtime/glimpse.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#define OURS "GLIMPSE_"
#define PRELOAD "LD_PRELOAD="
/* What the recorder put into LD_PRELOAD; kept apart, since the program may have more there. */
#define RECORD "GLIMPSE_RECORD="
/* The library of the probe java, for a program that starts a Java virtual machine. */
#define JAVA "GLIMPSE_JAVA="
#define DIRECTORY "GLIMPSE_DIR="
#define RECORDER "GLIMPSE_RECORDER="

enum { VARIABLES = 32, WORDS = 64, PAGE_LEAST = 4096 };

static const char *variables[VARIABLES]; /* GLIMPSE_...=..., copies */
static size_t nvariables;
static const char *libraries; /* the value of GLIMPSE_RECORD, in one of them */
static size_t libraries_length;
static const char *java; /* the value of GLIMPSE_JAVA, or NULL */
static size_t java_length;
static const char *library;   /* the first of them */
static const char *directory; /* where the run logs to */
static bool recorder;         /* makes directories where a process may not */
static pid_t alone;           /* the process whose children are left alone; 0: they are followed */

static bool is_variable(const char *text, const char *name)
{
	return strncmp(text, name, strlen(name)) == 0;
}

/* ---- at the start ---- */

static size_t noted_size(char *const *environment)
{
	size_t size = 0;

	for (; *environment; environment++)
		if (is_variable(*environment, OURS))
			size += strlen(*environment) + 1;
	return size;
}

/* Copies, since the program may write over its environment. */
static void variables_copy(char *const *environment, char *to)
{
	for (; *environment && nvariables < VARIABLES; environment++)
		if (is_variable(*environment, OURS)) {
			variables[nvariables++] = to;
			to = stpcpy(to, *environment) + 1;
		}
}

/* Whether the value of LD_PRELOAD has the library of the probe java behind our others. */
static bool has_java(const char *value)
{
	return java && value[libraries_length] == ':' &&
	       strncmp(value + libraries_length + 1, java, java_length) == 0;
}

/* Returns what comes behind ours, with its colon, in an LD_PRELOAD that begins with them. */
static const char *behind_ours(const char *value)
{
	return value + libraries_length + (has_java(value) ? 1 + java_length : 0);
}

/* The LD_PRELOAD that the user had behind ours; NULL: none. */
static char *preload_of_user(char *text)
{
	char *value = text + strlen(PRELOAD);

	if (strncmp(value, libraries, libraries_length) != 0)
		return text;
	value = (char *)behind_ours(value);
	if (*value != ':')
		return NULL;
	value -= strlen(PRELOAD) - 1;
	memmove(value, PRELOAD, strlen(PRELOAD)); /* over the end of ours, which is copied */
	return value;
}

static void environment_clear(void)
{
	char **to = environ;

	for (char **from = environ; *from; from++) {
		if (is_variable(*from, OURS))
			continue;
		*to = is_variable(*from, PRELOAD) ? preload_of_user(*from) : *from;
		to += *to != NULL;
	}
	*to = NULL;
}

static void libraries_note(void)
{
	for (size_t i = 0; i < nvariables; i++) {
		if (is_variable(variables[i], RECORD))
			libraries = variables[i] + strlen(RECORD);
		else if (is_variable(variables[i], JAVA))
			java = variables[i] + strlen(JAVA);
		else if (is_variable(variables[i], DIRECTORY))
			directory = variables[i] + strlen(DIRECTORY);
		else if (is_variable(variables[i], RECORDER))
			recorder = true;
		else if (strcmp(variables[i], "GLIMPSE_CHILDREN=no") == 0)
			alone = system_getpid();
	}
	libraries_length = libraries ? strlen(libraries) : 0;
	java_length = java ? strlen(java) : 0;
}

/* Notes the path of this library, which is the first one. */
static void library_note(void)
{
	Dl_info info;

	if (dladdr(&library, &info))
		library = info.dli_fname;
}

void environment_note(void)
{
	size_t size = noted_size(environ);
	void *copies;

	if (!size || nvariables)
		return;
	copies =
	    system_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copies == MAP_FAILED)
		return;
	variables_copy(environ, copies);
	system_mprotect(copies, size, PROT_READ);
	libraries_note();
	library_note();
	if (libraries && alone && glimpse_init(NULL) == 0)
		environment_clear();
}

bool environment_reachable(void)
{
	int error = errno;
	bool reachable =
	    (!library || system_faccessat(AT_FDCWD, library, R_OK) == 0) &&
	    (!directory || recorder || system_faccessat(AT_FDCWD, directory, W_OK | X_OK) == 0);

	errno = error;
	return reachable;
}

bool environment_alone(void)
{
	return alone;
}

/* ---- before an exec ---- */

static const char *preload_in(char *const *environment)
{
	for (; *environment; environment++)
		if (is_variable(*environment, PRELOAD))
			return *environment;
	return NULL;
}

/* Whether a variable LD_PRELOAD begins with our libraries. */
static bool has_libraries(const char *preload)
{
	return preload && strncmp(preload + strlen(PRELOAD), libraries, libraries_length) == 0;
}

/* Whether a variable LD_PRELOAD has the libraries that it should have. */
static bool is_right(const char *preload, enum environment_libraries with)
{
	if (with == LIBRARIES_NONE)
		return !has_libraries(preload);
	return has_libraries(preload) &&
	       (with != LIBRARIES_JAVA || !java || has_java(preload + strlen(PRELOAD)));
}

/* What the program itself has set, it keeps. */
static bool has_variable(char *const *environment, const char *variable)
{
	size_t name = strcspn(variable, "=") + 1;

	for (; *environment; environment++)
		if (strncmp(*environment, variable, name) == 0)
			return true;
	return false;
}

static char *const *listed(char *const *environment)
{
	static char *const nothing[] = {NULL};

	return environment ? environment : nothing;
}

/* Reads memory that the program named, as the kernel does. Where that is refused, it is trusted. */
static bool memory_get(void *to, const struct iovec *from, size_t n, size_t size)
{
	struct iovec all = {to, size};
	long got = SYSTEM_CALL(SYS_process_vm_readv, system_getpid(), &all, 1, from, n, 0);

	return got < 0 ? errno != EFAULT : (size_t)got == size;
}

/* Gets words up to the end of a page or of the list. Returns how many; 0: they cannot be read. */
static size_t words_get(char *const *from, char *words[WORDS])
{
	size_t page = PAGE_LEAST - (uintptr_t)from % PAGE_LEAST, n = page / sizeof *words;
	struct iovec part = {(void *)(uintptr_t)from, 0};

	n = n < 1 ? 1 : n > WORDS ? WORDS : n;
	part.iov_len = n * sizeof *words;
	words[0] = NULL; /* of what is trusted nothing was read */
	if (!memory_get(words, &part, 1, part.iov_len))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!words[i])
			return i + 1;
	return n;
}

/* Whether each of these strings begins in memory that can be read. */
static bool strings_begin(char *const *words, size_t n)
{
	struct iovec parts[WORDS];
	char first[WORDS];

	for (size_t i = 0; i < n; i++)
		parts[i] = (struct iovec){words[i], 1};
	return !n || memory_get(first, parts, n, n);
}

/*
 * Whether the kernel could read an environment: with a wrong one, exec fails and nothing else does.
 */
static bool environment_readable(char *const *environment)
{
	char *words[WORDS];
	int error = errno;
	bool readable = true, more = true;

	while (readable && more) {
		size_t n = words_get(environment, words);

		more = n && words[n - 1];
		readable = n && strings_begin(words, more ? n : n - 1);
		environment += n;
	}
	errno = error;
	return readable;
}

size_t environment_room(char *const *environment, enum environment_libraries with)
{
	size_t n = 0, missing = 0;
	const char *preload;

	if (!libraries || (alone && alone != system_getpid()))
		return 0;
	if (environment && !environment_readable(environment))
		return 0;
	environment = listed(environment);
	preload = preload_in(environment);
	for (size_t i = 0; i < nvariables; i++)
		missing += !has_variable(environment, variables[i]);
	if (!missing && is_right(preload, with))
		return 0;
	while (environment[n])
		n++;
	return (n + missing + 2) * sizeof(char *) + strlen(PRELOAD) + libraries_length +
	       java_length + 3 + (preload ? strlen(preload) : 0);
}

/* Adds LD_PRELOAD as it has to be, written to `text` where that is not as it was; or nothing. */
static char **preload_add(char **to, char *text, const char *preload,
			  enum environment_libraries with)
{
	const char *had = preload ? preload + strlen(PRELOAD) : "";

	if (is_right(preload, with)) {
		if (preload)
			*to++ = (char *)preload;
		return to;
	}
	*to = text;
	text = stpcpy(text, PRELOAD);
	if (has_libraries(preload)) {
		had = behind_ours(had);
		had += *had == ':';
	}
	if (with == LIBRARIES_NONE) {
		strcpy(text, had);
		return *had ? to + 1 : to;
	}
	text = stpcpy(text, libraries);
	if (with == LIBRARIES_JAVA && java)
		text = stpcpy(stpcpy(text, ":"), java);
	if (*had)
		strcpy(stpcpy(text, ":"), had);
	return to + 1;
}

char **environment_make(char *const *environment, enum environment_libraries with, void *room)
{
	char **made = room, **to = made;
	const char *preload;

	environment = listed(environment);
	preload = preload_in(environment);
	for (size_t i = 0; environment[i]; i++)
		if (environment[i] != preload)
			*to++ = environment[i];
	for (size_t i = 0; i < nvariables; i++)
		if (!has_variable(environment, variables[i]))
			*to++ = (char *)variables[i];
	/* the text comes behind LD_PRELOAD's place and the end */
	to = preload_add(to, (char *)(to + 2), preload, with);
	*to = NULL;
	return made;
}
