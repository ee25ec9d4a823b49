/*
 * libglimpse: logs events of threaded programs at the cost of reading the clock.
 *
 * Programs use the public functions and the calls of their generated NAME_glimpse.h; nothing has
 * to be called first or last. The second half of this file is the path of an event, inline, and
 * what the generated stubs need; it is no interface for people. Valid C99 and C++11.
 */
#ifndef GLIMPSE_H
#define GLIMPSE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef GLIMPSE_DISABLE

/*
 * Logs to `directory` instead of what GLIMPSE_DIR or the default says. Optional; before the first
 * event. NULL or "" opens the default at once. 0, or -1 when nothing will be logged (one line on
 * stderr said why).
 */
int glimpse_init(const char *directory);

/* Names the calling thread, in its log from here on. At most 63 bytes are kept. */
void glimpse_thread_name(const char *name);

/* Switches the calling thread's events off, and on again. */
void glimpse_thread_switch(int on);

/*
 * Ends the calling thread's log, as its end would. An event after it opens another log. Not in a
 * signal handler.
 */
void glimpse_thread_close(void);

/*
 * Switches an event type of this program, by its name, as `glimpse ctl` does. 0, or -1: no such
 * event.
 */
int glimpse_switch(const char *event, int on);

/*
 * Writes what the logs hold at this moment to a new directory, while the program runs on. 0, or
 * -1 with errno set.
 */
int glimpse_snapshot(const char *directory);

/* Ends the calling thread's log and the run: later events of any thread are not logged. */
void glimpse_close(void);

#else

static inline int glimpse_init(const char *directory)
{
	(void)directory;
	return 0;
}

static inline void glimpse_thread_name(const char *name)
{
	(void)name;
}

static inline void glimpse_thread_switch(int on)
{
	(void)on;
}

static inline void glimpse_thread_close(void)
{
}

static inline int glimpse_switch(const char *event, int on)
{
	(void)event;
	(void)on;
	return 0;
}

static inline int glimpse_snapshot(const char *directory)
{
	(void)directory;
	return 0;
}

static inline void glimpse_close(void)
{
}

#endif /* GLIMPSE_DISABLE */

/*
 * ---- What generated stubs use ------------------------------------------------------------------
 *
 * NAME_glimpse.c defines one specification:
 *
 *	static uint32_t messages_words[] = { GLIMPSE_NEW, GLIMPSE_NEW };        one for each event
 *	static const char *const messages_events[] = { "Sendmsg", "Recvmsg" };
 *	struct glimpse_spec messages_glimpse = {
 *		messages_words, messages_words, GLIMPSE_ABI, 2, UINT64_C(0x...),
 *		"messages", messages_text, sizeof messages_text - 1, messages_events, NULL
 *	};
 *	GLIMPSE_REGISTER(messages_glimpse)
 *
 * NAME_glimpse.h has one function for each event. Sizes are multiples of 4 and, without strings,
 * constant:
 *
 *	static inline void Sendmsg_Stamp(int32_t src, int32_t seq)
 *	{
 *		struct glimpse_slot r = glimpse_begin(&messages_glimpse, 0, 12);
 *
 *		if (!r.at)
 *			return;
 *		glimpse_put32(r.at + 4, (uint32_t)src);
 *		glimpse_put32(r.at + 8, (uint32_t)seq);
 *		glimpse_end(r, 12);
 *	}
 *
 * A string is measured first, so that it is read once and an event that is off does not read it
 * at all:
 *
 *		struct glimpse_string s;
 *		struct glimpse_slot r;
 *
 *		if (glimpse_off(&messages_glimpse, 1))
 *			return;
 *		s = glimpse_measure(text);
 *		r = glimpse_begin(&messages_glimpse, 1, 8 + s.size);
 *		if (!r.at)
 *			return;
 *		glimpse_put32(r.at + 4, (uint32_t)src);
 *		glimpse_put_string(r.at + 8, s);                (the next one at r.at + 8 + s.size)
 *		glimpse_end(r, 8 + s.size);
 */

#define GLIMPSE_ABI 2u

/* A word of an event type: its id (16 or more) when it is on, or one of these. */
#define GLIMPSE_OFF 0u
#define GLIMPSE_NEW 1u  /* not registered yet */
#define GLIMPSE_FIRST_ID 16u

/* Longest string in a log, in bytes. */
#define GLIMPSE_STRING_MAX 4095u
#define GLIMPSE_STRING_CUT 0x80000000u

struct glimpse_spec {
	uint32_t *words;        /* one for each event; once registered, in the process file */
	uint32_t *local;        /* the same before registration: GLIMPSE_NEW */
	uint32_t abi;           /* GLIMPSE_ABI */
	uint32_t nevents;
	uint64_t schema;        /* identity, see doc/log-format.md */
	const char *name;
	const char *text;       /* the specification, as it was compiled */
	size_t length;          /* of the text */
	const char *const *events;
	struct glimpse_spec *next;      /* the runtime's */
};

#ifndef GLIMPSE_DISABLE

/*
 * Registers when the program or library that holds the specification is loaded and takes it back
 * when it is unloaded: before its other constructors, and after its other destructors. An event
 * that comes even earlier registers it, too.
 */
void glimpse_register(struct glimpse_spec *spec);
void glimpse_unregister(struct glimpse_spec *spec);

#define GLIMPSE_REGISTER(spec) \
	__attribute__((constructor(101))) static void spec##_register(void) \
	{ \
		glimpse_register(&spec); \
	} \
	__attribute__((destructor(101))) static void spec##_unregister(void) \
	{ \
		glimpse_unregister(&spec); \
	}

/*
 * ---- The path of an event ----------------------------------------------------------------------
 *
 * Every thread writes into a tail of its own: a small mapped file (doc/log-format.md). `at`, the
 * address of the next record, is what readers trust. It moves with a release store once a record
 * is whole, so a thread that dies at any instruction leaves a torn record beyond it, where no
 * reader looks.
 *
 * A signal handler may log while its thread is inside an event. `busy` marks the event from
 * before `at` is read until after it has moved: a handler that finds it set leaves this tail
 * alone and logs to another one, of the same thread (glimpse_begin_busy). A handler that comes
 * before the mark is set has come and gone before anything of the tail was read, and one that
 * comes after it was cleared finds a whole record. No instruction is left in between, so no lock
 * and no atomic read-modify-write is needed; the fences stop the compiler, the processor keeps
 * the order within one thread.
 *
 * A thread that has no tail points to glimpse_none, which is always busy: the first event costs
 * no test of its own. Where the clock is no processor's counter, `since` is GLIMPSE_NEVER and
 * each event goes through glimpse_begin_room; so does the fake clock of the tests.
 *
 * Some processors do next to nothing else while they read their counter: each instruction counts.
 */

#define GLIMPSE_TAIL_START 4096
#define GLIMPSE_TICK_BITS 20
#define GLIMPSE_TICKS (UINT64_C(1) << GLIMPSE_TICK_BITS)        /* that a TIME record is good for */
#define GLIMPSE_NEVER (0 - GLIMPSE_TICKS)       /* as `since`: no ticks are that soon after it */
#define GLIMPSE_ID_BITS 12

/*
 * The head of a tail's file. The order is the file's; the fields of an event stand in one cache
 * line.
 */
struct glimpse_tail {
	uint64_t magic;
	uint32_t version;
	uint32_t thread;
	uint64_t base;
	uint64_t at;            /* address of the next record */
	uint32_t start;
	uint32_t size;          /* room for records that the file has */
	uint32_t level;
	uint32_t busy;          /* an event or the slow path is at work here */
	uint64_t since;         /* ticks from which the newest TIME record is good */
	uint64_t end;           /* where `at` has to stop */
	uint64_t lost;          /* events that found no place, and that no note tells of yet */
	uint32_t why;
	uint32_t events;        /* in the tail, or in the block of a ring that is being filled */
};

/* Where a record goes; `at` is NULL when there is nothing to write. */
struct glimpse_slot {
	unsigned char *at;
	struct glimpse_tail *tail;
};

struct glimpse_string {
	const char *text;
	uint32_t word;          /* length, and whether it was cut, as logged */
	uint32_t size;          /* bytes it takes in a record */
};

extern __thread struct glimpse_tail *glimpse_self __attribute__((tls_model("initial-exec")));

/*
 * The slow path, in other files. All return the slot to write to, as glimpse_begin does.
 * new: the specification is not registered. busy: the thread's tail is at work or there is none.
 * room: no room, or a TIME record is due; entered with the mark set.
 */
struct glimpse_slot glimpse_begin_new(struct glimpse_spec *spec, uint32_t event, uint32_t size);
struct glimpse_slot glimpse_begin_busy(uint32_t id, uint32_t size);
struct glimpse_slot glimpse_begin_room(struct glimpse_tail *tail, uint32_t id, uint32_t size);

static inline uint64_t glimpse_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

static inline uint32_t glimpse_word(const struct glimpse_spec *spec, uint32_t event)
{
	const uint32_t *words = __atomic_load_n(&spec->words, __ATOMIC_RELAXED);

	return __atomic_load_n(&words[event], __ATOMIC_RELAXED);
}

static inline int glimpse_off(const struct glimpse_spec *spec, uint32_t event)
{
	return glimpse_word(spec, event) == GLIMPSE_OFF;
}

static inline void glimpse_put32(unsigned char *at, uint32_t value)
{
	memcpy(at, &value, sizeof value);
}

static inline void glimpse_put64(unsigned char *at, uint64_t value)
{
	memcpy(at, &value, sizeof value);
}

static inline void glimpse_put_double(unsigned char *at, double value)
{
	memcpy(at, &value, sizeof value);
}

static inline void glimpse_put_address(unsigned char *at, const volatile void *value)
{
	glimpse_put64(at, (uint64_t)(uintptr_t)value);
}

static inline struct glimpse_string glimpse_measured(const char *text, size_t length)
{
	struct glimpse_string s;

	s.text = text;
	s.word = (uint32_t)length;
	if (length > GLIMPSE_STRING_MAX)
		s.word = GLIMPSE_STRING_MAX | GLIMPSE_STRING_CUT;
	s.size = 4 + (((s.word & ~GLIMPSE_STRING_CUT) + 3) & ~3u);
	return s;
}

/* Measures a string for glimpse_put_string(). NULL is logged as "(null)". */
static inline struct glimpse_string glimpse_measure(const char *text)
{
	if (!text)
		text = "(null)";
	return glimpse_measured(text, strlen(text));
}

/* The same for a string as Fortran has it: blanks pad it to its length. */
static inline struct glimpse_string glimpse_measure_padded(const char *text, size_t length)
{
	while (length >= 8 && !memcmp(text + length - 8, "        ", 8))
		length -= 8;
	while (length && text[length - 1] == ' ')
		length--;
	return glimpse_measured(text, length);
}

static inline void glimpse_put_string(unsigned char *at, struct glimpse_string s)
{
	glimpse_put32(at + s.size - 4, 0);
	glimpse_put32(at, s.word);
	memcpy(at + 4, s.text, s.word & ~GLIMPSE_STRING_CUT);
}

/*
 * Only the thread itself and its handlers look at the mark. Atomic accesses would do the same and
 * have gcc compute its address first.
 */
static inline uint32_t glimpse_busy(const struct glimpse_tail *tail)
{
	return *(const volatile uint32_t *)&tail->busy;
}

static inline void glimpse_mark(struct glimpse_tail *tail, uint32_t busy)
{
	*(volatile uint32_t *)&tail->busy = busy;
}

/*
 * Opens a record of `size` bytes and writes its first word; the caller writes the rest and ends
 * it.
 */
static inline struct glimpse_slot glimpse_begin(struct glimpse_spec *spec, uint32_t event,
						uint32_t size)
{
	uint32_t id = glimpse_word(spec, event);
	struct glimpse_slot slot = { NULL, glimpse_self };
	uint64_t ticks, at;

	if (__builtin_expect(id < GLIMPSE_FIRST_ID, 0))
		return id == GLIMPSE_OFF ? slot : glimpse_begin_new(spec, event, size);
	if (__builtin_expect(glimpse_busy(slot.tail) != 0, 0))
		return glimpse_begin_busy(id, size);
	glimpse_mark(slot.tail, 1);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ticks = glimpse_ticks() - slot.tail->since;
	at = slot.tail->at;
	if (__builtin_expect(ticks >= GLIMPSE_TICKS, 0) ||
	    __builtin_expect(at + size > slot.tail->end, 0))
		return glimpse_begin_room(slot.tail, id, size);
	slot.at = (unsigned char *)(uintptr_t)at;
	glimpse_put32(slot.at, id | (uint32_t)ticks << GLIMPSE_ID_BITS);
	return slot;
}

/* Publishes the record. */
static inline void glimpse_end(struct glimpse_slot slot, uint32_t size)
{
	__atomic_store_n(&slot.tail->at, (uint64_t)(uintptr_t)slot.at + size, __ATOMIC_RELEASE);
	slot.tail->events++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	glimpse_mark(slot.tail, 0);
}

#else /* GLIMPSE_DISABLE: the generated calls are empty, a specification is data that nothing reads */

#define GLIMPSE_REGISTER(spec)

#endif

#ifdef __cplusplus
}
#endif

#endif
