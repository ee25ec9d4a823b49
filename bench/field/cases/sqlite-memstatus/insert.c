/*
 * Threads insert rows, each into a database of its own in memory. Arguments: the number of threads;
 * 1: SQLite counts its memory, under a mutex that all share, 0: it does not.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>

enum { ROWS = 40000 };

static void *insert(void *unused)
{
	sqlite3 *db;
	sqlite3_stmt *s;

	sqlite3_open_v2(":memory:", &db,
			SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
	sqlite3_exec(db, "create table t(a integer primary key, b text)", NULL, NULL, NULL);
	for (int i = 0; i < ROWS; i++) {
		sqlite3_prepare_v2(db, "insert into t(b) values(?1||'x')", -1, &s, NULL);
		sqlite3_bind_text(s, 1, "hello world", -1, SQLITE_TRANSIENT);
		sqlite3_step(s);
		sqlite3_finalize(s);
	}
	sqlite3_close(db);
	return unused;
}

int main(int n, char **words)
{
	pthread_t threads[16];
	int many = n > 1 ? atoi(words[1]) : 2;

	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, n > 2 ? atoi(words[2]) : 1);
	for (int i = 0; i < many; i++)
		pthread_create(threads + i, NULL, insert, NULL);
	for (int i = 0; i < many; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
