#include "scenes.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <dlfcn.h>
#include <mutex>
#include <numeric>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace scenes
{
namespace
{
thread_local volatile sig_atomic_t caught;
thread_local sigjmp_buf back;
std::atomic<long> destroyed, ticks;

/* A child of a process in which another thread is in dlopen() can load nothing. */
std::mutex loading;

pid_t forked()
{
	std::lock_guard<std::mutex> guard(loading);

	return fork();
}

int ended(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

void catches(int)
{
	caught = caught + 1;
}

void jumps_back(int number)
{
	siglongjmp(back, number);
}

void ticked(int)
{
	ticks++;
}

void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {};

	action.sa_handler = handler;
	action.sa_flags = flags;
	sigaction(number, &action, nullptr);
}

timespec after(long ms)
{
	timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += ms * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

/* On the way of an exception. */
struct Locked {
	explicit Locked(std::recursive_mutex &mutex) : guard(mutex)
	{
	}
	~Locked()
	{
		destroyed++;
	}
	std::lock_guard<std::recursive_mutex> guard;
};

long deep(long n, std::recursive_mutex &mutex)
{
	Locked locked(mutex);

	if (n == 0)
		throw std::runtime_error("deep");
	return deep(n - 1, mutex) + 1;
}

[[gnu::noinline]] void jump_from(long depth, jmp_buf to)
{
	volatile char frame[64] = {static_cast<char>(depth)};

	if (depth == 0)
		longjmp(to, 5);
	jump_from(depth - 1, to);
	frame[1] = frame[0];
}

struct Local {
	~Local()
	{
		destroyed += value;
	}
	long value = 1;
};
thread_local Local local;

thread_local ucontext_t main_context, coroutine;
thread_local long passed;

void coroutine_run()
{
	for (int i = 0;; i++) {
		passed += i;
		swapcontext(&coroutine, &main_context);
	}
}

void *waits_for_ever(void *argument)
{
	auto semaphore = static_cast<sem_t *>(argument);
	long value = 0;

	pthread_cleanup_push(
	    [](void *sum) {
		    *static_cast<long *>(sum) += 1;
		    destroyed++;
	    },
	    &value);
	for (;;)
		sem_wait(semaphore);
	pthread_cleanup_pop(0);
	return nullptr;
}

std::string self()
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	return std::string(path, n > 0 ? static_cast<size_t>(n) : 0);
}
} // namespace

long in_threads(int count, const std::function<long(int)> &work)
{
	std::vector<long> results(static_cast<size_t>(count));
	std::vector<std::thread> threads;

	for (int i = 0; i < count; i++)
		threads.emplace_back([&, i] { results[static_cast<size_t>(i)] = work(i); });
	for (std::thread &thread : threads)
		thread.join();
	return std::accumulate(results.begin(), results.end(), 0L);
}

long in_child(const std::function<long()> &work)
{
	int fds[2];
	long result = -1;
	pid_t pid;

	if (pipe(fds) != 0 || (pid = forked()) < 0)
		return -2;
	if (pid == 0) {
		result = work();
		_exit(write(fds[1], &result, sizeof result) != sizeof result);
	}
	close(fds[1]);
	while (read(fds[0], &result, sizeof result) < 0 && errno == EINTR)
		;
	close(fds[0]);
	return ended(pid) == 0 ? result : -3;
}

long through_exceptions(int depth, const std::function<long()> &work)
{
	if (depth == 0)
		throw work();
	try {
		return through_exceptions(depth - 1, work);
	} catch (long value) {
		if (depth % 2)
			return value + 1;
		throw value + 2;
	}
}

void print(const char *what, long value)
{
	dprintf(1, "%s %ld\n", what, value);
}

void end(int way, int status)
{
	switch (way) {
	case 0:
		std::exit(status);
	case 1:
		_exit(status);
	case 2:
		std::quick_exit(status);
	case 3:
		std::thread([status] { std::exit(status); }).detach();
		pthread_exit(nullptr);
	case 4:
		execl("/bin/sh", "sh", "-c", ("exit " + std::to_string(status)).c_str(), nullptr);
		_exit(126);
	case 5:
		raise(SIGTERM);
		_exit(126);
	default:
		std::atexit([] { print("at exit", destroyed > 0); });
		throw std::runtime_error("nobody catches this");
	}
}

void begin(int argc, char **argv)
{
	handle(SIGUSR1, catches, SA_RESTART);
	handle(SIGUSR2, jumps_back, SA_NODEFER);
	handle(SIGRTMIN, ticked, SA_RESTART);
	if (argc > 2 && !std::strcmp(argv[1], "--child"))
		_exit(static_cast<int>(locks(std::atol(argv[2])) % 100));
}

long locks(long n)
{
	std::mutex mutex;
	std::recursive_mutex recursive;
	std::shared_mutex shared;
	pthread_spinlock_t spin;
	long sums[4] = {};

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	in_threads(3, [&](int me) {
		for (long i = 0; i < n * 20; i++) {
			{
				std::lock_guard<std::mutex> guard(mutex);
				sums[0] += i % 5;
			}
			{
				std::lock_guard<std::recursive_mutex> outer(recursive),
				    inner(recursive);
				sums[1] += i;
			}
			if (i % 3 == me) {
				std::unique_lock<std::shared_mutex> writer(shared);
				sums[2]++;
			} else {
				std::shared_lock<std::shared_mutex> reader(shared);
			}
			pthread_spin_lock(&spin);
			sums[3]++;
			pthread_spin_unlock(&spin);
		}
		return 0L;
	});
	pthread_spin_destroy(&spin);
	return sums[0] + sums[1] + sums[2] + sums[3];
}

long conditions(long n)
{
	std::mutex mutex;
	std::condition_variable there, room;
	std::deque<long> queue;
	long sum = 0;
	std::thread producer([&] {
		for (long i = 0; i <= n * 10; i++) {
			std::unique_lock<std::mutex> guard(mutex);
			room.wait(guard, [&] { return queue.size() < 4; });
			queue.push_back(i);
			there.notify_all();
		}
	});

	for (long got = 0; got < n * 10;) {
		std::unique_lock<std::mutex> guard(mutex);
		while (!there.wait_for(guard, std::chrono::milliseconds(1),
				       [&] { return !queue.empty(); }))
			;
		got = queue.front();
		sum += got;
		queue.pop_front();
		room.notify_one();
	}
	producer.join();
	return sum;
}

long semaphores(long n)
{
	pthread_barrier_t barrier;
	std::atomic<long> sum{0};
	sem_t semaphore;

	sem_init(&semaphore, 0, 2);
	pthread_barrier_init(&barrier, nullptr, 3);
	in_threads(3, [&](int) {
		for (long i = 0; i < n; i++) {
			while (sem_wait(&semaphore) != 0)
				;
			sum += i;
			sem_post(&semaphore);
			sum += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
		}
		return 0L;
	});
	pthread_barrier_destroy(&barrier);
	sem_destroy(&semaphore);
	return sum;
}

long forks(long n)
{
	long sum = 0;

	for (long i = 0; i < n % 4 + 1; i++)
		sum += in_child([=] { return locks(i) + in_child([=] { return memory(i); }); });
	return sum;
}

long spawns(long n)
{
	std::string command = "exit " + std::to_string(n % 50);
	char *const arguments[] = {const_cast<char *>("sh"), const_cast<char *>("-c"),
				   command.data(), nullptr};
	pid_t pid;
	long sum;

	if (posix_spawn(&pid, "/bin/sh", nullptr, nullptr, arguments, environ) != 0)
		return -1;
	sum = ended(pid);
	pid = vfork();
	if (pid == 0) {
		execve("/bin/sh", arguments, environ);
		_exit(126);
	}
	return sum + ended(pid);
}

long execs(long n)
{
	std::string path = self(), number = std::to_string(n);
	pid_t pid = forked();

	if (pid == 0) {
		execl(path.c_str(), path.c_str(), "--child", number.c_str(), nullptr);
		_exit(126);
	}
	return ended(pid);
}

long signals(long n)
{
	return in_threads(2, [=](int) {
		caught = 0;
		for (long i = 0; i < n * 5; i++)
			pthread_kill(pthread_self(), SIGUSR1);
		return static_cast<long>(caught);
	});
}

long timers(long n)
{
	sigevent event = {};
	itimerspec often = {{0, 300000}, {0, 300000}};
	timer_t timer;
	long sum;

	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGRTMIN;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		return -1;
	timer_settime(timer, 0, &often, nullptr);
	sum = locks(n) + memory(n) + conditions(n);
	for (int i = 0; ticks == 0 && i < 10000; i++)
		usleep(1000);
	timer_delete(timer);
	return sum + (ticks > 0);
}

long jumps(long n)
{
	volatile long sum = 0;
	jmp_buf here;

	for (volatile long i = 0; i < n; i = i + 1) {
		int value = setjmp(here);
		if (value == 0)
			jump_from(i % 20, here);
		sum = sum + value;
		value = sigsetjmp(back, 1);
		if (value == 0)
			pthread_kill(pthread_self(), SIGUSR2);
		sum = sum + (value == SIGUSR2);
	}
	return sum;
}

long faults(long n)
{
	/* in a child, whose handler of SIGSEGV is its own */
	return in_child([=] {
		auto page = static_cast<volatile char *>(
		    mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
		volatile long sum = 0;
		char other[65536];
		stack_t stack = {other, 0, sizeof other};

		sigaltstack(&stack, nullptr);
		handle(SIGSEGV, jumps_back, SA_ONSTACK);
		for (volatile long i = 0; i < n; i = i + 1) {
			if (sigsetjmp(back, 1) == 0)
				page[0] = 1;
			else
				sum = sum + 1;
		}
		return static_cast<long>(sum);
	});
}

long throws(long n)
{
	std::recursive_mutex mutex;
	std::exception_ptr kept;
	long sum = 0;

	for (long i = 0; i < n; i++) {
		try {
			deep(i % 30, mutex);
		} catch (const std::exception &e) {
			sum += static_cast<long>(std::strlen(e.what()));
			kept = std::current_exception();
		}
	}
	return sum + in_threads(2, [&](int) {
		       try {
			       std::rethrow_exception(kept);
		       } catch (const std::runtime_error &) {
			       return 3L;
		       }
	       });
}

long loads(long n)
{
	std::string path = self();

	path = path.substr(0, path.rfind('/')) + "/plugin.so";
	return in_threads(2, [&](int) {
		long sum = 0;

		for (long i = 0; i < n % 5 + 1; i++) {
			std::lock_guard<std::mutex> guard(loading);
			void *plugin = dlopen(path.c_str(), RTLD_NOW);
			auto work =
			    plugin ? reinterpret_cast<long (*)(long)>(dlsym(plugin, "plugin_work"))
				   : nullptr;

			sum += work ? work(i) : -1000;
			if (plugin)
				dlclose(plugin);
		}
		return sum;
	});
}

long cancels(long n)
{
	long sum = 0;

	for (long i = 0; i < n % 6 + 1; i++) {
		pthread_t thread;
		void *result;
		sem_t semaphore;

		sem_init(&semaphore, 0, static_cast<unsigned>(i));
		pthread_create(&thread, nullptr, waits_for_ever, &semaphore);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		sum += result == PTHREAD_CANCELED;
		sem_destroy(&semaphore);
	}
	return sum;
}

long contexts(long n)
{
	std::vector<char> stack(131072);

	passed = 0;
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack.data();
	coroutine.uc_stack.ss_size = stack.size();
	makecontext(&coroutine, coroutine_run, 0);
	for (long i = 0; i < n; i++)
		swapcontext(&main_context, &coroutine);
	return passed;
}

long pipes(long n)
{
	int fds[2], pair[2];
	long sum = 0;

	if (pipe(fds) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return -1;
	std::thread writer([&] {
		std::vector<char> bytes(static_cast<size_t>(n) * 1000, 'x');
		for (size_t at = 0; at < bytes.size();) {
			ssize_t w = write(fds[1], bytes.data() + at, bytes.size() - at);
			at += w > 0 ? static_cast<size_t>(w) : 0;
		}
		close(fds[1]);
	});
	for (char bytes[700];;) {
		pollfd ready = {fds[0], POLLIN, 0};
		ssize_t r;

		while (poll(&ready, 1, -1) < 0)
			;
		r = read(fds[0], bytes, sizeof bytes);
		if (r == 0)
			break;
		sum += r > 0 ? r : 0;
	}
	writer.join();
	sum += send(pair[0], "hello", 5, 0) + recv(pair[1], fds, 5, 0);
	for (int fd : {fds[0], pair[0], pair[1]})
		close(fd);
	/* the number was overwritten: what fails does so in the same way */
	return sum + (read(-1, fds, 1) < 0 && errno == EBADF);
}

long memory(long n)
{
	std::vector<void *> blocks;
	long sum = 0;

	for (long i = 0; i < n * 30; i++) {
		auto size = static_cast<size_t>(i * 37 % 5000 + 1);
		auto block =
		    static_cast<unsigned char *>(i % 3 ? std::malloc(size) : std::calloc(1, size));

		block[size - 1] = static_cast<unsigned char>(i);
		if (i % 7 == 0)
			block = static_cast<unsigned char *>(std::realloc(block, size + 9000));
		sum += block[size - 1];
		blocks.push_back(block);
		if (i % 2) {
			std::free(blocks[blocks.size() / 2]);
			blocks[blocks.size() / 2] = nullptr;
		}
	}
	for (void *block : blocks)
		std::free(block);
	delete[] new std::string[static_cast<size_t>(n % 9 + 1)];
	return sum;
}

long locals(long n)
{
	pthread_key_t key;
	long sum;

	pthread_key_create(&key,
			   [](void *value) { *static_cast<std::atomic<long> *>(value) += 2; });
	std::atomic<long> left{0};
	sum = in_threads(3, [&](int me) {
		local.value = n + me;
		pthread_setspecific(key, &left);
		return local.value;
	});
	pthread_key_delete(key);
	return sum + left;
}

long timed(long n)
{
	std::timed_mutex mutex;
	std::condition_variable never;
	std::mutex its;
	sem_t semaphore;
	timespec until = after(n % 5);
	long sum = 0;

	mutex.lock();
	std::thread([&] { sum = mutex.try_lock_for(std::chrono::milliseconds(n % 7)); }).join();
	mutex.unlock();
	std::unique_lock<std::mutex> guard(its);
	sum += never.wait_for(guard, std::chrono::milliseconds(n % 3), [] { return false; });
	sem_init(&semaphore, 0, 0);
	errno = 0;
	while (sem_timedwait(&semaphore, &until) != 0 && errno == EINTR)
		;
	sum += errno == ETIMEDOUT ? 10 : 0;
	errno = 77;
	sum += usleep(100) == 0 || errno == EINTR;
	sum += sched_yield() == 0 ? 100 : 0;
	sem_destroy(&semaphore);
	return sum;
}

long stops(long n)
{
	pid_t pid = forked();
	int status = 0;

	if (pid == 0) {
		raise(SIGSTOP);
		_exit(static_cast<int>(n % 100));
	}
	while (waitpid(pid, &status, WUNTRACED) < 0 && errno == EINTR)
		;
	kill(pid, SIGCONT);
	return WIFSTOPPED(status) * 1000 + ended(pid);
}

long kills(long n)
{
	static const int numbers[] = {SIGKILL, SIGTERM, SIGABRT, SIGALRM};
	pid_t pid = forked();

	if (pid == 0) {
		memory(n);
		std::signal(SIGABRT, SIG_DFL);
		raise(numbers[n % 4]);
		_exit(1);
	}
	return ended(pid);
}

long shells(long n)
{
	std::string command = "seq " + std::to_string(n + 5) + " | tail -n 1; exit 3";
	FILE *pipe = popen(command.c_str(), "r");
	long value = -1;

	if (!pipe || fscanf(pipe, "%ld", &value) != 1)
		value = -2;
	return value * 100 + (pipe ? WEXITSTATUS(pclose(pipe)) : 0) +
	       WEXITSTATUS(std::system("exit 4"));
}

long small_stacks(long n)
{
	pthread_attr_t attributes;
	pthread_t thread;
	void *result = nullptr;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	pthread_attr_setguardsize(&attributes, 0);
	pthread_create(
	    &thread, &attributes,
	    [](void *argument) -> void * { return static_cast<char *>(argument) + 1; },
	    reinterpret_cast<void *>(n));
	pthread_join(thread, &result);
	pthread_attr_destroy(&attributes);
	return reinterpret_cast<long>(result);
}
} // namespace scenes
