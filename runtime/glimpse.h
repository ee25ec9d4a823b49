/*
 * libglimpse: logs events of threaded programs at the cost of reading the clock. glimpse(3).
 *
 * Programs use the public functions and the calls of their generated NAME_glimpse.h; nothing has
 * to be called first or last. The second half of this file, the inline path of an event and what
 * else generated stubs need, is no interface for programs. Valid C99 and C++11.
 */
#ifndef GLIMPSE_H
#define GLIMPSE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Around this file and those of stubs: no warnings of clang that say no more than that a program
 * would not be one of C++98, or that it is one of C.
 */
#ifdef __clang__
#define GLIMPSE_QUIET \
	_Pragma("clang diagnostic push") \
	    _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"") \
		_Pragma("clang diagnostic ignored \"-Wunsafe-buffer-usage\"") \
		    _Pragma("clang diagnostic ignored \"-Wc++98-compat-pedantic\"")
#define GLIMPSE_LOUD _Pragma("clang diagnostic pop")
#else
#define GLIMPSE_QUIET
#define GLIMPSE_LOUD
#endif

GLIMPSE_QUIET

/* What C++ writes in another way than C. */
#ifdef __cplusplus
#define GLIMPSE_NULL nullptr
#define GLIMPSE_NOEXCEPT noexcept
#define GLIMPSE_CAST(type, value) static_cast<type>(value)
#define GLIMPSE_POINTER(type, address) reinterpret_cast<type>(address)
#define GLIMPSE_ADDRESS(pointer) reinterpret_cast<uintptr_t>(pointer)
#define GLIMPSE_UNUSED(value) static_cast<void>(value)
#else
#define GLIMPSE_NULL NULL
#define GLIMPSE_NOEXCEPT
#define GLIMPSE_CAST(type, value) ((type)(value))
#define GLIMPSE_POINTER(type, address) ((type)(address))
#define GLIMPSE_ADDRESS(pointer) ((uintptr_t)(pointer))
#define GLIMPSE_UNUSED(value) ((void)(value))
#endif

/*
 * A string as an event takes it. C: it ends with a NUL. C++: the same, or whatever has data() and
 * size(), such as std::string and std::string_view. NULL is logged as "(null)".
 */
#ifdef __cplusplus
class glimpse_chars
{
      public:
	glimpse_chars(const char *text) noexcept : data_(text), size_(0), ends_(true)
	{
	}
	template <class T, class = decltype(static_cast<const char *>(
			       static_cast<const T *>(nullptr)->data()))>
	glimpse_chars(const T &text) noexcept : data_(text.data()), size_(text.size()), ends_(false)
	{
	}
	bool ends() const noexcept
	{
		return ends_;
	}
	const char *data() const noexcept
	{
		return data_;
	}
	size_t size() const noexcept
	{
		return size_;
	}

      private:
	const char *data_;
	size_t size_;
	bool ends_; /* with a NUL, which has not been looked for */
};

extern "C" {
#else
typedef const char *glimpse_chars;
#endif

/*
 * Functions of this file and of stubs. They are no functions of the program, where its compiler
 * has the calls of those recorded (-finstrument-functions, XRay).
 */
#ifdef __clang__
#define GLIMPSE_UNSEEN __attribute__((no_instrument_function, xray_never_instrument))
#else
#define GLIMPSE_UNSEEN __attribute__((no_instrument_function))
#endif
#define GLIMPSE_INLINE static inline GLIMPSE_UNSEEN __attribute__((nothrow))

/* Members of a guard, which are part of their callers: two specifications may name one alike. */
#define GLIMPSE_MEMBER __attribute__((always_inline, nothrow)) GLIMPSE_UNSEEN inline
#if defined __cplusplus && __cplusplus >= 202002L
#define GLIMPSE_NODISCARD [[nodiscard]]
#else
#define GLIMPSE_NODISCARD
#endif

#ifndef GLIMPSE_DISABLE

/*
 * Begins the run, and logs to `directory` instead of the one that GLIMPSE_DIR or the default
 * names; NULL or "" keeps that one. Optional, except for set-user-ID programs, which log only to a
 * directory that they name; to be called before the first event. Returns 0, or -1 if nothing will
 * be logged, with one line on stderr that says why.
 */
int glimpse_init(const char *directory) GLIMPSE_NOEXCEPT;

/*
 * Names the calling thread in its log. At most 63 bytes are kept. NULL: "omp 2" for thread 2 of an
 * OpenMP team, if it is in one; a log that began before has the name that the system knows.
 */
void glimpse_thread_name(const char *name) GLIMPSE_NOEXCEPT;

/* Switches the events of the calling thread off, or on again. */
void glimpse_thread_switch(int on) GLIMPSE_NOEXCEPT;

/*
 * Pauses the calling thread: none of its events is logged until it resumes. As
 * glimpse_thread_switch(0) and (1); a pause within a pause changes nothing.
 */
void glimpse_thread_pause(void) GLIMPSE_NOEXCEPT;
void glimpse_thread_resume(void) GLIMPSE_NOEXCEPT;

/*
 * Ends the log of the calling thread, as the end of the thread does. A later event of the thread
 * continues it, in another file; the tools show one thread. After seven times another log begins,
 * which is shown as another thread. Not for signal handlers.
 */
void glimpse_thread_close(void) GLIMPSE_NOEXCEPT;

/*
 * Switches an event type of this program by its name, as `glimpse ctl` does. Returns 0, or -1 if
 * there is no such event.
 */
int glimpse_switch(const char *event, int on) GLIMPSE_NOEXCEPT;

/*
 * Copies the logs as they are at this moment to a new directory, while the program runs on. Returns
 * 0, or -1 with errno set.
 */
int glimpse_snapshot(const char *directory) GLIMPSE_NOEXCEPT;

/*
 * Names an object of the program by its address, for attributes of type object: a lock "queue". The
 * name holds until the same address gets another one. So is code that the program makes itself, for
 * attributes of type code. Does nothing if no specification of the program has addresses.
 */
void glimpse_name(const volatile void *object, const char *name) GLIMPSE_NOEXCEPT;

/*
 * Says that the calling thread goes on with another stack, as coroutines do that change it by other
 * means than swapcontext(): called just before the change. The stack is named by any address that
 * is its own; NULL: the one that the thread began with. For the probe functions; does nothing
 * without.
 */
void glimpse_context(const void *stack) GLIMPSE_NOEXCEPT;

/*
 * Notes which libraries were loaded or unloaded, for addresses in the logs. To be called before and
 * after dlopen() and dlclose() by those who wrap them; costs little if nothing has changed.
 */
void glimpse_modules_changed(void) GLIMPSE_NOEXCEPT;

/*
 * Logs for other threads, perhaps of other processes: for a recorder that observes them from
 * outside, and writes what it saw with NAME_StampAt().
 *
 * open: returns a log whose header names the thread `tid` of the process `pid`; the name may be
 * NULL, at most 63 bytes are kept. Its file is there after its first event. Returns NULL if there
 * is no memory. select: events of the calling thread go to this log until it selects another one;
 * NULL is the thread's own. Costs a few ns. One log is one thread's at a time. Not for signal
 * handlers. close: ends the log, which no other thread may have selected. The end of the program
 * closes it, too.
 */
typedef struct glimpse_log glimpse_log;
glimpse_log *glimpse_log_open(uint32_t pid, uint64_t tid, const char *name) GLIMPSE_NOEXCEPT;
void glimpse_log_select(glimpse_log *log) GLIMPSE_NOEXCEPT;
void glimpse_log_close(glimpse_log *log) GLIMPSE_NOEXCEPT;

/* Ends the log of the calling thread, and the run: later events of any thread are not logged. */
void glimpse_close(void) GLIMPSE_NOEXCEPT;

#else

GLIMPSE_INLINE int glimpse_init(const char *directory) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(directory);
	return 0;
}

GLIMPSE_INLINE void glimpse_thread_name(const char *name) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(name);
}

GLIMPSE_INLINE void glimpse_thread_switch(int on) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(on);
}

GLIMPSE_INLINE void glimpse_thread_pause(void) GLIMPSE_NOEXCEPT
{
}

GLIMPSE_INLINE void glimpse_thread_resume(void) GLIMPSE_NOEXCEPT
{
}

GLIMPSE_INLINE void glimpse_thread_close(void) GLIMPSE_NOEXCEPT
{
}

GLIMPSE_INLINE int glimpse_switch(const char *event, int on) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(event);
	GLIMPSE_UNUSED(on);
	return 0;
}

GLIMPSE_INLINE int glimpse_snapshot(const char *directory) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(directory);
	return 0;
}

GLIMPSE_INLINE void glimpse_context(const void *stack) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(stack);
}

GLIMPSE_INLINE void glimpse_name(const volatile void *object, const char *name) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(object);
	GLIMPSE_UNUSED(name);
}

GLIMPSE_INLINE void glimpse_modules_changed(void) GLIMPSE_NOEXCEPT
{
}

typedef struct glimpse_log glimpse_log;

GLIMPSE_INLINE glimpse_log *glimpse_log_open(uint32_t pid, uint64_t tid,
					     const char *name) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(pid);
	GLIMPSE_UNUSED(tid);
	GLIMPSE_UNUSED(name);
	return GLIMPSE_NULL;
}

GLIMPSE_INLINE void glimpse_log_select(glimpse_log *log) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(log);
}

GLIMPSE_INLINE void glimpse_log_close(glimpse_log *log) GLIMPSE_NOEXCEPT
{
	GLIMPSE_UNUSED(log);
}

GLIMPSE_INLINE void glimpse_close(void) GLIMPSE_NOEXCEPT
{
}

#endif /* GLIMPSE_DISABLE */

/*
 * ---- What generated stubs use ------------------------------------------------------------------
 *
 * NAME_glimpse.c defines one specification:
 *
 *	static uint32_t messages_words[] = { GLIMPSE_NEW, GLIMPSE_NEW };  (one for each event)
 *	static const char *const messages_events[] = { "Sendmsg", "Recvmsg" };
 *	struct glimpse_spec messages_glimpse = {
 *		messages_words, messages_words, GLIMPSE_ABI, 2, UINT64_C(0x...),
 *		"messages", messages_text, sizeof messages_text - 1, messages_events, NULL
 *	};
 *	GLIMPSE_REGISTER(messages_glimpse)
 *
 * NAME_glimpse.h has one function for each event. Its name for the specification is not that of the
 * symbol, which is the schema's own: objects of different schemas cannot be linked. Sizes are
 * multiples of 4 and, without strings, constant:
 *
 *	extern struct glimpse_spec messages_glimpse __asm__(
 *		"messages_glimpse_f9a6..."
 *		"__link_messages_glimpse_c_or_recompile_all_that_include_messages_glimpse_h");
 *
 *	GLIMPSE_INLINE void Sendmsg_Stamp(int src, int seq) GLIMPSE_NOEXCEPT
 *	{
 *		struct glimpse_slot r = glimpse_begin(&messages_glimpse, 1, 12);
 *
 *		if (!r.at)
 *			return;
 *		glimpse_put_int(r.at + 4, src);
 *		glimpse_put_int(r.at + 8, seq);
 *		glimpse_end(r, 12);
 *	}
 *
 * A string is measured first, so that it is read once, and not at all if the event is off:
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
 *		glimpse_put_int(r.at + 4, src);
 *		glimpse_put_string(r.at + 8, s);               (the next one at r.at + 8 + s.size)
 *		glimpse_end(r, 8 + s.size);
 *
 * Sendmsg_StampAt(ticks, src, seq) is the same with glimpse_begin_at(&messages_glimpse, 1, 12,
 * ticks): for code that knows only afterwards what it was that happened, as wrappers of functions
 * do. The time is one of glimpse_now(); in one thread times should not step back.
 */

#define GLIMPSE_ABI 2u
#define GLIMPSE_ADDRESSES 0x10000u /* added to it: some attribute is code or an object */

/* The word of an event type: its id (16 or more) if it is on, or one of these. */
#define GLIMPSE_OFF 0u
#define GLIMPSE_NEW 1u /* not registered yet */
#define GLIMPSE_FIRST_ID 16u

/* Bytes of the longest string in a log. */
#define GLIMPSE_STRING_MAX 4095u
#define GLIMPSE_STRING_CUT 0x80000000u

struct glimpse_spec {
	uint32_t *words; /* one for each event; once registered, in the process file */
	uint32_t *local; /* the same before registration: GLIMPSE_NEW */
	uint32_t abi;    /* GLIMPSE_ABI, perhaps with GLIMPSE_ADDRESSES */
	uint32_t nevents;
	uint64_t schema; /* identity, see doc/log-format.md */
	const char *name;
	const char *text; /* the specification, as it was compiled */
	size_t length;    /* of the text */
	const char *const *events;
	struct glimpse_spec *next; /* the runtime's */
};

#ifndef GLIMPSE_DISABLE

/*
 * Register a specification when the program or library that has it is loaded, and unregister it
 * when that is unloaded: before its other constructors, and after its other destructors. An event
 * that comes even earlier registers the specification, too.
 */
void glimpse_register(struct glimpse_spec *spec) GLIMPSE_NOEXCEPT;
void glimpse_unregister(struct glimpse_spec *spec) GLIMPSE_NOEXCEPT;

#define GLIMPSE_REGISTER(spec) \
	__attribute__((constructor(101))) GLIMPSE_UNSEEN static void spec##_register(void) \
	{ \
		glimpse_register(&spec); \
	} \
	__attribute__((destructor(101))) GLIMPSE_UNSEEN static void spec##_unregister(void) \
	{ \
		glimpse_unregister(&spec); \
	}

/*
 * ---- The path of an event ----------------------------------------------------------------------
 *
 * Every thread writes to a tail of its own: a small mapped file (doc/log-format.md). Readers trust
 * `at`, the address of the next record. A release store moves `at` once a record is whole, so a
 * thread that dies at any instruction leaves a torn record beyond `at`, where no reader looks.
 *
 * A signal handler may log while its thread is inside an event. `busy` marks the event from before
 * `at` is read until after `at` has moved. A handler that finds the mark set leaves this tail alone
 * and logs to another tail of the same thread (glimpse_begin_busy). A handler that runs before the
 * mark is set is over before anything of the tail is read, and a handler that runs after the mark
 * is cleared finds a whole record. No instruction is left in between, so no lock and no atomic
 * read-modify-write is needed; the fences stop the compiler, and the processor keeps the order
 * within one thread. A handler that leaves the event by siglongjmp() leaves the mark behind. That
 * is why the mark is the stack pointer: an event whose frame is not below the marked one is not a
 * handler's, and finds that the marked event is over (stack.c).
 *
 * For a thread without a tail, glimpse_self points to a head that is always busy, so the first
 * event costs no test of its own. If the clock is not the processor's counter, `since` is
 * GLIMPSE_NEVER and each event takes glimpse_begin_room().
 *
 * Some processors do next to nothing else while they read their counter: each instruction counts.
 */

#define GLIMPSE_TAIL_START 4096
#define GLIMPSE_TICK_BITS 20
#define GLIMPSE_TICKS (UINT64_C(1) << GLIMPSE_TICK_BITS) /* covered by a TIME record */
#define GLIMPSE_NEVER (0 - GLIMPSE_TICKS)                /* as `since`: no ticks are covered */
#define GLIMPSE_ID_BITS 12
#define GLIMPSE_RESERVED 16 /* bytes that reserved room has more: for TIME records */

/*
 * The head of a tail, laid out as in its file. The fields that an event needs share one cache line.
 */
struct glimpse_tail {
	uint64_t magic;
	uint32_t version;
	uint32_t thread;
	uint64_t base;
	uint64_t at; /* address of the next record */
	uint32_t start;
	uint32_t size; /* bytes for records in the file */
	uint32_t level;
	uint32_t busy;  /* not 0 while an event or the slow path is at work */
	uint64_t since; /* first of the ticks that the newest TIME record covers */
	uint64_t end;   /* address at which `at` has to stop */
	uint64_t lost;  /* lost events that no note has counted yet */
	uint32_t why;
	uint32_t events; /* in the tail, or in the current block of a ring */
};

/* The place of a record; `at` is NULL if nothing is to be written. */
struct glimpse_slot {
	unsigned char *at;
	struct glimpse_tail *tail;
};

struct glimpse_string {
	const char *text;
	uint32_t word; /* logged length, with GLIMPSE_STRING_CUT if the string is cut */
	uint32_t size; /* bytes in a record */
};

extern __thread struct glimpse_tail *glimpse_self __attribute__((tls_model("initial-exec")));
extern __thread int glimpse_guarded __attribute__((tls_model("initial-exec")));

/*
 * Begin a record on the slow path (event.c), and return the slot to write to, as glimpse_begin()
 * does. There is one function for each reason.
 *
 * new: the specification is not registered.
 * busy: the thread's tail is busy, or the thread has none.
 * room: the tail has no room, or a TIME record is due. It is called with the mark set.
 * given: any of these, with the event's time.
 */
struct glimpse_slot glimpse_begin_new(struct glimpse_spec *spec, uint32_t event,
				      uint32_t size) GLIMPSE_NOEXCEPT;
struct glimpse_slot glimpse_begin_busy(uint32_t id, uint32_t size) GLIMPSE_NOEXCEPT;
struct glimpse_slot glimpse_begin_room(struct glimpse_tail *tail, uint32_t id,
				       uint32_t size) GLIMPSE_NOEXCEPT;
struct glimpse_slot glimpse_begin_given(struct glimpse_spec *spec, uint32_t event, uint32_t size,
					uint64_t ticks) GLIMPSE_NOEXCEPT;
/* What functions for wrappers do where the thread's tail does not know. */
uint64_t glimpse_now_unknown(void) GLIMPSE_NOEXCEPT;
void glimpse_reserve_room(uint32_t bytes) GLIMPSE_NOEXCEPT;
int glimpse_paused_busy(void) GLIMPSE_NOEXCEPT;

GLIMPSE_INLINE uint64_t glimpse_ticks(void)
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

GLIMPSE_INLINE uint32_t glimpse_word(const struct glimpse_spec *spec, uint32_t event)
{
	const uint32_t *words = __atomic_load_n(&spec->words, __ATOMIC_RELAXED);

	return __atomic_load_n(&words[event], __ATOMIC_RELAXED);
}

GLIMPSE_INLINE int glimpse_off(const struct glimpse_spec *spec, uint32_t event)
{
	return glimpse_word(spec, event) == GLIMPSE_OFF;
}

GLIMPSE_INLINE void glimpse_put32(unsigned char *at, uint32_t value)
{
	memcpy(at, &value, sizeof value);
}

GLIMPSE_INLINE void glimpse_put_int(unsigned char *at, int value)
{
	memcpy(at, &value, sizeof value);
}

GLIMPSE_INLINE void glimpse_put64(unsigned char *at, uint64_t value)
{
	memcpy(at, &value, sizeof value);
}

GLIMPSE_INLINE void glimpse_put_long(unsigned char *at, int64_t value)
{
	memcpy(at, &value, sizeof value);
}

GLIMPSE_INLINE void glimpse_put_double(unsigned char *at, double value)
{
	memcpy(at, &value, sizeof value);
}

GLIMPSE_INLINE void glimpse_put_address(unsigned char *at, const volatile void *value)
{
	glimpse_put64(at, GLIMPSE_ADDRESS(value));
}

GLIMPSE_INLINE void glimpse_put_code32(unsigned char *at, const void *value)
{
	glimpse_put32(at, GLIMPSE_CAST(uint32_t, GLIMPSE_ADDRESS(value)));
}

GLIMPSE_INLINE struct glimpse_string glimpse_measured(const char *text, size_t length)
{
	struct glimpse_string s;

	s.text = text;
	s.word = GLIMPSE_CAST(uint32_t, length);
	if (length > GLIMPSE_STRING_MAX)
		s.word = GLIMPSE_STRING_MAX | GLIMPSE_STRING_CUT;
	s.size = 4 + (((s.word & ~GLIMPSE_STRING_CUT) + 3) & ~3u);
	return s;
}

/* Measures a string for glimpse_put_string(); NULL is logged as "(null)". */
GLIMPSE_INLINE struct glimpse_string glimpse_measure(glimpse_chars given)
{
#ifdef __cplusplus
	const char *text = given.data();

	if (!given.ends())
		return glimpse_measured(text ? text : "", given.size());
#else
	const char *text = given;

#endif
	if (!text)
		text = "(null)";
	return glimpse_measured(text, strlen(text));
}

/* Measures a Fortran string, without the blanks that pad it to its length. */
GLIMPSE_INLINE struct glimpse_string glimpse_measure_padded(const char *text, size_t length)
{
	while (length >= 8 && !memcmp(text + length - 8, "        ", 8))
		length -= 8;
	while (length && text[length - 1] == ' ')
		length--;
	return glimpse_measured(text, length);
}

GLIMPSE_INLINE void glimpse_put_string(unsigned char *at, struct glimpse_string s)
{
	glimpse_put32(at + s.size - 4, 0);
	glimpse_put32(at, s.word);
	memcpy(at + 4, s.text, s.word & ~GLIMPSE_STRING_CUT);
}

/*
 * Returns the busy mark, which only the thread itself and its handlers use. Atomic accesses would
 * do the same, but gcc would compute the address of the mark first.
 */
GLIMPSE_INLINE uint32_t glimpse_busy(const struct glimpse_tail *tail)
{
	const volatile uint32_t *mark = &tail->busy;

	return *mark;
}

#define GLIMPSE_MARK 1u /* where the stack pointer is not known */

GLIMPSE_INLINE void glimpse_mark(struct glimpse_tail *tail, uint32_t busy)
{
	volatile uint32_t *mark = &tail->busy;

	*mark = busy;
}

/* Sets the mark to the lower half of the stack pointer, by one instruction as for a constant. */
GLIMPSE_INLINE void glimpse_mark_stack(struct glimpse_tail *tail)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ __volatile__("movl %%esp, %0" : "=m"(tail->busy));
#elif defined(__aarch64__)
	uint64_t stack;

	__asm__ __volatile__("mov %0, sp" : "=r"(stack));
	glimpse_mark(tail, GLIMPSE_CAST(uint32_t, stack));
#else
	glimpse_mark(tail, GLIMPSE_MARK);
#endif
}

GLIMPSE_INLINE unsigned char *glimpse_pointer(uint64_t at)
{
#if UINTPTR_MAX < UINT64_MAX
	return GLIMPSE_POINTER(unsigned char *, GLIMPSE_CAST(uintptr_t, at));
#else
	return GLIMPSE_POINTER(unsigned char *, at);
#endif
}

/*
 * Begins a record of `size` bytes and writes its first word; the caller writes the rest and calls
 * glimpse_end().
 */
GLIMPSE_INLINE struct glimpse_slot glimpse_begin(struct glimpse_spec *spec, uint32_t event,
						 uint32_t size)
{
	uint32_t id = glimpse_word(spec, event);
	struct glimpse_slot slot = { GLIMPSE_NULL, glimpse_self };
	uint64_t ticks, at;

	if (__builtin_expect(id < GLIMPSE_FIRST_ID, 0))
		return id == GLIMPSE_OFF ? slot : glimpse_begin_new(spec, event, size);
	if (__builtin_expect(glimpse_busy(slot.tail) != 0, 0))
		return glimpse_begin_busy(id, size);
	glimpse_mark_stack(slot.tail);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ticks = glimpse_ticks() - slot.tail->since;
	at = slot.tail->at;
	if (__builtin_expect(ticks >= GLIMPSE_TICKS, 0) ||
	    __builtin_expect(at + size > slot.tail->end, 0))
		return glimpse_begin_room(slot.tail, id, size);
	slot.at = glimpse_pointer(at);
	glimpse_put32(slot.at, id | GLIMPSE_CAST(uint32_t, ticks) << GLIMPSE_ID_BITS);
	return slot;
}

/* Begins a record as glimpse_begin() does, of an event that happened at `ticks`. */
GLIMPSE_INLINE struct glimpse_slot glimpse_begin_at(struct glimpse_spec *spec, uint32_t event,
						    uint32_t size, uint64_t ticks)
{
	uint32_t id = glimpse_word(spec, event);
	struct glimpse_slot slot = { GLIMPSE_NULL, glimpse_self };
	uint64_t at;

	if (__builtin_expect(id < GLIMPSE_FIRST_ID || glimpse_busy(slot.tail) != 0, 0))
		return id == GLIMPSE_OFF ? slot : glimpse_begin_given(spec, event, size, ticks);
	glimpse_mark_stack(slot.tail);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	at = slot.tail->at;
	if (__builtin_expect(ticks - slot.tail->since >= GLIMPSE_TICKS, 0) ||
	    __builtin_expect(at + size > slot.tail->end, 0)) {
		glimpse_mark(slot.tail, 0);
		return glimpse_begin_given(spec, event, size, ticks);
	}
	slot.at = glimpse_pointer(at);
	glimpse_put32(slot.at, id | GLIMPSE_CAST(uint32_t, ticks) << GLIMPSE_ID_BITS);
	return slot;
}

/* Publishes a record. */
GLIMPSE_INLINE void glimpse_end(struct glimpse_slot slot, uint32_t size)
{
	__atomic_store_n(&slot.tail->at, GLIMPSE_ADDRESS(slot.at) + size, __ATOMIC_RELEASE);
	slot.tail->events++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	glimpse_mark(slot.tail, 0);
}

/*
 * ---- For wrappers of functions -----------------------------------------------------------------
 */

/*
 * Returns the time as the run's logs count it: ticks of the processor's counter, or nanoseconds of
 * CLOCK_MONOTONIC where that is their clock. For NAME_StampAt().
 */
GLIMPSE_INLINE uint64_t glimpse_now(void)
{
	if (__builtin_expect(glimpse_self->since == GLIMPSE_NEVER, 0))
		return glimpse_now_unknown();
	return glimpse_ticks();
}

/* Returns the absolute path of the log directory; NULL before the run begins, and after its end. */
const char *glimpse_directory(void) GLIMPSE_NOEXCEPT;

/*
 * For those who wrap the functions with which a program filters its system calls (seccomp). After
 * begin libglimpse makes none, in any thread. end says whether the filter is installed: then
 * nothing is logged for the rest of the process; otherwise logging goes on.
 */
void glimpse_filter_begin(void) GLIMPSE_NOEXCEPT;
void glimpse_filter_end(int installed) GLIMPSE_NOEXCEPT;
/* Returns whether such a filter is installed: a wrapper then makes no system call of its own. */
int glimpse_filtered(void) GLIMPSE_NOEXCEPT;
/*
 * Around exec(): begin notes in the process file that the process executes another program, which
 * may log nothing; failed takes it back, with what begin returned. In a child that shares our
 * memory, as that of vfork(), they do nothing. Safe in signal handlers; errno is kept.
 */
int glimpse_exec_begin(void) GLIMPSE_NOEXCEPT;
void glimpse_exec_failed(int begun) GLIMPSE_NOEXCEPT;
/*
 * Around system calls that a wrapper makes for itself. begin returns 0 if a filter is installed or
 * about to be: then the wrapper makes none, and does not call end. Who installs a filter waits for
 * those who have begun.
 */
int glimpse_calls_begin(void) GLIMPSE_NOEXCEPT;
void glimpse_calls_end(void) GLIMPSE_NOEXCEPT;

/*
 * Makes sure that the calling thread's next records, of at most so many bytes together, need no
 * system call: called before a lock is taken, so that no log is written while it is held. `bytes`
 * is at most 4096. Does nothing while the thread is inside libglimpse or an event.
 */
GLIMPSE_INLINE void glimpse_reserve(uint32_t bytes)
{
	const struct glimpse_tail *tail = glimpse_self;

	if (__builtin_expect(tail->at + bytes + GLIMPSE_RESERVED > tail->end, 0))
		glimpse_reserve_room(bytes);
}

/*
 * Returns whether the calling thread is inside libglimpse: a wrapper of a function that libglimpse
 * calls itself must then call that function and do nothing else.
 */
GLIMPSE_INLINE int glimpse_inside(void)
{
	return glimpse_guarded;
}

/*
 * For wrappers of calls that fork and, other than fork(), run no handlers of pthread_atfork():
 * before stands before the call, after stands after it in the parent (0) and in the child (1). What
 * shares the parent's memory, as a child of vfork() does, is no child here.
 */
void glimpse_fork_before(void) GLIMPSE_NOEXCEPT;
void glimpse_fork_after(int child) GLIMPSE_NOEXCEPT;

/*
 * Maps private memory, all zeros, that mlockall() leaves alone. Returns NULL with errno set if
 * there is none.
 */
void *glimpse_map(size_t size) GLIMPSE_NOEXCEPT;
/* The program has locked its memory, and what it will map (or not): unlocks that of the runtime. */
void glimpse_memory_locked(int later) GLIMPSE_NOEXCEPT;

/* What a probe has called, in the order of registration; registered by its constructor. */
struct glimpse_hook {
	void (*call)(void);
	struct glimpse_hook *next;
};

/* Registers what a child calls after any fork, once the child's own run may begin. */
void glimpse_at_fork(struct glimpse_hook *hook) GLIMPSE_NOEXCEPT;

/*
 * Registers what each thread calls as it ends, in which it has called glimpse_thread_watch() or
 * logged: so all probes together take one key of thread data from the program.
 */
void glimpse_at_thread_end(struct glimpse_hook *hook) GLIMPSE_NOEXCEPT;
void glimpse_thread_watch(void) GLIMPSE_NOEXCEPT;

/*
 * Registers what a thread calls that ends the process without destructors, before the logs end; and
 * calls what was registered.
 */
void glimpse_at_process_end(struct glimpse_hook *hook) GLIMPSE_NOEXCEPT;
void glimpse_process_ends(void) GLIMPSE_NOEXCEPT;

/*
 * Returns whether the calling thread is paused: what a wrapper would log once only, and what it
 * would only compute to log it, then has to wait.
 */
GLIMPSE_INLINE int glimpse_paused(void)
{
	return glimpse_busy(glimpse_self) && glimpse_paused_busy();
}

#else /* GLIMPSE_DISABLE: generated calls are empty, and specifications are unused data */

#define GLIMPSE_REGISTER(spec)

GLIMPSE_INLINE uint64_t glimpse_now(void)
{
	return 0;
}

GLIMPSE_INLINE void glimpse_reserve(uint32_t bytes)
{
	GLIMPSE_UNUSED(bytes);
}

GLIMPSE_INLINE int glimpse_inside(void)
{
	return 0;
}

GLIMPSE_INLINE int glimpse_paused(void)
{
	return 0;
}

#endif

#ifdef __cplusplus
}
#endif

GLIMPSE_LOUD

#endif
