#include "probes/threads/futex_words.h"
#include "probes/threads/futex_operations.h"
#include "probes/threads/key_mix.h"
#include "runtime/system.h"
#include "runtime/text.h"
#include <fcntl.h>
#include <string.h>

/* ---- since when a word is taken ---- */

struct futex_word {
	uintptr_t word;   /* 0: free; set once */
	uint64_t taken;   /* since then at least; 0: not known */
	uint32_t stack;   /* of the thread that waits since then */
	uintptr_t waiter; /* the only thread that has ever waited; SEVERAL_WAIT */
	uintptr_t from;   /* threads that wait for that word were moved to this one */
};
#define SEVERAL_WAIT UINTPTR_MAX

/* A word that finds no room within so many places is not known. */
enum { WORDS = 1 << 15, LOOKED_AT = 8 };
static struct futex_word words[WORDS] __attribute__((aligned(4096)));
static bool words_used; /* by this process; most children only call exec */

static struct futex_word *word_find(const void *word, bool add)
{
	uintptr_t wanted = (uintptr_t)word;
	size_t at = (size_t)((wanted >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 40);

	for (int i = 0; i < LOOKED_AT; i++) {
		struct futex_word *w = &words[(at + (size_t)i) % WORDS];
		uintptr_t found = __atomic_load_n(&w->word, __ATOMIC_RELAXED);

		if (!found && !add)
			return NULL;
		if (found == wanted ||
		    (!found && __atomic_compare_exchange_n(&w->word, &found, wanted, false,
							   __ATOMIC_RELAXED, __ATOMIC_RELAXED)) ||
		    found == wanted)
			return w;
	}
	return NULL;
}

/*
 * A word for which one thread alone waits may be that thread's, and stand for any lock. Else it
 * may be the lock.
 */
static void waiter_note(struct futex_word *w)
{
	uintptr_t self = (uintptr_t)&wait_now, known = 0;

	if (!__atomic_compare_exchange_n(&w->waiter, &known, self, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED) &&
	    known != self)
		__atomic_store_n(&w->waiter, SEVERAL_WAIT, __ATOMIC_RELAXED);
}

/* The last waits of the thread that ended as it was woken. */
enum { GOT = 4 };
static __thread struct {
	const void *word;
	uint64_t since;
} got[GOT] __attribute__((tls_model("initial-exec")));
static __thread unsigned got_next __attribute__((tls_model("initial-exec")));
static __thread uint64_t got_last __attribute__((tls_model("initial-exec")));

static uint64_t got_take(const void *word)
{
	uint64_t since = 0;

	for (int i = 0; i < GOT; i++)
		if (got[i].word == word) {
			since = got[i].since;
			got[i].word = NULL;
		}
	return since;
}

void futex_word_busy(const void *word, uint64_t now, uint32_t stack)
{
	struct futex_word *w = word_find(word, true);
	uint64_t unknown = 0;

	__atomic_store_n(&words_used, true, __ATOMIC_RELAXED);
	got_take(word);
	if (!w)
		return;
	waiter_note(w);
	if (__atomic_compare_exchange_n(&w->taken, &unknown, now, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		__atomic_store_n(&w->stack, stack, __ATOMIC_RELAXED);
}

void futex_word_got(const void *word, uint64_t now)
{
	unsigned at = got_next++ % GOT;

	got[at].word = word;
	got[at].since = got_last = now;
}

struct futex_hold futex_word_released(const void *word)
{
	struct futex_word *w = word_find(word, false);
	uint64_t own = got_take(word), taken;
	struct futex_hold hold = {own, 0};

	if (!w)
		return hold;
	hold.waiter = __atomic_load_n(&w->stack, __ATOMIC_RELAXED);
	taken = __atomic_exchange_n(&w->taken, 0, __ATOMIC_RELAXED);
	hold.since = futex_held_since(
	    own, taken, got_last, __atomic_load_n(&w->waiter, __ATOMIC_RELAXED) != SEVERAL_WAIT);
	return hold;
}

void futex_word_move(const void *word, const void *to)
{
	struct futex_word *w = word_find(to, true);

	if (w)
		__atomic_store_n(&w->from, (uintptr_t)word, __ATOMIC_RELAXED);
}

const void *futex_word_moved(const void *to)
{
	struct futex_word *w = word_find(to, false);

	return w ? (const void *)__atomic_load_n(&w->from, __ATOMIC_RELAXED) : NULL;
}

void futex_words_forked(void)
{
	if (words_used && system_madvise(words, sizeof words, MADV_DONTNEED))
		memset(words, 0, sizeof words);
	words_used = false;
	for (int i = 0; i < GOT; i++)
		got[i].word = NULL;
	got_last = 0;
}

/* ---- words in shared memory ---- */

/* Keys of shared words have no address of memory in them, whose upper bits are 0. */
#define SHARED_MARK (UINT64_C(0xf7) << 56)
#define PROCESS_BITS 40 /* above the bits of an address that matter */

/* Reads a number; *at is behind it and one more character. */
static uint64_t number_read(const char **at, unsigned base)
{
	uint64_t n = 0;

	for (; **at; (*at)++) {
		unsigned digit = (unsigned)(**at - '0');

		if (digit > 9)
			digit = (unsigned)(**at - 'a') + 10;
		if (digit >= base)
			break;
		n = n * base + digit;
	}
	if (**at)
		(*at)++;
	return n;
}

/*
 * "7f0000000000-7f0000001000 rw-s 00002000 fd:01 1234  /dev/shm/x": returns the key of an address
 * in this mapping; 0: it is in another one. *mine: it is in this one, which is not shared.
 */
static uint64_t mapping_key(const char *line, uintptr_t address, bool *mine)
{
	const char *at = line;
	uint64_t from = number_read(&at, 16), to = number_read(&at, 16), offset, key;

	if (address < from || address >= to || strlen(at) < 5)
		return 0;
	*mine = at[3] != 's';
	at += 5;
	offset = number_read(&at, 16);
	key = key_mix(3, number_read(&at, 16));
	key = key_mix(key, number_read(&at, 16));
	key = key_mix(key, number_read(&at, 10));
	return *mine ? 0 : SHARED_MARK | key_mix(key, offset + (address - from)) >> 8;
}

/* Looks the address up in the process' list of mappings. */
static uint64_t shared_key(uintptr_t address)
{
	char text[4096];
	size_t n = 0;
	ssize_t read = 0;
	uint64_t key = 0;
	bool mine = false;
	int fd = system_openat(AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);

	while (fd >= 0 && !key && !mine &&
	       (read = system_read(fd, text + n, sizeof text - 1 - n)) > 0) {
		char *line = text, *end;

		n += (size_t)read;
		text[n] = '\0';
		for (; !key && !mine && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			key = mapping_key(line, address, &mine);
		}
		n = (size_t)(text + n - line);
		memmove(text, line, n);
		if (n == sizeof text - 1)
			n = 0;
	}
	if (fd >= 0)
		system_close(fd);
	return key;
}

uint64_t futex_key(const void *word, bool private)
{
	/* words of one page, for a time in which hardly any other memory comes to be there */
	enum { SAME_PAGE = 12 };
	static __thread struct {
		uintptr_t page;
		uint64_t key, until;
	} known __attribute__((tls_model("initial-exec")));
	uintptr_t address = (uintptr_t)word;
	uint64_t key = 0;

	if (!private && (known.page != address >> SAME_PAGE || glimpse_now() > known.until)) {
		known.page = address >> SAME_PAGE;
		known.key = shared_key(address & ~(((uintptr_t)1 << SAME_PAGE) - 1));
		known.until = glimpse_now() + (UINT64_C(1) << 27);
	}
	if (!private)
		key = known.key;
	if (key)
		return key + (address & (((uintptr_t)1 << SAME_PAGE) - 1));
	return key_mix(process_id, address) >> 1;
}
