/*
 * A pool of three workers. Each job submits a part to the same pool and waits for its future: the
 * parts never start. With the argument "helps" a job that waits runs parts from the queue itself.
 */
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex gate;
static std::condition_variable any;
static std::deque<std::packaged_task<int()>> queue;
static bool helps, closed;

static std::future<int> submit(int (*f)())
{
	std::packaged_task<int()> task(f);
	auto result = task.get_future();
	{
		std::lock_guard<std::mutex> hold(gate);
		queue.push_back(std::move(task));
	}
	any.notify_one();
	return result;
}

static bool run_one(bool wait)
{
	std::unique_lock<std::mutex> hold(gate);
	if (wait)
		any.wait(hold, [] { return closed || !queue.empty(); });
	if (queue.empty())
		return false;
	auto task = std::move(queue.front());
	queue.pop_front();
	hold.unlock();
	task();
	return true;
}

static int part()
{
	volatile double x = 1;
	for (long i = 0; i < 5000000; i++)
		x = x * 1.0000001;
	return 1;
}

static int job()
{
	part();
	auto result = submit(part);
	while (helps && result.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
		run_one(false);
	return result.get();
}

static void worker()
{
	while (run_one(true)) {
	}
}

int main(int n, char **)
{
	std::vector<std::thread> pool;
	std::vector<std::future<int>> results;
	int sum = 0;

	helps = n > 1;
	for (int i = 0; i < 3; i++)
		results.push_back(submit(job));
	for (int i = 0; i < 3; i++)
		pool.emplace_back(worker);
	for (auto &result : results)
		sum += result.get();
	{
		std::lock_guard<std::mutex> hold(gate);
		closed = true;
	}
	any.notify_all();
	for (auto &thread : pool)
		thread.join();
	printf("%d\n", sum);
}
