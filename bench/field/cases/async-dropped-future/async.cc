/*
 * std::async() whose future is dropped: its destructor waits, so the four requests run one after the
 * other. Arguments: length of a request, us; "kept": the futures live until the end.
 */
#include <cstdlib>
#include <future>
#include <unistd.h>
#include <vector>

static int length = 100000;

__attribute__((noinline)) static int request()
{
	usleep(length);
	return 1;
}

int main(int n, char **words)
{
	std::vector<std::future<int>> kept;

	if (n > 1)
		length = atoi(words[1]);
	for (int i = 0; i < 4; i++) {
		if (n > 2)
			kept.push_back(std::async(std::launch::async, request));
		else
			std::async(std::launch::async, request);
	}
}
