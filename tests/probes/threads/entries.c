/*
 * entries: calls every function of probes/threads/entries.h in the main thread, each after an event
 * ThreadName of its number, and prints for each: number, function, the events that the thread has
 * to log. A function of the table without a call here
 * does not compile.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore, *named;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static pthread_t thread;
static thrd_t c11_thread;
static char path[64];

static struct timespec in(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

#define SOON(clock) (&(struct timespec){ in(clock, 1).tv_sec, in(clock, 1).tv_nsec })
static const struct timespec moment = { 0, 1000 };

static void *nothing(void *argument)
{
	return argument;
}

static int c11_nothing(void *argument)
{
	(void)argument;
	return 0;
}

static void function(void)
{
}

static void ignored(int number)
{
	(void)number;
}

/* CALL(name, events, statements) */
#define CALL(name, events, ...) \
	static const char *call_##name(void) \
	{ \
		__VA_ARGS__; \
		return events; \
	}

CALL(pthread_mutex_init, "LockInit", pthread_mutex_init(&mutex, NULL))
CALL(pthread_mutex_destroy, "LockDestroy", pthread_mutex_destroy(&mutex))
CALL(pthread_mutex_lock, "Lock Unlock", pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex))
CALL(pthread_mutex_trylock, "Lock LockMissed Unlock",
     pthread_mutex_trylock(&mutex); pthread_mutex_trylock(&mutex); pthread_mutex_unlock(&mutex))
CALL(pthread_mutex_unlock, "Lock Unlock", pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex))
CALL(pthread_mutex_timedlock, "Lock LockBusy WaitStack WaitLimit LockEnd Unlock",
     pthread_mutex_timedlock(&mutex, SOON(CLOCK_REALTIME));
     pthread_mutex_timedlock(&mutex, SOON(CLOCK_REALTIME)); pthread_mutex_unlock(&mutex))
CALL(pthread_mutex_clocklock, "Lock LockBusy WaitStack WaitLimit LockEnd Unlock",
     pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC));
     pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC));
     pthread_mutex_unlock(&mutex))
CALL(pthread_once, "OnceBegin OnceEnd",
     static pthread_once_t once; pthread_once(&once, function); pthread_once(&once, function))
CALL(call_once, "OnceBegin OnceEnd",
     static once_flag once; call_once(&once, function); call_once(&once, function))

CALL(pthread_rwlock_init, "LockInit", pthread_rwlock_init(&rwlock, NULL))
CALL(pthread_rwlock_destroy, "LockDestroy", pthread_rwlock_destroy(&rwlock))
CALL(pthread_rwlock_rdlock, "Lock Unlock",
     pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_tryrdlock, "Lock Lock Unlock Unlock",
     pthread_rwlock_tryrdlock(&rwlock); pthread_rwlock_tryrdlock(&rwlock);
     pthread_rwlock_unlock(&rwlock); pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_timedrdlock, "Lock Unlock",
     pthread_rwlock_timedrdlock(&rwlock, SOON(CLOCK_REALTIME)); pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_clockrdlock, "Lock Unlock",
     pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC));
     pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_wrlock, "Lock LockMissed Unlock",
     pthread_rwlock_wrlock(&rwlock); pthread_rwlock_tryrdlock(&rwlock);
     pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_trywrlock, "Lock LockMissed Unlock",
     pthread_rwlock_trywrlock(&rwlock); pthread_rwlock_trywrlock(&rwlock);
     pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_timedwrlock, "Lock LockBusy WaitStack WaitLimit LockEnd Unlock",
     pthread_rwlock_rdlock(&rwlock); pthread_rwlock_timedwrlock(&rwlock, SOON(CLOCK_REALTIME));
     pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_clockwrlock, "Lock LockBusy WaitStack WaitLimit LockEnd Unlock",
     pthread_rwlock_rdlock(&rwlock);
     pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC));
     pthread_rwlock_unlock(&rwlock))
CALL(pthread_rwlock_unlock, "Lock Unlock",
     pthread_rwlock_wrlock(&rwlock); pthread_rwlock_unlock(&rwlock))

CALL(pthread_spin_init, "LockInit", pthread_spin_init(&spin, 0))
CALL(pthread_spin_destroy, "LockDestroy", pthread_spin_destroy(&spin))
CALL(pthread_spin_lock, "Lock Unlock", pthread_spin_lock(&spin); pthread_spin_unlock(&spin))
CALL(pthread_spin_trylock, "Lock LockMissed Unlock",
     pthread_spin_trylock(&spin); pthread_spin_trylock(&spin); pthread_spin_unlock(&spin))
CALL(pthread_spin_unlock, "Lock Unlock", pthread_spin_lock(&spin); pthread_spin_unlock(&spin))

#define WAITED "Lock Unlock CondBegin WaitStack WaitLimit Lock CondEnd Unlock"
CALL(pthread_cond_init, "CondInit", pthread_cond_init(&condition, NULL))
CALL(pthread_cond_destroy, "CondDestroy", pthread_cond_destroy(&condition))

static void *signals(void *argument)
{
	usleep(3000);
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return argument;
}

CALL(pthread_cond_wait,
     "Lock ThreadCreate Unlock CondBegin WaitStack Lock CondEnd Unlock JoinBegin WaitStack JoinEnd",
     pthread_mutex_lock(&mutex); pthread_create(&thread, NULL, signals, NULL);
     pthread_cond_wait(&condition, &mutex); pthread_mutex_unlock(&mutex);
     pthread_join(thread, NULL))
CALL(pthread_cond_timedwait, WAITED, pthread_mutex_lock(&mutex);
     pthread_cond_timedwait(&condition, &mutex, SOON(CLOCK_REALTIME)); pthread_mutex_unlock(&mutex))
CALL(pthread_cond_clockwait, WAITED, pthread_mutex_lock(&mutex);
     pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC));
     pthread_mutex_unlock(&mutex))
CALL(pthread_cond_signal, "CondUnheard", pthread_cond_signal(&condition))
CALL(pthread_cond_broadcast, "CondUnheard", pthread_cond_broadcast(&condition))

CALL(sem_init, "SemInit", sem_init(&semaphore, 0, 1))
CALL(sem_destroy, "SemDestroy", sem_destroy(&semaphore))
CALL(sem_open, "SemOpen", named = sem_open(path, O_CREAT | O_EXCL, 0600, 1); sem_unlink(path))
CALL(sem_close, "SemTake SemDestroy", sem_wait(named); sem_close(named))
CALL(sem_wait, "SemTake SemPost", sem_wait(&semaphore); sem_post(&semaphore))
CALL(sem_trywait, "SemTake SemMissed SemPost",
     sem_trywait(&semaphore); sem_trywait(&semaphore); sem_post(&semaphore))
CALL(sem_timedwait, "SemTake SemBusy WaitStack WaitLimit SemEnd SemPost",
     sem_timedwait(&semaphore, SOON(CLOCK_REALTIME));
     sem_timedwait(&semaphore, SOON(CLOCK_REALTIME)); sem_post(&semaphore))
CALL(sem_clockwait, "SemTake SemBusy WaitStack WaitLimit SemEnd SemPost",
     sem_clockwait(&semaphore, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC));
     sem_clockwait(&semaphore, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)); sem_post(&semaphore))
CALL(sem_post, "SemPost SemTake", sem_post(&semaphore); sem_wait(&semaphore))

CALL(pthread_barrier_init, "BarrierInit", pthread_barrier_init(&barrier, NULL, 1))
CALL(pthread_barrier_destroy, "BarrierDestroy", pthread_barrier_destroy(&barrier))
CALL(pthread_barrier_wait, "BarrierBegin WaitStack BarrierEnd", pthread_barrier_wait(&barrier))

#define JOINED "ThreadCreate JoinBegin WaitStack JoinEnd"
CALL(pthread_create, JOINED,
     pthread_create(&thread, NULL, nothing, NULL); pthread_join(thread, NULL))
CALL(pthread_join, JOINED,
     pthread_create(&thread, NULL, nothing, NULL); pthread_join(thread, NULL))
CALL(pthread_detach, "ThreadCreate ThreadDetach",
     pthread_create(&thread, NULL, nothing, NULL); pthread_detach(thread))
CALL(pthread_tryjoin_np, "ThreadCreate SleepBegin WaitStack SleepEnd JoinBegin JoinEnd",
     pthread_create(&thread, NULL, nothing, NULL); usleep(50000); pthread_tryjoin_np(thread, NULL))
CALL(pthread_timedjoin_np, JOINED, pthread_create(&thread, NULL, nothing, NULL);
     pthread_timedjoin_np(thread, NULL, &(struct timespec){ time(NULL) + 60, 0 }))
CALL(pthread_clockjoin_np, JOINED, pthread_create(&thread, NULL, nothing, NULL);
     struct timespec until = in(CLOCK_MONOTONIC, 60000);
     pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until))
CALL(pthread_setname_np, "ThreadName", pthread_setname_np(pthread_self(), "named"))

CALL(pthread_setschedparam, "", struct sched_param p = { 0 };
     pthread_setschedparam(pthread_self(), SCHED_OTHER, &p))
CALL(pthread_setschedprio, "", pthread_setschedprio(pthread_self(), 0))
CALL(sched_setscheduler, "", struct sched_param p = { 0 }; sched_setscheduler(0, SCHED_OTHER, &p))
CALL(sched_setparam, "", struct sched_param p = { 0 }; sched_setparam(0, &p))
CALL(setpriority, "Priority", setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1))
CALL(nice, "Priority", nice(1))
CALL(nanosleep, "SleepBegin WaitStack SleepEnd", nanosleep(&moment, NULL))
CALL(clock_nanosleep, "SleepBegin WaitStack SleepEnd",
     clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL))
CALL(usleep, "SleepBegin WaitStack SleepEnd", usleep(1))
CALL(sleep, "SleepBegin WaitStack SleepEnd", sleep(0))
CALL(sched_yield, "Yield", sched_yield())
/* one is not begun, one times out */
CALL(syscall, "FutexBegin FutexEnd FutexBegin WaitLimit FutexEnd",
     static int word;
     syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
     syscall(SYS_futex, &word, FUTEX_WAIT, 0, &moment, NULL, 0);
     syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0); syscall(SYS_gettid))

CALL(mtx_init, "LockInit", mtx_init(&c11_mutex, mtx_timed))
CALL(mtx_destroy, "LockDestroy", mtx_destroy(&c11_mutex))
CALL(mtx_lock, "Lock Unlock", mtx_lock(&c11_mutex); mtx_unlock(&c11_mutex))
CALL(mtx_trylock, "Lock LockMissed Unlock",
     mtx_trylock(&c11_mutex); mtx_trylock(&c11_mutex); mtx_unlock(&c11_mutex))
CALL(mtx_timedlock, "Lock LockBusy WaitStack WaitLimit LockEnd Unlock",
     mtx_timedlock(&c11_mutex, SOON(CLOCK_REALTIME));
     mtx_timedlock(&c11_mutex, SOON(CLOCK_REALTIME)); mtx_unlock(&c11_mutex))
CALL(mtx_unlock, "Lock Unlock", mtx_lock(&c11_mutex); mtx_unlock(&c11_mutex))
CALL(cnd_init, "CondInit", cnd_init(&c11_condition))
CALL(cnd_destroy, "CondDestroy", cnd_destroy(&c11_condition))

static int c11_signals(void *argument)
{
	usleep(3000);
	mtx_lock(&c11_mutex);
	cnd_signal(&c11_condition);
	mtx_unlock(&c11_mutex);
	return argument != NULL;
}

CALL(cnd_wait,
     "Lock ThreadCreate Unlock CondBegin WaitStack Lock CondEnd Unlock JoinBegin WaitStack JoinEnd",
     mtx_lock(&c11_mutex); thrd_create(&c11_thread, c11_signals, NULL);
     cnd_wait(&c11_condition, &c11_mutex); mtx_unlock(&c11_mutex); thrd_join(c11_thread, NULL))
CALL(cnd_timedwait, WAITED, mtx_lock(&c11_mutex);
     cnd_timedwait(&c11_condition, &c11_mutex, SOON(CLOCK_REALTIME)); mtx_unlock(&c11_mutex))
CALL(cnd_signal, "CondUnheard", cnd_signal(&c11_condition))
CALL(cnd_broadcast, "CondUnheard", cnd_broadcast(&c11_condition))
CALL(thrd_create, JOINED,
     thrd_create(&c11_thread, c11_nothing, NULL); thrd_join(c11_thread, NULL))
CALL(thrd_detach, "ThreadCreate ThreadDetach",
     thrd_create(&c11_thread, c11_nothing, NULL); thrd_detach(c11_thread))
CALL(thrd_join, JOINED,
     thrd_create(&c11_thread, c11_nothing, NULL); thrd_join(c11_thread, NULL))
CALL(thrd_sleep, "SleepBegin WaitStack SleepEnd", thrd_sleep(&moment, NULL))
CALL(thrd_yield, "Yield", thrd_yield())
static pid_t child(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(3);
	return pid;
}

static void fork_once(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	while (waitpid(pid, NULL, WNOHANG) == 0)
		;
}

CALL(fork, "ProcessFork", fork_once())
CALL(wait, "ChildBegin WaitStack ChildEnd", child(); wait(NULL))
CALL(waitpid, "ChildBegin WaitStack ChildEnd", waitpid(child(), NULL, 0))
CALL(waitid, "ChildBegin WaitStack ChildEnd", waitid(P_PID, (id_t)child(), NULL, WEXITED))
CALL(wait3, "ChildBegin WaitStack ChildEnd", child(); wait3(NULL, 0, NULL))
CALL(wait4, "ChildBegin WaitStack ChildEnd", wait4(child(), NULL, 0, NULL))
CALL(system, "ChildBegin WaitStack ChildEnd", system("true"))
CALL(pclose, "ChildBegin WaitStack ChildEnd", pclose(popen("true", "r")))
static pid_t spawned(int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
				 const posix_spawnattr_t *, char *const[], char *const[]))
{
	char *arguments[] = {(char *)"true", NULL};
	pid_t pid;

	spawn(&pid, "/bin/true", NULL, NULL, arguments, NULL);
	while (waitpid(pid, NULL, WNOHANG) == 0)
		;
	return pid;
}

CALL(posix_spawn, "ProcessFork", spawned(posix_spawn))
CALL(posix_spawnp, "ProcessFork", spawned(posix_spawnp))
CALL(dlclose, "", dlclose(dlopen(NULL, RTLD_NOW)))

/* SIGALRM comes soon: to a handler, or to a thread that waits for it. */
static const sigset_t *alarm_soon(void)
{
	static const struct itimerval soon = { { 0, 0 }, { 0, 3000 } };
	static sigset_t set;

	signal(SIGALRM, ignored);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	return &set;
}

static const sigset_t *no_signals(void)
{
	static sigset_t none;

	sigemptyset(&none);
	return &none;
}

#define SIGNALLED "SignalBegin WaitStack SignalEnd"
CALL(sigwait, SIGNALLED, int number; sigwait(alarm_soon(), &number))
CALL(sigwaitinfo, SIGNALLED, siginfo_t info; sigwaitinfo(alarm_soon(), &info))
CALL(sigtimedwait, SIGNALLED, siginfo_t info;
     sigtimedwait(alarm_soon(), &info, (&(struct timespec){ 5, 0 })))
CALL(sigsuspend, SIGNALLED, alarm_soon(); sigsuspend(no_signals()))
CALL(pause, SIGNALLED, static struct itimerval soon;
     soon.it_interval.tv_usec = soon.it_value.tv_usec = 50000;
     pthread_sigmask(SIG_SETMASK, no_signals(), NULL); signal(SIGALRM, ignored);
     setitimer(ITIMER_REAL, &soon, NULL); pause(); soon = (struct itimerval){ 0 };
     setitimer(ITIMER_REAL, &soon, NULL))
CALL(kill, "SignalSent", signal(SIGUSR1, ignored); kill(getpid(), SIGUSR1))
CALL(sigqueue, "SignalSent", signal(SIGUSR1, ignored);
     sigqueue(getpid(), SIGUSR1, (union sigval){ 0 }))
CALL(pthread_kill, "ThreadSignalled", signal(SIGUSR1, ignored);
     pthread_kill(pthread_self(), SIGUSR1))
CALL(pthread_sigqueue, "ThreadSignalled", signal(SIGUSR1, ignored);
     pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){ 0 }))

/* What the one end writes, the other one waits for. */
CALL(socketpair, "ChannelFilled ChannelEmptied ChannelClosed ChannelClosed", int ends[2];
     char byte = 0; socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
     if (write(ends[0], &byte, 1) != 1 || read(ends[1], &byte, 1) != 1) abort(); close(ends[0]);
     close(ends[1]))
CALL(shutdown, "ChannelClosed ChannelClosed", int ends[2];
     socketpair(AF_UNIX, SOCK_STREAM, 0, ends); shutdown(ends[0], SHUT_WR); shutdown(ends[1], SHUT_RD);
     close(ends[0]))
CALL(epoll_ctl, "InputBegin WaitStack InputEnd", int epoll = epoll_create1(0);
     int timer = timerfd_create(CLOCK_MONOTONIC, 0); struct epoll_event event = { .events = EPOLLIN };
     struct itimerspec soon = { .it_value.tv_nsec = 3000000 }; timerfd_settime(timer, 0, &soon, NULL);
     epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event); epoll_wait(epoll, &event, 1, -1); close(timer);
     close(epoll))

#ifdef __GLIBC__
int __uflow(FILE *file);
ssize_t __getdelim(char **to, size_t *size, int delimiter, FILE *file);
char *__fgets_chk(char *to, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *file);
size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *file);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *file);

int __overflow(FILE *file, int c);
int __vprintf_chk(int flag, const char *format, va_list list);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list);
int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);

static char text[16], *line;
static size_t room;

static FILE *filled(void)
{
	int ends[2];

	if (pipe(ends) || write(ends[1], "a line\n", 7) != 7)
		abort();
	close(ends[1]);
	return fdopen(ends[0], "r");
}

/* Only the first call of two reads the pipe. */
#define STREAM(name, call) \
	CALL(name, "ChannelFilled ChannelClosed ChannelEmptied ChannelClosed", \
	     FILE *file = filled(); \
	     if (!(call) || fgetc(file) != ' ') abort(); fclose(file))
STREAM(fgetc, fgetc(file) == 'a')
STREAM(getc, (getc)(file) == 'a')
STREAM(__uflow, __uflow(file) == 'a')
STREAM(fgets, fgets(text, 2, file) == text)
STREAM(fgets_unlocked, fgets_unlocked(text, 2, file) == text)
STREAM(fread, fread(text, 1, 1, file) == 1)
STREAM(fread_unlocked, (fread_unlocked)(text, 1, 1, file) == 1)
STREAM(getline, getline(&line, &room, file) == 7 && ungetc(' ', file) == ' ')
STREAM(getdelim, getdelim(&line, &room, 'a', file) == 1)
STREAM(__getdelim, __getdelim(&line, &room, 'a', file) == 1)
STREAM(__fgets_chk, __fgets_chk(text, sizeof text, 2, file) == text)
STREAM(__fgets_unlocked_chk, __fgets_unlocked_chk(text, sizeof text, 2, file) == text)
STREAM(__fread_chk, __fread_chk(text, sizeof text, 1, 1, file) == 1)
STREAM(__fread_unlocked_chk, __fread_unlocked_chk(text, sizeof text, 1, 1, file) == 1)

static int first_of_stdin(FILE *file)
{
	FILE *own = stdin;
	int first;

	stdin = file;
	first = (getchar)();
	stdin = own;
	return first;
}
STREAM(getchar, first_of_stdin(file) == 'a')

/* A stream without a buffer: each call is a write. */
static FILE *unbuffered(int *end)
{
	FILE *file;
	int ends[2];

	if (pipe(ends))
		abort();
	*end = ends[0];
	file = fdopen(ends[1], "w");
	setvbuf(file, NULL, _IONBF, 0);
	return file;
}

/* The program's own output is put back before something else is printed. */
#define WRITTEN(name, call) \
	CALL(name, "ChannelFilled ChannelEmptied ChannelClosed ChannelClosed", int end; \
	     FILE *file = unbuffered(&end), *own = stdout; char byte; fflush(stdout); stdout = file; \
	     int result = (call); stdout = own; \
	     if (result == EOF || read(end, &byte, 1) != 1 || byte != 'a') abort(); fclose(file); \
	     close(end))
static int listed(int (*print)(const char *, va_list), const char *format, ...)
{
	va_list list;
	int result;

	va_start(list, format);
	result = print(format, list);
	va_end(list);
	return result;
}
static int file_print(const char *format, va_list list)
{
	return vfprintf(stdout, format, list);
}
static int checked_print(const char *format, va_list list)
{
	return __vprintf_chk(1, format, list);
}
static int checked_file_print(const char *format, va_list list)
{
	return __vfprintf_chk(stdout, 1, format, list);
}
WRITTEN(fputc, fputc('a', file))
WRITTEN(putc, (putc)('a', file))
WRITTEN(putchar, (putchar)('a'))
WRITTEN(__overflow, __overflow(file, 'a'))
WRITTEN(puts, puts("a"))
WRITTEN(fputs, fputs("a", file))
WRITTEN(fputs_unlocked, (fputs_unlocked)("a", file))
WRITTEN(fwrite, (int)fwrite("a", 1, 1, file))
WRITTEN(fwrite_unlocked, (int)(fwrite_unlocked)("a", 1, 1, file))
WRITTEN(fflush, setvbuf(file, NULL, _IOFBF, 64) | fputc('a', file) | fflush(file))
WRITTEN(vprintf, listed(vprintf, "%s", "a"))
WRITTEN(vfprintf, listed(file_print, "%s", "a"))
WRITTEN(__vprintf_chk, listed(checked_print, "%s", "a"))
WRITTEN(__vfprintf_chk, listed(checked_file_print, "%s", "a"))
WRITTEN(printf, (printf)("a%d", 1))
WRITTEN(fprintf, (fprintf)(file, "a%d", 1))
WRITTEN(__printf_chk, __printf_chk(1, "a%d", 1))
WRITTEN(__fprintf_chk, __fprintf_chk(file, 1, "a%d", 1))
#endif

static const struct {
	const char *name;
	const char *(*call)(void);
} entries[] = {
#define ENTRY(name) { #name, call_##name },
#define VERSIONED(name) { #name, call_##name },
#include "probes/threads/entries.h"
};

static const char *const made_first[] = {
	"mtx_init", "cnd_init", "sem_init", "pthread_spin_init", "pthread_barrier_init", "sem_open",
};

static void entry_call(size_t i)
{
	char number[16];
	const char *events;

	snprintf(number, sizeof number, "%zu", i);
	pthread_setname_np(pthread_self(), number);
	events = entries[i].call();
	printf("%s %s: %s\n", number, entries[i].name, events);
	pthread_setname_np(pthread_self(), "-");
}

static int is_made_first(const char *name)
{
	for (size_t k = 0; k < sizeof made_first / sizeof *made_first; k++)
		if (!strcmp(name, made_first[k]))
			return 1;
	return 0;
}

/* What makes things comes first, what ends them last. */
int main(void)
{
	size_t n = sizeof entries / sizeof *entries;

	snprintf(path, sizeof path, "/glimpse-entries-%d", (int)getpid());
	for (size_t i = 0; i < n; i++)
		if (is_made_first(entries[i].name))
			entry_call(i);
	for (size_t i = 0; i < n; i++)
		if (!is_made_first(entries[i].name) && !strstr(entries[i].name, "destroy"))
			entry_call(i);
	for (size_t i = 0; i < n; i++)
		if (strstr(entries[i].name, "destroy"))
			entry_call(i);
	return 0;
}
