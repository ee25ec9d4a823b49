#include "probes/functions/xray.h"
#include "probes/functions/calls.h"
#include "probes/functions/choice.h"
#include "probes/functions/names.h"
#include "probes/wrap.h"
#include "runtime/system.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#define FUTEX_WAIT 0 /* of linux/futex.h, which musl-gcc lacks */

/* What a sled is at: the numbers of XRay's interface. */
enum xray_entry { XRAY_ENTRY, XRAY_EXIT, XRAY_TAIL, XRAY_ENTRY_ARGUMENTS };

/* The functions of the XRay runtime. */
static struct {
	int (*set_handler)(void (*)(int32_t, enum xray_entry));
	int (*patch_function)(int32_t);
	int (*unpatch_function)(int32_t);
	uintptr_t (*function_address)(int32_t);
	size_t (*max_function_id)(void);
} xray;

static uintptr_t *addresses; /* by id, from 1 on */
static bool *patched;
static int32_t nfunctions;
static bool at_work; /* a lock */

/* ---- Events ---------------------------------------------------------------------------------- */

#define SLED_LEAST 8 /* bytes from a function to behind its sled's call */
#define SLED_MOST 24
#define WORDS 80 /* how far up the return address is looked for */

static bool is_sled(uintptr_t word, uintptr_t function)
{
	return word - function - SLED_LEAST <= SLED_MOST - SLED_LEAST;
}

/*
 * Returns where a function's return address is on the stack: behind the one into its sled, by which
 * the runtime was called. How far up that is depends on the runtime; it is the same each time but
 * for the alignment.
 */
static const uintptr_t *return_place(const uintptr_t *frame, uintptr_t function)
{
	static uint32_t usual;
	uint32_t at = __atomic_load_n(&usual, __ATOMIC_RELAXED);

	if (is_sled(frame[at], function))
		return &frame[at + 1];
	for (at = 1; at < WORDS; at++)
		if (is_sled(frame[at], function)) {
			__atomic_store_n(&usual, at, __ATOMIC_RELAXED);
			return &frame[at + 1];
		}
	return NULL;
}

static void xray_event(int32_t id, enum xray_entry entry)
{
	const uintptr_t *frame = __builtin_frame_address(0), *place;
	uintptr_t function;

	if (id <= 0 || id > nfunctions)
		return;
	function = addresses[id];
	if (entry == XRAY_EXIT || entry == XRAY_TAIL) {
		calls_leave(function);
		return;
	}
	place = return_place(frame, function);
	calls_enter(function, place ? *place : 0, (uintptr_t)(place ? place : frame));
}

/* ---- Sleds ----------------------------------------------------------------------------------- */

static bool is_chosen(uintptr_t function)
{
	const struct auto_off_site *site;

	if (glimpse_off(&functions_glimpse, EVENT_ENTER))
		return false;
	site = calls_mode & CALLS_CHOOSY ? choice_find(function) : NULL;
	return !site || !choice_is_off(site);
}

static void function_set(int32_t id, bool on)
{
	if (patched[id] == on)
		return;
	patched[id] = on;
	if (on)
		xray.patch_function(id);
	else
		xray.unpatch_function(id);
}

/* The runtime's own locks are held while it patches: no handler may come in between. */
static void sleds_lock(sigset_t *before)
{
	const struct timespec pause = {0, 10000};
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
	while (__atomic_exchange_n(&at_work, true, __ATOMIC_ACQUIRE))
		system_nanosleep(&pause);
}

static void sleds_unlock(const sigset_t *before)
{
	__atomic_store_n(&at_work, false, __ATOMIC_RELEASE);
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void xray_function_off(uintptr_t function)
{
	sigset_t before;

	if (!nfunctions)
		return;
	sleds_lock(&before);
	for (int32_t id = 1; id <= nfunctions; id++)
		if (addresses[id] == function)
			function_set(id, false);
	sleds_unlock(&before);
}

/* ---- News from glimpse ctl ------------------------------------------------------------------- */

/*
 * Where sleds are out, no event may come that would see the news: a thread waits for it, at the
 * word of the event Selected in the process file.
 */
static void *news_wait(void *unused)
{
	(void)unused;
	calls_self.busy = true;
	for (;;) {
		const uint32_t *words = __atomic_load_n(&functions_glimpse.words, __ATOMIC_RELAXED);
		const struct timespec second = {1, 0};
		uint32_t word = __atomic_load_n(&words[EVENT_SELECTED], __ATOMIC_RELAXED);

		SYSTEM_CALL(SYS_futex, &words[EVENT_SELECTED], FUTEX_WAIT, word, &second, NULL, 0);
		if (calls_news())
			choice_renew();
	}
	return NULL;
}

/* The C library's own: the probe threads must not see this thread. */
static int thread_create(pthread_t *thread, const pthread_attr_t *attributes)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	__typeof__(&pthread_create) create = NULL;

	if (libc)
		create = (__typeof__(create))wrap_look(libc, "pthread_create");
	return (create ? create : pthread_create)(thread, attributes, news_wait, NULL);
}

static void listener_start(void)
{
	static bool started;
	pthread_attr_t attributes;
	sigset_t all, before;
	pthread_t thread;

	if (__atomic_exchange_n(&started, true, __ATOMIC_RELAXED))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	thread_create(&thread, &attributes);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void xray_choose(void)
{
	bool some_out = false;
	sigset_t before;

	if (!nfunctions)
		return;
	sleds_lock(&before);
	for (int32_t id = 1; id <= nfunctions; id++) {
		bool on = is_chosen(addresses[id]);

		function_set(id, on);
		some_out |= !on;
	}
	sleds_unlock(&before);
	if (some_out)
		listener_start();
}

/* ---- Start ----------------------------------------------------------------------------------- */

/* The runtime is a part of the program, which need not export it. */
static bool runtime_find(void **at, const char *name)
{
	*at = wrap_look(RTLD_DEFAULT, name);
	if (!*at)
		*at = (void *)names_program_symbol(name);
	return *at;
}

static bool runtime_take(void)
{
	return runtime_find((void **)&xray.set_handler, "__xray_set_handler") &&
	       runtime_find((void **)&xray.patch_function, "__xray_patch_function") &&
	       runtime_find((void **)&xray.unpatch_function, "__xray_unpatch_function") &&
	       runtime_find((void **)&xray.function_address, "__xray_function_address") &&
	       runtime_find((void **)&xray.max_function_id, "__xray_max_function_id");
}

static bool tables_make(size_t n)
{
	void *memory = system_mmap(NULL, (n + 1) * (sizeof *addresses + sizeof *patched),
				   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	addresses = memory;
	patched = (bool *)(addresses + n + 1);
	for (size_t id = 1; id <= n; id++)
		addresses[id] = xray.function_address((int32_t)id);
	return true;
}

void xray_load(void)
{
	size_t n;

	if (!names_program_section("xray_instr_map"))
		return;
	if (!runtime_take()) {
		fprintf(
		    stderr,
		    "glimpse: this program has XRay sleds, but no symbols that lead to its XRay "
		    "runtime; link it with -rdynamic, or do not strip it\n");
		return;
	}
	n = xray.max_function_id();
	if (n == 0 || n > INT_MAX / 2 || !tables_make(n))
		return;
	nfunctions = (int32_t)n;
	xray.set_handler(xray_event);
	xray_choose();
}
