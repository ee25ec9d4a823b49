/*
 * standard: the C++ standard library's ways to the functions that the threads probe knows. As
 * entries does, prints for each: number, name, the events that the main thread has to log.
 */
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex mutex;
static std::timed_mutex timed;
static std::recursive_mutex recursive;
static std::recursive_timed_mutex recursive_timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;
static std::condition_variable condition;
static std::condition_variable_any any;
static std::once_flag once, twice;

static int number;

template <typename Call> static void entry(const char *name, const char *events, Call call)
{
	char text[16];

	std::snprintf(text, sizeof text, "%d", number++);
	pthread_setname_np(pthread_self(), text);
	call();
	pthread_setname_np(pthread_self(), "-");
	std::printf("%s %s: %s\n", text, name, events);
}

static void locks()
{
	entry("mutex", "Lock Unlock", [] { std::lock_guard<std::mutex> guard(mutex); });
	entry("recursive_mutex", "Lock Lock Unlock Unlock", [] {
		std::lock_guard<std::recursive_mutex> outer(recursive), inner(recursive);
	});
	entry("timed_mutex for", "Lock Unlock", [] {
		if (timed.try_lock_for(1ms))
			timed.unlock();
	});
	entry("timed_mutex until", "Lock Unlock", [] {
		if (timed.try_lock_until(std::chrono::system_clock::now() + 1ms))
			timed.unlock();
	});
	entry("recursive_timed_mutex", "Lock Unlock", [] {
		if (recursive_timed.try_lock_for(1ms))
			recursive_timed.unlock();
	});
	entry("shared_mutex", "Lock Unlock Lock Unlock", [] {
		{ std::shared_lock<std::shared_mutex> reader(shared); }
		std::unique_lock<std::shared_mutex> writer(shared);
	});
	entry("shared_timed_mutex", "Lock Unlock Lock Unlock", [] {
		if (shared_timed.try_lock_shared_for(1ms))
			shared_timed.unlock_shared();
		if (shared_timed.try_lock_for(1ms))
			shared_timed.unlock();
	});
	entry("lock of two", "Lock Lock Unlock Unlock", [] { std::scoped_lock both(mutex, timed); });
	entry("call_once", "OnceBegin OnceEnd", [] {
		std::call_once(once, [] {});
		std::call_once(once, [] {});
	});
	entry("call_once that throws", "OnceBegin OnceBegin OnceEnd", [] {
		try {
			std::call_once(twice, [] { throw 1; });
		} catch (int) {
			std::call_once(twice, [] {});
		}
	});
}

static void waits()
{
	entry("wait_for", "Lock Unlock CondBegin WaitStack WaitLimit Lock CondEnd Unlock", [] {
		std::unique_lock<std::mutex> lock(mutex);
		condition.wait_for(lock, 1ms);
	});
	entry("wait_until", "Lock Unlock CondBegin WaitStack WaitLimit Lock CondEnd Unlock", [] {
		std::unique_lock<std::mutex> lock(mutex);
		condition.wait_until(lock, std::chrono::system_clock::now() + 1ms);
	});
	entry("notify", "CondUnheard CondUnheard", [] {
		condition.notify_one();
		condition.notify_all();
	});
	entry("condition_variable_any", "Lock Lock Unlock Unlock CondBegin WaitStack WaitLimit Lock CondEnd Unlock Lock Unlock",
	      [] {
		std::unique_lock<std::timed_mutex> lock(timed);
		any.wait_for(lock, 1ms);
	});
	entry("sleep_for", "SleepBegin WaitStack SleepEnd", [] { std::this_thread::sleep_for(1us); });
	entry("yield", "Yield", [] { std::this_thread::yield(); });
	entry("thread", "ThreadCreate JoinBegin WaitStack JoinEnd", [] { std::thread([] {}).join(); });
	entry("detach", "ThreadCreate ThreadDetach", [] { std::thread([] {}).detach(); });
}

/* The first exception has the C++ runtime run something once. */
static void throw_one()
{
	try {
		throw 1;
	} catch (int) {
	}
}

int main()
{
	throw_one();
	locks();
	waits();
	return 0;
}
