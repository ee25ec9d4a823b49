/*
 * page_blocks: an allocator to be preloaded that maps memory for each block. As tcmalloc does, it
 * defines mmap() and munmap(), which call pthread_once() for the once that malloc() calls it for; it
 * has an operator new of its own, which malloc_usable_size() calls. It locks a mutex: what comes
 * back into it in the same thread waits for ever.
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define COULD(size, align) ((size) < SIZE_MAX / 2 && (align) < SIZE_MAX / 4)

/* Before each block. */
struct head {
	void *map;
	size_t span, size, padding;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t blocks;

static void begin(void)
{
	blocks = 1;
}

static void count(size_t change)
{
	pthread_once(&once, begin);
	pthread_mutex_lock(&mutex);
	blocks += change;
	pthread_mutex_unlock(&mutex);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	count(0);
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

int munmap(void *at, size_t size)
{
	count(0);
	return (int)syscall(SYS_munmap, at, size);
}

static struct head *head_of(void *block)
{
	return (struct head *)block - 1;
}

static void *block_make(size_t align, size_t size)
{
	size_t span;
	uintptr_t at;
	void *map;

	count(1);
	if (align < sizeof(struct head))
		align = sizeof(struct head);
	span = (sizeof(struct head) + align + size + PAGE - 1) & ~(size_t)(PAGE - 1);
	map = COULD(size, align) ? (void *)syscall(SYS_mmap, NULL, span, PROT_READ | PROT_WRITE,
						   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
				 : MAP_FAILED;
	if (map == MAP_FAILED) {
		errno = ENOMEM;
		return NULL;
	}
	at = ((uintptr_t)map + sizeof(struct head) + align - 1) & ~(uintptr_t)(align - 1);
	*head_of((void *)at) = (struct head){map, span, size, 0};
	return (void *)at;
}

void *malloc(size_t size)
{
	return block_make(1, size);
}

void free(void *block)
{
	if (!block)
		return;
	count(-(size_t)1);
	syscall(SYS_munmap, head_of(block)->map, head_of(block)->span);
}

void *calloc(size_t n, size_t size)
{
	size_t bytes;

	return block_make(1, __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes);
}

void *realloc(void *block, size_t size)
{
	void *to = block_make(1, size);

	if (!block || !to)
		return to;
	memcpy(to, block, head_of(block)->size < size ? head_of(block)->size : size);
	free(block);
	return to;
}

void *memalign(size_t align, size_t size)
{
	return block_make(align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return block_make(align, size);
}

int posix_memalign(void **block, size_t align, size_t size)
{
	int error = errno;
	void *made = block_make(align, size);

	errno = error;
	if (!made)
		return ENOMEM;
	*block = made;
	return 0;
}

void *valloc(size_t size)
{
	return block_make(PAGE, size);
}

void *pvalloc(size_t size)
{
	return block_make(PAGE, (size + PAGE - 1) & ~(size_t)(PAGE - 1));
}

/* operator new and operator delete */
void *new_block(size_t size) __asm__("_Znwm");
void *new_block(size_t size)
{
	return block_make(1, size);
}

void delete_block(void *block) __asm__("_ZdlPv");
void delete_block(void *block)
{
	free(block);
}

void *called_new(size_t size) __asm__("_Znwm");
void called_delete(void *block) __asm__("_ZdlPv");

size_t malloc_usable_size(void *block)
{
	called_delete(called_new(8));
	return block ? head_of(block)->size : 0;
}
