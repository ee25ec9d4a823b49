// A reader, three parsers and a writer with two queues between them; all parsers count under one lock.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include <pthread.h>

template <class T> struct Queue {
	std::mutex mutex;
	std::condition_variable notEmpty, notFull;
	std::deque<T> items;
	size_t most;
	bool closed = false;
	explicit Queue(size_t n) : most(n) {}
	void put(T item) {
		std::unique_lock<std::mutex> lock(mutex);
		notFull.wait(lock, [&] { return items.size() < most; });
		items.push_back(item);
		notEmpty.notify_one();
	}
	bool get(T &item) {
		std::unique_lock<std::mutex> lock(mutex);
		notEmpty.wait(lock, [&] { return !items.empty() || closed; });
		if (items.empty())
			return false;
		item = items.front();
		items.pop_front();
		notFull.notify_one();
		return true;
	}
	void close() {
		std::lock_guard<std::mutex> lock(mutex);
		closed = true;
		notEmpty.notify_all();
	}
};

static Queue<int> raw(8), parsed(8);
static std::mutex statsMutex;
static unsigned long sum;
static int blocks = 400;

static void work(unsigned long n) {
	for (unsigned long i = 0; i < n; i++)
		{ sum = sum * 31 + i; asm volatile("" ::: "memory"); }
}

static void account(int item) {
	std::lock_guard<std::mutex> lock(statsMutex);
	work(item % 16 == 0 ? 1200000 : 160000);
}

static void parse(int item) {
	work(60000);
	account(item);
	parsed.put(item);
}

int main(int argc, char **argv) {
	if (argc > 1)
		blocks = std::atoi(argv[1]);
	std::thread reader([] {
		pthread_setname_np(pthread_self(), "reader");
		for (int i = 0; i < blocks; i++) {
			work(20000);
			raw.put(i);
		}
		raw.close();
	});
	std::vector<std::thread> parsers;
	for (int p = 0; p < 3; p++)
		parsers.emplace_back([p] {
			pthread_setname_np(pthread_self(), ("parser-" + std::to_string(p)).c_str());
			for (int item; raw.get(item);)
				parse(item);
		});
	std::thread writer([] {
		pthread_setname_np(pthread_self(), "writer");
		int n = 0;
		for (int item; parsed.get(item);) {
			work(40000);
			if (++n % 50 == 0)
				std::this_thread::sleep_for(std::chrono::milliseconds(5));
		}
	});
	reader.join();
	for (std::thread &p : parsers)
		p.join();
	parsed.close();
	writer.join();
	std::printf("%lu\n", sum);
}
