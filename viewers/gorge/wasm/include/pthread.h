/* In a browser the engine is one thread: others are not to be had, and nobody is excluded. */
#ifndef GLIMPSE_GORGE_WASM_INCLUDE_PTHREAD_H
#define GLIMPSE_GORGE_WASM_INCLUDE_PTHREAD_H

#include <errno.h>

typedef struct {
	char unused;
} pthread_t, pthread_mutex_t, pthread_cond_t, pthread_rwlock_t;

#define PTHREAD_MUTEX_INITIALIZER \
	{ \
		0 \
	}
#define PTHREAD_RWLOCK_INITIALIZER \
	{ \
		0 \
	}

static inline int pthread_create(pthread_t *t, const void *attributes, void *(*run)(void *),
				 void *argument)
{
	(void)t, (void)attributes, (void)run, (void)argument;
	return EAGAIN;
}

static inline int pthread_join(pthread_t t, void **result)
{
	(void)t, (void)result;
	return ESRCH;
}

static inline int pthread_mutex_init(pthread_mutex_t *m, const void *attributes)
{
	(void)m, (void)attributes;
	return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *m)
{
	(void)m;
	return 0;
}

static inline int pthread_rwlock_init(pthread_rwlock_t *l, const void *attributes)
{
	(void)l, (void)attributes;
	return 0;
}

static inline int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	(void)l;
	return 0;
}

static inline int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	(void)l;
	return 0;
}

static inline int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	(void)l;
	return 0;
}

static inline int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	(void)l;
	return 0;
}

static inline int pthread_cond_init(pthread_cond_t *c, const void *attributes)
{
	(void)c, (void)attributes;
	return 0;
}

/* What one waits for has been done: work is done in its order. */
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	(void)c, (void)m;
	return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *c)
{
	(void)c;
	return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *c)
{
	(void)c;
	return 0;
}

#endif
