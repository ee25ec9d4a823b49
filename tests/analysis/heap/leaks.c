/*
 * Leaks of known sizes, each from a place of its own: the table of the program's leaks is what
 * `glimpse memory` must print.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *volatile keep;

__attribute__((noinline)) void *node_new(size_t size)
{
	return keep = malloc(size);
}

__attribute__((noinline)) void list_grow(int times)
{
	for (int i = 0; i < times; i++)
		node_new(48);           /* leak: 10 of 48 */
}

__attribute__((noinline)) void name_forget(void)
{
	keep = strdup("forgotten");     /* leak: 10 bytes */
}

__attribute__((noinline)) void table_forget(void)
{
	char *table = calloc(25, 40);   /* becomes what follows */

	keep = realloc(table, 3000);    /* leak: 3000 */
}

__attribute__((noinline)) void aligned_forget(void)
{
	keep = aligned_alloc(64, 640);  /* leak: 640 */
}

__attribute__((noinline)) void all_freed(void)
{
	void *blocks[100];

	for (int i = 0; i < 100; i++)
		blocks[i] = node_new(100 + (size_t)i);
	for (int i = 0; i < 100; i++)
		free(blocks[i]);
	free(NULL);
	free(NULL);
}

static void *given;

static void *taker(void *unused)
{
	(void)unused;
	given = node_new(777);
	keep = malloc(333);             /* leak: 333, of the other thread */
	return NULL;
}

int main(void)
{
	pthread_t thread;

	list_grow(10);
	name_forget();
	table_forget();
	aligned_forget();
	all_freed();
	pthread_create(&thread, NULL, taker, NULL);
	pthread_join(thread, NULL);
	free(given);                    /* taken there, freed here */
	return 0;
}
