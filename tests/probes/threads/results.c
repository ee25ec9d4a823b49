/* results: what functions of threads return, and which errno they leave, in corners. Prints both. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Prints what a call returns, and errno if that was touched. */
#define SAY(call) do { \
	int result_; \
	errno = 77; \
	result_ = (call); \
	printf("%s: %d", #call, result_); \
	if (errno != 77) \
		printf(" %s", strerror(errno)); \
	putchar('\n'); \
} while (0)

static const struct timespec past = { 1, 0 }, wrong = { 1, 1000000000 };

static struct timespec soon(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += 2000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

static pthread_mutex_t mutex_of(int type, int robust, int protocol, int shared)
{
	static pthread_mutex_t m;
	pthread_mutexattr_t a;

	memset(&m, 0, sizeof m);
	pthread_mutexattr_init(&a);
	SAY(pthread_mutexattr_settype(&a, type));
	SAY(pthread_mutexattr_setrobust(&a, robust));
	SAY(pthread_mutexattr_setprotocol(&a, protocol));
	SAY(pthread_mutexattr_setpshared(&a, shared));
	SAY(pthread_mutex_init(&m, &a));
	pthread_mutexattr_destroy(&a);
	return m;
}

static void kinds(const char *name, pthread_mutex_t *m)
{
	struct timespec real = soon(CLOCK_REALTIME), monotonic = soon(CLOCK_MONOTONIC);

	printf("-- %s\n", name);
	SAY(pthread_mutex_timedlock(m, &wrong));
	SAY(pthread_mutex_unlock(m));
	SAY(pthread_mutex_clocklock(m, 99, &past));
	SAY(pthread_mutex_unlock(m));
	SAY(pthread_mutex_lock(m));
	SAY(pthread_mutex_trylock(m));
	SAY(pthread_mutex_timedlock(m, &wrong));
	SAY(pthread_mutex_timedlock(m, &past));
	SAY(pthread_mutex_timedlock(m, &real));
	SAY(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &monotonic));
	SAY(pthread_mutex_clocklock(m, 99, &past));
	SAY(pthread_mutex_destroy(m));
	for (int i = 0; i < 8; i++)
		SAY(pthread_mutex_unlock(m));
	SAY(pthread_mutex_destroy(m));
}

static void mutexes(void)
{
	pthread_mutex_t m;

	m = mutex_of(PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_unlock(&m));
	kinds("error-checking", &m);
	m = mutex_of(PTHREAD_MUTEX_RECURSIVE, 0, 0, 0);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_lock(&m));
	kinds("recursive", &m);
	m = mutex_of(PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_INHERIT, 0);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_unlock(&m));
	kinds("priority inheriting", &m);
	m = mutex_of(PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_PROTECT, 0);
	kinds("priority protecting", &m);
	m = mutex_of(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ROBUST, 0, 0);
	kinds("robust", &m);
}

static void *die_with(void *m)
{
	SAY(pthread_mutex_lock(m));
	return NULL;
}

static void owner_dies(pthread_mutex_t *m)
{
	pthread_t t;

	pthread_create(&t, NULL, die_with, m);
	pthread_join(t, NULL);
}

static void robust(void)
{
	pthread_mutex_t m = mutex_of(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, 0, 0);
	struct timespec real = soon(CLOCK_REALTIME);

	owner_dies(&m);
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_consistent(&m));
	SAY(pthread_mutex_unlock(&m));
	owner_dies(&m);
	SAY(pthread_mutex_trylock(&m));
	SAY(pthread_mutex_consistent(&m));
	SAY(pthread_mutex_unlock(&m));
	owner_dies(&m);
	SAY(pthread_mutex_timedlock(&m, &real));
	SAY(pthread_mutex_unlock(&m));
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_mutex_trylock(&m));
}

static void shared(void)
{
	pthread_mutex_t *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int *counter = (int *)(m + 1), status;

	*m = mutex_of(PTHREAD_MUTEX_NORMAL, 0, 0, PTHREAD_PROCESS_SHARED);
	fflush(stdout);
	if (fork() == 0) {
		for (int i = 0; i < 10000; i++) {
			pthread_mutex_lock(m);
			++*counter;
			pthread_mutex_unlock(m);
		}
		_exit(0);
	}
	for (int i = 0; i < 10000; i++) {
		pthread_mutex_lock(m);
		++*counter;
		pthread_mutex_unlock(m);
	}
	wait(&status);
	printf("shared by two processes: %d\n", *counter);
}

static void rwlocks(void)
{
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
	struct timespec real = soon(CLOCK_REALTIME);

	SAY(pthread_rwlock_timedrdlock(&l, &wrong));
	SAY(pthread_rwlock_clockwrlock(&l, 99, &past));
	SAY(pthread_rwlock_timedwrlock(&l, &past));
	SAY(pthread_rwlock_rdlock(&l));
	SAY(pthread_rwlock_wrlock(&l));
	SAY(pthread_rwlock_tryrdlock(&l));
	SAY(pthread_rwlock_unlock(&l));
	SAY(pthread_rwlock_rdlock(&l));
	SAY(pthread_rwlock_rdlock(&l));
	SAY(pthread_rwlock_timedwrlock(&l, &real));
	SAY(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past));
	SAY(pthread_rwlock_trywrlock(&l));
	SAY(pthread_rwlock_unlock(&l));
	SAY(pthread_rwlock_unlock(&l));
	SAY(pthread_rwlock_destroy(&l));
}

static void handler(int number)
{
	(void)number;
}

/* Lets a signal come every 5 ms from now on, or none any more. */
static void alarms(int on)
{
	struct itimerval every = { { 0, on ? 5000 : 0 }, { 0, on ? 5000 : 0 } };
	struct sigaction a = { .sa_handler = handler };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
}

static void semaphores(void)
{
	struct timespec real = soon(CLOCK_REALTIME), monotonic = soon(CLOCK_MONOTONIC);
	sem_t s;

	SAY(sem_init(&s, 0, 0x80000000u));
	SAY(sem_init(&s, 0, 1));
	SAY(sem_timedwait(&s, &wrong));
	SAY(sem_clockwait(&s, 99, &past));
	SAY(sem_timedwait(&s, &past));
	SAY(sem_trywait(&s));
	SAY(sem_timedwait(&s, &past));
	SAY(sem_timedwait(&s, &real));
	SAY(sem_clockwait(&s, CLOCK_MONOTONIC, &monotonic));
	alarms(1);
	SAY(sem_wait(&s));
	alarms(0);
	SAY(sem_post(&s));
	SAY(sem_wait(&s));
	SAY(sem_destroy(&s));
	SAY(sem_open("no/such/name", 0) == SEM_FAILED);
}

static void conditions(void)
{
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	pthread_mutex_t m = mutex_of(PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0);
	struct timespec real = soon(CLOCK_REALTIME);

	SAY(pthread_cond_wait(&c, &m));
	SAY(pthread_cond_timedwait(&c, &m, &past));
	SAY(pthread_mutex_lock(&m));
	SAY(pthread_cond_timedwait(&c, &m, &wrong));
	SAY(pthread_cond_timedwait(&c, &m, &past));
	SAY(pthread_cond_timedwait(&c, &m, &real));
	SAY(pthread_cond_clockwait(&c, &m, 99, &past));
	SAY(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past));
	SAY(pthread_mutex_unlock(&m));
	SAY(pthread_cond_signal(&c));
	SAY(pthread_cond_broadcast(&c));
	SAY(pthread_cond_destroy(&c));
}

static void c11(void)
{
	struct timespec real = soon(CLOCK_REALTIME);
	mtx_t m;
	cnd_t c;

	SAY(mtx_init(&m, 99));
	SAY(mtx_init(&m, mtx_timed));
	SAY(mtx_lock(&m));
	SAY(mtx_trylock(&m));
	SAY(mtx_timedlock(&m, &past));
	SAY(mtx_timedlock(&m, &wrong));
	SAY(cnd_init(&c));
	SAY(cnd_timedwait(&c, &m, &real));
	SAY(cnd_timedwait(&c, &m, &wrong));
	SAY(mtx_unlock(&m));
	mtx_destroy(&m);
	SAY(mtx_init(&m, mtx_plain | mtx_recursive));
	SAY(mtx_lock(&m));
	SAY(mtx_lock(&m));
	SAY(mtx_unlock(&m));
	SAY(mtx_unlock(&m));
	SAY(thrd_sleep(&wrong, NULL));
}

static void sleeps(void)
{
	struct timespec second = { 1, 0 }, left = { 0, 0 };

	SAY(nanosleep(&wrong, NULL));
	SAY(clock_nanosleep(99, 0, &past, NULL));
	alarms(1);
	SAY(nanosleep(&second, &left));
	printf("left: %d\n", left.tv_nsec > 0);
	SAY(clock_nanosleep(CLOCK_MONOTONIC, 0, &second, &left));
	SAY(thrd_sleep(&second, NULL));
	SAY(usleep(500000));
	SAY((int)sleep(2) > 0);
	alarms(0);
}

static void *ends(void *argument)
{
	return argument;
}

static void joins(void)
{
	struct timespec real = soon(CLOCK_REALTIME);
	void *value;
	pthread_t t;

	SAY(pthread_join(pthread_self(), NULL));
	SAY(pthread_tryjoin_np(pthread_self(), NULL));
	pthread_create(&t, NULL, ends, &real);
	SAY(pthread_join(t, &value));
	printf("value: %d\n", value == &real);
	SAY(pthread_setname_np(pthread_self(), "much too long a name"));
	pthread_attr_t a;
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	SAY(pthread_create(&t, &a, ends, NULL));
	SAY(pthread_attr_setstacksize(&a, (size_t)1 << 46));
	SAY(pthread_create(&t, &a, ends, NULL));
}

int main(void)
{
	mutexes();
	robust();
	shared();
	rwlocks();
	semaphores();
	conditions();
	c11();
	sleeps();
	joins();
	return 0;
}
