/* Threads free the memory of others, for preloads.test: output and status are always the same. */
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace
{
constexpr int THREADS = 3, BLOCKS = 2000;

std::mutex lock;
std::condition_variable there;
std::deque<std::unique_ptr<std::string>> blocks;

struct alignas(256) Aligned {
	char bytes[300];
};

void give(int me)
{
	std::map<int, std::vector<int>> own;

	for (int i = 0; i < BLOCKS; i++) {
		own[i % 50].resize(static_cast<size_t>(i % 97));
		std::lock_guard<std::mutex> guard(lock);
		blocks.push_back(std::make_unique<std::string>(static_cast<size_t>(i % 500),
							       static_cast<char>('a' + me)));
		there.notify_one();
	}
}

size_t take()
{
	size_t bytes = 0;

	for (int i = 0; i < THREADS * BLOCKS; i++) {
		std::unique_lock<std::mutex> guard(lock);
		there.wait(guard, [] { return !blocks.empty(); });
		bytes += blocks.front()->size();
		blocks.pop_front();
	}
	return bytes;
}

/* The functions of C, with what they return for sizes that are odd. */
void in_c()
{
	void *aligned = nullptr;
	auto text = static_cast<char *>(calloc(1, 100));

	std::strcpy(text, "kept");
	text = static_cast<char *>(realloc(text, 200000));
	std::printf("%s %d ", text, posix_memalign(&aligned, 4096, 100));
	std::printf("%d %d\n", reinterpret_cast<size_t>(aligned) % 4096 == 0,
		    posix_memalign(&aligned, 3, 1) != 0);
	std::free(text);
	std::free(nullptr);
}

void in_cxx()
{
	auto a = std::make_unique<Aligned>();

	std::printf("%d ", reinterpret_cast<size_t>(a.get()) % 256 == 0);
	try {
		std::vector<char> all(static_cast<size_t>(-1) / 4);
		std::printf("%zu\n", all.size());
	} catch (const std::bad_alloc &) {
		std::printf("no memory\n");
	}
}
} // namespace

int main()
{
	std::vector<std::thread> threads;
	int status = 0;
	pid_t child;

	for (int i = 0; i < THREADS; i++)
		threads.emplace_back(give, i);
	std::printf("%zu bytes\n", take());
	for (std::thread &thread : threads)
		thread.join();
	in_c();
	in_cxx();
	std::fflush(stdout);
	child = fork();
	if (child == 0) {
		std::vector<std::string> many(1000, std::string(100, 'x'));
		_exit(static_cast<int>(many.size() % 100 + many[999].size()));
	}
	waitpid(child, &status, 0);
	std::printf("child %d\n", WEXITSTATUS(status));
	return 9;
}
