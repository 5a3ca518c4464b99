#include "CVisionPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of libpq's binary interface that is used. It has been the same since PostgreSQL 9.1 of 2011; the parameters
// of connections are those of PostgreSQL 12 of 2019 and later.
struct option {
    char *keyword;
    char *envvar;
    char *compiled;
    char *value;
    char *label;
    char *display;
    int size;
};
enum { CONNECTION_OK = 0 };
enum { RESULT_COMMAND = 1, RESULT_ROWS = 2 };
enum { PING_NO_RESPONSE = 2 };
enum { FIELD_STATE = 'C', FIELD_PRIMARY = 'M' };
enum { TEXT_FORMAT = 0, BINARY_FORMAT = 1 };

static struct {
    struct option *(*conninfo_parse)(const char *address, char **error);
    void (*conninfo_free)(struct option *options);
    void (*freemem)(void *memory);
    void *(*connect)(const char *const *keywords, const char *const *values, int expands);
    int (*ping)(const char *const *keywords, const char *const *values, int expands);
    int (*status)(const void *connection);
    int (*needs_password)(const void *connection);
    int (*used_password)(const void *connection);
    char *(*error_message)(const void *connection);
    int (*server_version)(const void *connection);
    void (*finish)(void *connection);
    void *(*set_notices)(void *connection, void (*process)(void *, const char *), void *context);
    void *(*exec)(
        void *connection, const char *sql, int count, const uint32_t *types, const char *const *values,
        const int *lengths, const int *formats, int result_format);
    int (*result_status)(const void *result);
    char *(*result_field)(const void *result, int field);
    int (*rows)(const void *result);
    int (*columns)(const void *result);
    char *(*changes)(void *result);
    char *(*value)(const void *result, int row, int column);
    int (*length)(const void *result, int row, int column);
    int (*is_null)(const void *result, int row, int column);
    uint32_t (*type)(const void *result, int column);
    void (*clear)(void *result);
    bool is_loaded;
} pq;

static void load(void)
{
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return;
    }
    struct {
        void *function;
        const char *name;
    } functions[] = {
        {&pq.conninfo_parse, "PQconninfoParse"},
        {&pq.conninfo_free, "PQconninfoFree"},
        {&pq.freemem, "PQfreemem"},
        {&pq.connect, "PQconnectdbParams"},
        {&pq.ping, "PQpingParams"},
        {&pq.status, "PQstatus"},
        {&pq.needs_password, "PQconnectionNeedsPassword"},
        {&pq.used_password, "PQconnectionUsedPassword"},
        {&pq.error_message, "PQerrorMessage"},
        {&pq.server_version, "PQserverVersion"},
        {&pq.finish, "PQfinish"},
        {&pq.set_notices, "PQsetNoticeProcessor"},
        {&pq.exec, "PQexecParams"},
        {&pq.result_status, "PQresultStatus"},
        {&pq.result_field, "PQresultErrorField"},
        {&pq.rows, "PQntuples"},
        {&pq.columns, "PQnfields"},
        {&pq.changes, "PQcmdTuples"},
        {&pq.value, "PQgetvalue"},
        {&pq.length, "PQgetlength"},
        {&pq.is_null, "PQgetisnull"},
        {&pq.type, "PQftype"},
        {&pq.clear, "PQclear"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            return;
        }
        memcpy(functions[i].function, &function, sizeof function);
    }
    pq.is_loaded = true;
}

static bool is_available(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return pq.is_loaded;
}

/// Copies libpq's message as one line, without the end of line that it has.
static void copy_message(char *message, const char *text)
{
    snprintf(message, CVP_MESSAGE_SIZE, "%s", text ? text : "");
    size_t length = strlen(message);
    while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' ')) {
        message[--length] = 0;
    }
    for (char *at = message; *at; at++) {
        if (*at == '\n' || *at == '\r' || *at == '\t') {
            *at = ' ';
        }
    }
}

static const char *option(const struct option *options, const char *keyword)
{
    for (; options->keyword; options++) {
        if (strcmp(options->keyword, keyword) == 0) {
            return options->value && *options->value ? options->value : NULL;
        }
    }
    return NULL;
}

static void show(char *shown, const struct option *options)
{
    const char *user = option(options, "user"), *host = option(options, "host"), *port = option(options, "port");
    const char *database = option(options, "dbname");
    snprintf(
        shown, CVP_MESSAGE_SIZE, "postgresql://%s%s%s%s%s/%s", user ? user : "", user ? "@" : "", host ? host : "",
        port ? ":" : "", port ? port : "", database ? database : "");
}

/// Whether the parts can be those that were meant. A password with a slash or an at sign that is not percent-encoded
/// ends up in the other parts, which are shown.
static bool is_plausible(const struct option *options)
{
    const char *port = option(options, "port"), *host = option(options, "host");
    const char *database = option(options, "dbname");
    return (!port || port[strspn(port, "0123456789,")] == 0) && (!host || !strchr(host, '@'))
        && (!database || !strpbrk(database, "@/"));
}

static void ignore_notice(void *context, const char *text)
{
    (void)context, (void)text;
}

static cvp_status connection_error(
    void *connection, const char *const *keywords, const char *const *values, const char *password, char *message)
{
    if (!connection) {
        return CVP_NO_MEMORY;
    }
    copy_message(message, pq.error_message(connection));
    // libpq names addresses and users, never passwords; this is for what a later version may do.
    if (password && strstr(message, password)) {
        snprintf(message, CVP_MESSAGE_SIZE, "the connection fails");
    }
    if (pq.needs_password(connection) || pq.used_password(connection)) {
        return CVP_REFUSED;
    }
    return pq.ping(keywords, values, 1) >= PING_NO_RESPONSE ? CVP_UNREACHABLE : CVP_REFUSED;
}

cvp_status cvp_open(const char *address, cvp_connection **connection, char *shown, char *message)
{
    *connection = NULL;
    *message = 0;
    snprintf(shown, CVP_MESSAGE_SIZE, "postgresql://…");
    if (!is_available()) {
        return CVP_NO_LIBRARY;
    }
    // The text of this error may quote a part of the password.
    char *error = NULL;
    struct option *options = pq.conninfo_parse(address, &error);
    if (!options) {
        pq.freemem(error);
        return CVP_BAD_ADDRESS;
    }
    if (!is_plausible(options)) {
        pq.conninfo_free(options);
        return CVP_BAD_ADDRESS;
    }
    show(shown, options);
    // What stands before the address can be changed by it, what stands behind cannot.
    const char *const keywords[] = {
        "fallback_application_name", "connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
        "tcp_user_timeout", "dbname", "client_encoding", NULL};
    const char *const values[] = {"openvision", "10", "30", "10", "3", "60000", address, "UTF8", NULL};
    void *opened = pq.connect(keywords, values, 1);
    cvp_status status = CVP_OK;
    if (!opened || pq.status(opened) != CONNECTION_OK) {
        status = connection_error(opened, keywords, values, option(options, "password"), message);
        pq.finish(opened);
    } else {
        pq.set_notices(opened, ignore_notice, NULL);
        *connection = opened;
    }
    pq.conninfo_free(options);
    return status;
}

void cvp_close(cvp_connection *connection) { pq.finish(connection); }

int cvp_server_version(const cvp_connection *connection) { return pq.server_version(connection); }

cvp_status cvp_run(
    cvp_connection *connection, const char *sql, const cvp_value *values, int count, cvp_result **result, char *state,
    char *message)
{
    enum { LARGEST_COUNT = 16 };
    uint32_t types[LARGEST_COUNT];
    const char *bytes[LARGEST_COUNT];
    int lengths[LARGEST_COUNT], formats[LARGEST_COUNT];
    *result = NULL;
    *state = *message = 0;
    if (count < 0 || count > LARGEST_COUNT) {
        snprintf(message, CVP_MESSAGE_SIZE, "a statement has %d parameters", count);
        return CVP_FAILED;
    }
    for (int i = 0; i < count; i++) {
        types[i] = values[i].type;
        bytes[i] = values[i].bytes;
        lengths[i] = values[i].count;
        formats[i] = BINARY_FORMAT;
    }
    void *found = pq.exec(connection, sql, count, types, bytes, lengths, formats, BINARY_FORMAT);
    int status = found ? pq.result_status(found) : -1;
    if (status == RESULT_COMMAND || status == RESULT_ROWS) {
        *result = found;
        return CVP_OK;
    }
    const char *text = found ? pq.result_field(found, FIELD_PRIMARY) : NULL;
    const char *code = found ? pq.result_field(found, FIELD_STATE) : NULL;
    copy_message(message, text ? text : pq.error_message(connection));
    snprintf(state, CVP_STATE_SIZE, "%s", code ? code : "");
    pq.clear(found);
    return pq.status(connection) == CONNECTION_OK ? CVP_FAILED : CVP_DISCONNECTED;
}

int cvp_row_count(const cvp_result *result) { return pq.rows(result); }

int cvp_column_count(const cvp_result *result) { return pq.columns(result); }

long long cvp_changes(cvp_result *result) { return strtoll(pq.changes(result), NULL, 10); }

const void *cvp_value_bytes(const cvp_result *result, int row, int column, int *count)
{
    *count = 0;
    if (pq.is_null(result, row, column)) {
        return NULL;
    }
    *count = pq.length(result, row, column);
    return pq.value(result, row, column);
}

uint32_t cvp_column_type(const cvp_result *result, int column) { return pq.type(result, column); }

void cvp_free(cvp_result *result) { pq.clear(result); }
