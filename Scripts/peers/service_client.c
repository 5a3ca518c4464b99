// A load client that costs the measured computer little: a thread a connection, blocking sockets, bodies in memory.
//
//   service_client PORT PATH SECONDS CONNECTIONS FILE…
//
// Connection i starts with file 7 i and sends its next request when it has its answer; after a 429 it waits a quarter
// of a second. Prints a line for each answer: its status (0: the connection broke) and its time in microseconds.
// service_load.py compiles it and reads that.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  char head[512];
  size_t head_size;
  char *body;
  size_t size;
} request;

static request *requests;
static size_t request_count;
static uint16_t port;
static int64_t end;
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static int connected(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int one = 1, file = socket(AF_INET, SOCK_STREAM, 0);
  if (file >= 0) setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (file >= 0 && connect(file, (struct sockaddr *)&address, sizeof address) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

static int sent(int file, const request *request) {
  struct iovec parts[2] = {{(void *)request->head, request->head_size}, {request->body, request->size}};
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t count = sendmsg(file, &message, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return 0;
    for (int part = 0; part < 2; part++) {
      size_t taken = (size_t)count < parts[part].iov_len ? (size_t)count : parts[part].iov_len;
      parts[part].iov_base = (char *)parts[part].iov_base + taken;
      parts[part].iov_len -= taken;
      count -= (ssize_t)taken;
    }
  }
  return 1;
}

// Reads an answer with a Content-Length. Returns its status; 0 where the connection broke. *closes says whether the
// server closes it.
static int answer(int file, int *closes) {
  char text[65536];
  size_t count = 0, wanted = 0;
  while (wanted == 0 || count < wanted) {
    ssize_t got = recv(file, text + count, sizeof text - 1 - count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    count += (size_t)got;
    text[count] = 0;
    char *body = wanted == 0 ? strstr(text, "\r\n\r\n") : NULL;
    if (body) {
      char *length = strcasestr(text, "\r\ncontent-length:");
      wanted = (size_t)(body + 4 - text) + (length && length < body ? strtoul(length + 17, NULL, 10) : 0);
      char *connection = strcasestr(text, "\r\nconnection: close");
      *closes = connection && connection < body;
    }
    if (wanted > sizeof text - 1) return 0;
  }
  return atoi(text + 9);
}

static void *run(void *argument) {
  size_t index = 7 * (size_t)(uintptr_t)argument;
  int file = -1;
  while (now() < end) {
    int64_t start = now();
    int status = 0, closes = 0;
    if (file < 0) file = connected();
    // A server may answer, and close, before it has read everything.
    if (file >= 0) {
      sent(file, &requests[index % request_count]);
      status = answer(file, &closes);
    }
    int64_t time = now() - start;
    if ((status == 0 || closes) && file >= 0) {
      close(file);
      file = -1;
    }
    index += status != 0;
    pthread_mutex_lock(&output);
    printf("%d %lld\n", status, (long long)time);
    pthread_mutex_unlock(&output);
    if (status != 200) usleep(status == 429 ? 250000 : 10000);
  }
  if (file >= 0) close(file);
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 6) return 64;
  port = (uint16_t)atoi(arguments[1]);
  request_count = (size_t)count - 5;
  requests = calloc(request_count, sizeof *requests);
  if (!requests) return 1;
  for (size_t index = 0; index < request_count; index++) {
    request *request = &requests[index];
    FILE *file = fopen(arguments[5 + index], "rb");
    if (!file) return perror(arguments[5 + index]), 1;
    fseek(file, 0, SEEK_END);
    request->size = (size_t)ftell(file);
    rewind(file);
    request->body = malloc(request->size);
    if (!request->body || fread(request->body, 1, request->size, file) != request->size) return 1;
    fclose(file);
    request->head_size = (size_t)snprintf(
        request->head, sizeof request->head,
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\nContent-Length: %zu\r\n\r\n", arguments[2],
        request->size);
  }
  int connections = atoi(arguments[4]);
  pthread_t *threads = calloc((size_t)connections, sizeof *threads);
  if (!threads) return 1;
  end = now() + (int64_t)(atof(arguments[3]) * 1e6);
  for (int index = 0; index < connections; index++)
    if (pthread_create(&threads[index], NULL, run, (void *)(uintptr_t)index) != 0) return 1;
  for (int index = 0; index < connections; index++) pthread_join(threads[index], NULL);
  return 0;
}
