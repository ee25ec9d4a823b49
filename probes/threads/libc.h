/*
 * What depends on the C library: what it keeps in the objects of its threads, which no function
 * tells, and the functions that it lacks. All is read at a moment: it may be old when it is used.
 */
#ifndef GLIMPSE_PROBES_THREADS_LIBC_H
#define GLIMPSE_PROBES_THREADS_LIBC_H

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

/* The thread that has a robust mutex; FUTEX_TID_MASK of linux/futex.h, which musl-gcc lacks. */
#define OWNER_MASK 0x3fffffff

enum once_state { ONCE_NEW, ONCE_RUNS, ONCE_DONE };

#ifdef __GLIBC__

typedef __priority_which_t priority_which;

/* Not in the headers without _FORTIFY_SOURCE, or not for programs. */
int __uflow(FILE *file);
ssize_t __getdelim(char **restrict to, size_t *restrict size, int delimiter, FILE *restrict file);
char *__fgets_chk(char *restrict to, size_t room, int size, FILE *restrict file);
char *__fgets_unlocked_chk(char *restrict to, size_t room, int size, FILE *restrict file);
size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n, FILE *restrict file);
size_t __fread_unlocked_chk(void *restrict to, size_t room, size_t size, size_t n,
			    FILE *restrict file);
int __overflow(FILE *file, int c);
int __vprintf_chk(int flag, const char *restrict format, va_list list);
int __vfprintf_chk(FILE *restrict file, int flag, const char *restrict format, va_list list);
int __printf_chk(int flag, const char *restrict format, ...);
int __fprintf_chk(FILE *restrict file, int flag, const char *restrict format, ...);

#define KIND_ROBUST 16

static inline bool mutex_is_robust(const pthread_mutex_t *lock)
{
	return __atomic_load_n(&lock->__data.__kind, __ATOMIC_RELAXED) & KIND_ROBUST;
}

/* Whether a thread has a robust mutex. */
static inline bool mutex_is_owned(const pthread_mutex_t *lock)
{
	return __atomic_load_n(&lock->__data.__lock, __ATOMIC_RELAXED) & OWNER_MASK;
}

/* Whether a writer has the lock; glibc itself decides so what an unlock does. */
static inline bool rwlock_has_writer(const pthread_rwlock_t *lock)
{
	return __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
}

/*
 * How many threads wait, as glibc counts them: those that were woken and did not return yet, too.
 */
static inline unsigned condition_waiters(const pthread_cond_t *condition)
{
	return __atomic_load_n(&condition->__data.__wrefs, __ATOMIC_RELAXED) >> 3;
}

static inline void condition_count(const void *condition, int change)
{
	(void)condition;
	(void)change;
}

/* Of a pthread_once_t and a once_flag. The other bits count forks. */
static inline enum once_state once_state(const int *once)
{
	int value = __atomic_load_n(once, __ATOMIC_ACQUIRE);

	return value & 2 ? ONCE_DONE : value & 1 ? ONCE_RUNS : ONCE_NEW;
}

#else /* musl */

typedef int priority_which;

#define KIND_ROBUST 4
#define WRITER 0x7fffffff

static inline bool mutex_is_robust(const pthread_mutex_t *lock)
{
	return __atomic_load_n(&lock->__u.__i[0], __ATOMIC_RELAXED) & KIND_ROBUST;
}

static inline bool mutex_is_owned(const pthread_mutex_t *lock)
{
	return __atomic_load_n(&lock->__u.__vi[1], __ATOMIC_RELAXED) & OWNER_MASK;
}

static inline bool rwlock_has_writer(const pthread_rwlock_t *lock)
{
	return (__atomic_load_n(&lock->__u.__vi[0], __ATOMIC_RELAXED) & WRITER) == WRITER;
}

/*
 * musl counts only those that wait for a condition variable of several processes. Else there is a
 * list of them, which only its lock makes safe to walk, so they are counted here. Condition
 * variables may have the same place: one has too many then, never too few.
 */
#define CONDITIONS 1024
extern int condition_counts[CONDITIONS];

static inline int *condition_place(const void *condition)
{
	return &condition_counts[(uintptr_t)condition / sizeof(pthread_cond_t) % CONDITIONS];
}

/* A thread begins (1) to wait, or has waited (-1). */
static inline void condition_count(const void *condition, int change)
{
	__atomic_add_fetch(condition_place(condition), change, __ATOMIC_RELAXED);
}

static inline unsigned condition_waiters(const pthread_cond_t *condition)
{
	int counted = __atomic_load_n(condition_place(condition), __ATOMIC_RELAXED);

	if (__atomic_load_n(&condition->__u.__p[0], __ATOMIC_RELAXED)) /* of several processes */
		return (unsigned)__atomic_load_n(&condition->__u.__vi[3], __ATOMIC_RELAXED);
	if (!__atomic_load_n(&condition->__u.__p[5], __ATOMIC_RELAXED)) /* the list is empty */
		return 0;
	return counted > 0 ? (unsigned)counted : 1;
}

/* 3: it runs, and others wait. */
static inline enum once_state once_state(const int *once)
{
	int value = __atomic_load_n(once, __ATOMIC_ACQUIRE);

	return value == 2 ? ONCE_DONE : value ? ONCE_RUNS : ONCE_NEW;
}

/*
 * musl's programs find no such functions, and may ask whether there are any: ours have names that
 * none looks for.
 */
#define LACKING(name) __asm__("glimpse_lacking_" #name)

int pthread_mutex_clocklock(pthread_mutex_t *restrict lock, clockid_t clock,
			    const struct timespec *restrict until) LACKING(pthread_mutex_clocklock);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
			       const struct timespec *restrict until)
    LACKING(pthread_rwlock_clockrdlock);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
			       const struct timespec *restrict until)
    LACKING(pthread_rwlock_clockwrlock);
int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock,
			   clockid_t clock, const struct timespec *restrict until)
    LACKING(pthread_cond_clockwait);
int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until)
    LACKING(sem_clockwait);
int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
			 const struct timespec *until) LACKING(pthread_clockjoin_np);
int pthread_sigqueue(pthread_t thread, int signal, union sigval value) LACKING(pthread_sigqueue);

#endif

#endif
