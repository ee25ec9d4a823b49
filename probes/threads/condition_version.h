/*
 * The functions for condition variables in one of their versions; condition.c reads this once for
 * each, with FUNCTION(), VERSION(), REAL_COND() and WAITERS() as that version has them.
 */
VERSION(pthread_cond_init);
VERSION(pthread_cond_destroy);
VERSION(pthread_cond_wait);
VERSION(pthread_cond_timedwait);
VERSION(pthread_cond_signal);
VERSION(pthread_cond_broadcast);

WRAP_EXPORT __typeof__(pthread_cond_init) FUNCTION(pthread_cond_init);
WRAP_EXPORT __typeof__(pthread_cond_destroy) FUNCTION(pthread_cond_destroy);
WRAP_EXPORT __typeof__(pthread_cond_wait) FUNCTION(pthread_cond_wait);
WRAP_EXPORT __typeof__(pthread_cond_timedwait) FUNCTION(pthread_cond_timedwait);
WRAP_EXPORT __typeof__(pthread_cond_signal) FUNCTION(pthread_cond_signal);
WRAP_EXPORT __typeof__(pthread_cond_broadcast) FUNCTION(pthread_cond_broadcast);

int FUNCTION(pthread_cond_init)(pthread_cond_t *restrict condition,
				const pthread_condattr_t *restrict attributes)
{
	int result = REAL_COND(pthread_cond_init)(condition, attributes);

	if (!QUIET() && !result)
		CondInit_Stamp(condition, WRAP_SITE);
	return result;
}

int FUNCTION(pthread_cond_destroy)(pthread_cond_t *condition)
{
	if (!QUIET())
		CondDestroy_Stamp(condition, WRAP_SITE);
	return REAL_COND(pthread_cond_destroy)(condition);
}

int FUNCTION(pthread_cond_wait)(pthread_cond_t *restrict condition, pthread_mutex_t *restrict lock)
{
	if (QUIET())
		return REAL_COND(pthread_cond_wait)(condition, lock);
	return WAIT(condition, lock, REAL_COND(pthread_cond_wait)(condition, lock), POSIX_ERROR);
}

int FUNCTION(pthread_cond_timedwait)(pthread_cond_t *restrict condition,
				     pthread_mutex_t *restrict lock,
				     const struct timespec *restrict until)
{
	if (QUIET())
		return REAL_COND(pthread_cond_timedwait)(condition, lock, until);
	return WAIT(condition, lock,
		    (wait_limit_any_clock(until),
		     REAL_COND(pthread_cond_timedwait)(condition, lock, until)),
		    POSIX_ERROR);
}

int FUNCTION(pthread_cond_signal)(pthread_cond_t *condition)
{
	if (QUIET())
		return REAL_COND(pthread_cond_signal)(condition);
	return SIGNAL(condition, WAITERS(condition), 0, REAL_COND(pthread_cond_signal)(condition));
}

int FUNCTION(pthread_cond_broadcast)(pthread_cond_t *condition)
{
	if (QUIET())
		return REAL_COND(pthread_cond_broadcast)(condition);
	return SIGNAL(condition, WAITERS(condition), 1,
		      REAL_COND(pthread_cond_broadcast)(condition));
}
