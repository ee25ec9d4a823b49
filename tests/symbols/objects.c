/* Locks of all kinds: variables, on the heap, on the stack, named, ended and made again. */
#include "where_glimpse.h"
#include <glimpse.h>
#include <stdlib.h>

struct pool {
	char before[16];
	int lock;
};

int queue_lock;
static struct pool pool;

int main(void)
{
	static int inside;
	int local, *heap = malloc(64), *named = malloc(64);

	Lock_Stamp(heap, "the first on the heap");
	Lock_Stamp(&queue_lock, "a variable");
	Lock_Stamp(&pool.lock, "a part of one");
	Lock_Stamp(&inside, "of a function");
	Lock_Stamp(&local, "on the stack");
	glimpse_name(named, "the queue");
	Lock_Stamp(named, "named before");
	Wait_Stamp(heap, &local);
	Wait_Stamp(heap + 1, heap + 1);
	Wait_Stamp(heap + 2, NULL);
	Gone_Stamp(heap);
	Lock_Stamp(heap, "the first again, another one");
	glimpse_name(heap, "later\t\\");
	Gone_Stamp(heap);
	Gone_Stamp(heap);
	Gone_Stamp(&queue_lock);
	Lock_Stamp(&queue_lock, "a variable still");
	Gone_Stamp(named);
	Lock_Stamp(named, "no longer named");
	glimpse_name(named, "one");
	glimpse_name(named, "two");
	Lock_Stamp(named, "renamed");
	glimpse_name(named, "");
	Lock_Stamp(named, "no name");
	free(heap);
	free(named);
	return 0;
}
