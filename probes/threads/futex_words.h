/*
 * Words in memory that threads wait for with futex(): since when a lock that a word stands for is
 * held. Waits tell it: a thread that waits has found the lock held.
 */
#ifndef GLIMPSE_PROBES_THREADS_FUTEX_WORDS_H
#define GLIMPSE_PROBES_THREADS_FUTEX_WORDS_H

#include "probes/threads/threads.h"

/*
 * Returns what tells a word from all others, also in other processes; a word in memory that several
 * processes share is one. private: the caller says that it is not.
 */
uint64_t futex_key(const void *word, bool private);

/* The thread is about to wait for a word, with this call stack. */
void futex_word_busy(const void *word, uint64_t now, uint32_t stack);
/* Its wait ended as it was woken: if the word is a lock, it may hold it now. */
void futex_word_got(const void *word, uint64_t now);
/* A hold that ends, if the word is that of a lock. */
struct futex_hold {
	uint64_t since;  /* its own wait, or that of the first of the others; 0: not known */
	uint32_t waiter; /* the call stack of that other one; 0: not known */
};

/* The thread is about to wake those that wait: it lets the lock go. */
struct futex_hold futex_word_released(const void *word);

/* Threads that wait for a word wait for another one from now on. */
void futex_word_move(const void *word, const void *to);
/* Returns for which word threads waited before they were moved to this one; NULL: none were. */
const void *futex_word_moved(const void *to);

/* The process was forked: nobody waits. */
void futex_words_forked(void);

#endif
