#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stddef.h>

// Swift does not import variadic functions.

// Enforces foreign keys, and rejects the name of a missing column in double quotes, which would otherwise be a text.
static inline void CSQLite_configure(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
}

// Whether the file `-wal` stays when the last connection is closed, instead of being copied to the database file.
static inline void CSQLite_keep_log(sqlite3 *connection, int keeps) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, NULL);
}

// Swift does not import the pointer SQLITE_TRANSIENT, which makes SQLite copy the value.

static inline int CSQLite_bind_text(sqlite3_stmt *statement, int number, const char *text) {
    return sqlite3_bind_text(statement, number, text, -1, SQLITE_TRANSIENT);
}

static inline int CSQLite_bind_bytes(sqlite3_stmt *statement, int number, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, number, bytes, count, SQLITE_TRANSIENT);
}

#endif
