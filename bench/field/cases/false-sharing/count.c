/* Two threads count, each in a word of its own. Argument: how far the words are apart, bytes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Alignas(256) char words_of_memory[512];

__attribute__((noinline)) static void count(_Atomic long *word)
{
	for (long i = 0; i < 30000000; i++)
		atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
}

static void *work(void *word)
{
	count(word);
	return NULL;
}

int main(int n, char **words)
{
	pthread_t thread;
	long apart = n > 1 ? atol(words[1]) : 8;

	if (pthread_create(&thread, NULL, work, words_of_memory + apart))
		return 1;
	work(words_of_memory);
	return pthread_join(thread, NULL);
}
