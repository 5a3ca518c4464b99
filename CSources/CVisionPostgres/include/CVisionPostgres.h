/// A client of PostgreSQL: libpq, which is loaded when a database is opened. Nothing is linked, and no header of it is
/// needed.
#ifndef CVISION_POSTGRES_H
#define CVISION_POSTGRES_H

#include <stddef.h>
#include <stdint.h>

enum {
    CVP_MESSAGE_SIZE = 1024,
    /// Of a state of SQL: five letters and a zero.
    CVP_STATE_SIZE = 6,
};

typedef enum {
    CVP_OK = 0,
    /// The system has no libpq.
    CVP_NO_LIBRARY,
    /// The address is not one of PostgreSQL.
    CVP_BAD_ADDRESS,
    /// No server answers at the address.
    CVP_UNREACHABLE,
    /// The server refuses the user, the password or the database.
    CVP_REFUSED,
    /// The connection ended.
    CVP_DISCONNECTED,
    /// The server could not run a statement; the state says why.
    CVP_FAILED,
    CVP_NO_MEMORY,
} cvp_status;

/// A connection. One thread at a time may use it.
typedef struct cvp_connection cvp_connection;
/// The rows of a statement.
typedef struct cvp_result cvp_result;

/// A parameter of a statement, in PostgreSQL's binary format.
typedef struct {
    /// The number of the type; 0 where the statement says which.
    uint32_t type;
    /// NULL for SQL's NULL.
    const void *bytes;
    int count;
} cvp_value;

/// Opens a connection. Nothing is ever printed.
///
/// - address: postgresql://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETERS, as libpq reads it.
/// - connection: Receives the connection where the status is CVP_OK.
/// - shown: Has room for CVP_MESSAGE_SIZE bytes; receives the address without password and parameters.
/// - message: Has room for CVP_MESSAGE_SIZE bytes; receives a text where the status is an error, without the password.
cvp_status cvp_open(const char *address, cvp_connection **connection, char *shown, char *message);

void cvp_close(cvp_connection *connection);

/// The server's version: 150004 is 15.4.
int cvp_server_version(const cvp_connection *connection);

/// Runs one statement.
///
/// - result: Receives the rows where the status is CVP_OK; `cvp_free` frees them.
/// - state: Has room for CVP_STATE_SIZE bytes; receives the state of SQL where the status is CVP_FAILED.
/// - message: Has room for CVP_MESSAGE_SIZE bytes; receives a text where the status is an error.
cvp_status cvp_run(
    cvp_connection *connection, const char *sql, const cvp_value *values, int count, cvp_result **result, char *state,
    char *message);

int cvp_row_count(const cvp_result *result);
int cvp_column_count(const cvp_result *result);
/// The number of rows that the statement inserted, changed or deleted; 0 for other statements.
long long cvp_changes(cvp_result *result);
/// A value in binary format; NULL for SQL's NULL. It is valid until the result is freed.
const void *cvp_value_bytes(const cvp_result *result, int row, int column, int *count);
uint32_t cvp_column_type(const cvp_result *result, int column);
void cvp_free(cvp_result *result);

#endif
