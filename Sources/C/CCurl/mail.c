#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ccurl.h"

// Servers send a few hundred bytes of replies.
static const size_t reply_limit = 64 << 10;

struct alertd_mail {
    CURL *easy;
    unsigned char *content;
    size_t size;
    size_t sent;
    // What libcurl has passed of the last line of the server, without a terminating zero byte.
    char line[1024];
    size_t line_length;
    size_t reply_bytes;
    atomic_bool is_cancelled;
    int descriptor;
    CURLcode result;
    pthread_t thread;
};

static size_t send_content(char *bytes, size_t size, size_t count, void *context) {
    struct alertd_mail *mail = context;
    size_t room = size * count;
    size_t rest = mail->size - mail->sent;
    size_t part = rest < room ? rest : room;
    memcpy(bytes, mail->content + mail->sent, part);
    mail->sent += part;
    return part;
}

// Returning any other count than that of the bytes makes libcurl give up.
static size_t receive_line(char *bytes, size_t size, size_t count, void *context) {
    struct alertd_mail *mail = context;
    size_t length = size * count;
    mail->reply_bytes += length;
    if (mail->reply_bytes > reply_limit) return 0;
    mail->line_length = length < sizeof mail->line ? length : sizeof mail->line;
    memcpy(mail->line, bytes, mail->line_length);
    return length;
}

// libcurl calls it at least once a second; anything but 0 makes it give up.
static int is_cancelled(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    return atomic_load(&((struct alertd_mail *)context)->is_cancelled);
}

static void *run(void *context) {
    struct alertd_mail *mail = context;
    mail->result = alertd_curl_easy_perform(mail->easy);
    // When the handle is freed, libcurl says goodbye on the connection and waits for the answer of the server. Now it
    // finds the end of the stream instead.
    curl_socket_t connection = CURL_SOCKET_BAD;
    if (alertd_curl_get_socket(mail->easy, CURLINFO_ACTIVESOCKET, &connection) == CURLE_OK
        && connection != CURL_SOCKET_BAD) {
        shutdown(connection, SHUT_RD);
    }
    const uint64_t one = 1;
    // An eventfd takes this without waiting.
    while (write(mail->descriptor, &one, sizeof one) < 0) {}
    return NULL;
}

static void release(struct alertd_mail *mail) {
    if (mail->descriptor >= 0) close(mail->descriptor);
    free(mail->content);
    free(mail);
}

static bool prepare(struct alertd_mail *mail) {
    CURL *easy = mail->easy;
    return alertd_curl_set_receivers(easy, receive_line, receive_line, mail) == CURLE_OK
        && alertd_curl_set_sender(easy, send_content, mail) == CURLE_OK
        && alertd_curl_set_progress(easy, is_cancelled, mail) == CURLE_OK;
}

struct alertd_mail *alertd_mail_start(CURL *easy, const uint8_t *content, size_t size) {
    struct alertd_mail *mail = calloc(1, sizeof *mail);
    if (!mail) return NULL;
    mail->easy = easy;
    mail->size = size;
    mail->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    mail->content = malloc(size ? size : 1);
    if (mail->content && size) memcpy(mail->content, content, size);
    if (mail->descriptor < 0 || !mail->content || !prepare(mail)
        || pthread_create(&mail->thread, NULL, run, mail) != 0) {
        release(mail);
        return NULL;
    }
    return mail;
}

int alertd_mail_descriptor(const struct alertd_mail *mail) { return mail->descriptor; }

void alertd_mail_cancel(struct alertd_mail *mail) { atomic_store(&mail->is_cancelled, true); }

CURLcode alertd_mail_finish(struct alertd_mail *mail, char *line, size_t room, size_t *length) {
    pthread_join(mail->thread, NULL);
    CURLcode result = mail->result;
    *length = mail->line_length < room ? mail->line_length : room;
    memcpy(line, mail->line, *length);
    release(mail);
    return result;
}
