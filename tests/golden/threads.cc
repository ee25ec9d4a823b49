/* What Graze was made for: a C++ program whose threads pass messages. */
#include "messages_glimpse.h"
#include <string>
#include <thread>
#include <vector>

namespace
{

const int nthreads = 8, nmessages = 1000;

void work(int self)
{
	glimpse_thread_name(("worker " + std::to_string(self)).c_str());
	for (int seq = 0; seq < nmessages; seq++) {
		Preparemsg_Stamp();
		Sendmsg_Stamp(self, seq);
		Recvmsg_Stamp((self + 1) % nthreads, seq);
	}
}

} // namespace

int main()
{
	std::vector<std::thread> threads;

	for (int i = 0; i < nthreads; i++)
		threads.emplace_back(work, i);
	for (auto &thread : threads)
		thread.join();
}
