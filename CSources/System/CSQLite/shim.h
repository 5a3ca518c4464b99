/* SQLite (Debian: libsqlite3-dev). */
#include <sqlite3.h>

/* What Swift cannot call: a function of variable arguments, and macros that are pointers made of numbers. */

static inline int csqlite_set_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

static inline int csqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  /* No address would bind NULL, not an empty value. */
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, count == 0 ? "" : text, count, SQLITE_TRANSIENT);
}
