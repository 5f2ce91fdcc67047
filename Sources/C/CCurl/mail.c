#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ccurl.h"

// The maximum size of all replies, in bytes. Servers usually send a few hundred.
static const size_t reply_limit = 64 << 10;

// The command that a reply answers.
enum command { other_command, recipient_command, farewell_command };

struct alertd_mail {
    CURL *easy;
    unsigned char *content;
    size_t size;
    size_t sent;
    // The lines of the server's last reply, cut to this size and without a terminating zero byte. The reply to QUIT
    // is not recorded.
    char lines[1024];
    size_t lines_length;
    // True if the reply continues after the last line.
    bool continues;
    size_t reply_bytes;
    enum command command;
    // The replies for the recipients so far, in the order of the recipients.
    struct alertd_mail_reply *replies;
    size_t reply_count;
    size_t recipient_count;
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

// Counts reply bytes. Any result other than the number of bytes makes libcurl abort.
static size_t receive_line(char *bytes, size_t size, size_t count, void *context) {
    struct alertd_mail *mail = context;
    size_t length = size * count;
    mail->reply_bytes += length;
    return mail->reply_bytes > reply_limit ? 0 : length;
}

static size_t copy_line(char *target, size_t room, const char *bytes, size_t length) {
    size_t count = length < room ? length : room;
    memcpy(target, bytes, count);
    return count;
}

static void record_reply(struct alertd_mail *mail, const char *bytes, size_t length) {
    if (mail->command == farewell_command) return;
    if (!mail->continues) mail->lines_length = 0;
    mail->lines_length +=
        copy_line(mail->lines + mail->lines_length, sizeof mail->lines - mail->lines_length, bytes, length);
    // The last line of a reply has a space after the code; all other lines have a hyphen.
    mail->continues = length >= 4 && bytes[3] == '-';
    if (mail->command != recipient_command || length < 4 || mail->continues) return;
    mail->command = other_command;
    if (mail->reply_count == mail->recipient_count) return;
    struct alertd_mail_reply *reply = &mail->replies[mail->reply_count++];
    for (int digit = 0; digit < 3; digit++) {
        if (bytes[digit] < '0' || bytes[digit] > '9') return;
        reply->code = reply->code * 10 + (bytes[digit] - '0');
    }
    reply->length = copy_line(reply->text, sizeof reply->text, mail->lines, mail->lines_length);
}

// Observes commands and replies in the order in which they are exchanged.
static int observe(CURL *easy, curl_infotype type, char *bytes, size_t length, void *context) {
    struct alertd_mail *mail = context;
    (void)easy;
    if (type == CURLINFO_HEADER_OUT) {
        mail->command = length >= 4 && memcmp(bytes, "RCPT", 4) == 0 ? recipient_command
            : length >= 4 && memcmp(bytes, "QUIT", 4) == 0           ? farewell_command
                                                                     : other_command;
    } else if (type == CURLINFO_HEADER_IN) {
        record_reply(mail, bytes, length);
    }
    return 0;
}

// libcurl calls this function at least once a second. Any result other than 0 makes it abort.
static int is_cancelled(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    return atomic_load(&((struct alertd_mail *)context)->is_cancelled);
}

static void *run(void *context) {
    struct alertd_mail *mail = context;
    mail->result = curl_easy_perform(mail->easy);
    // Stop observing the handle. It may outlive the mail, and freeing it would call the observer again.
    alertd_curl_setopt_long(mail->easy, CURLOPT_VERBOSE, 0);
    // When the handle is freed, libcurl sends QUIT and waits for the reply of the server. After this shutdown, it
    // reads the end of the stream instead.
    curl_socket_t connection = CURL_SOCKET_BAD;
    if (alertd_curl_get_socket(mail->easy, CURLINFO_ACTIVESOCKET, &connection) == CURLE_OK
        && connection != CURL_SOCKET_BAD) {
        shutdown(connection, SHUT_RD);
    }
    const uint64_t one = 1;
    // Writing to an eventfd does not block.
    while (write(mail->descriptor, &one, sizeof one) < 0) {}
    return NULL;
}

static void release(struct alertd_mail *mail) {
    if (mail->descriptor >= 0) close(mail->descriptor);
    free(mail->content);
    free(mail->replies);
    free(mail);
}

static bool prepare(struct alertd_mail *mail) {
    CURL *easy = mail->easy;
    return alertd_curl_set_receivers(easy, receive_line, receive_line, mail) == CURLE_OK
        && alertd_curl_set_sender(easy, send_content, mail) == CURLE_OK
        && alertd_curl_set_progress(easy, is_cancelled, mail) == CURLE_OK
        && alertd_curl_set_observer(easy, observe, mail) == CURLE_OK
        // Accepted recipients get the mail even if others are rejected. libcurl 8.2 corrects the spelling of the
        // option.
        && alertd_curl_setopt_long(easy, CURLOPT_MAIL_RCPT_ALLLOWFAILS, 1) == CURLE_OK;
}

struct alertd_mail *alertd_mail_start(CURL *easy, const uint8_t *content, size_t size, size_t recipients) {
    struct alertd_mail *mail = calloc(1, sizeof *mail);
    if (!mail) return NULL;
    mail->recipient_count = recipients;
    mail->replies = calloc(recipients ? recipients : 1, sizeof *mail->replies);
    mail->easy = easy;
    mail->size = size;
    mail->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    mail->content = malloc(size ? size : 1);
    if (mail->content && size) memcpy(mail->content, content, size);
    if (mail->descriptor < 0 || !mail->content || !mail->replies || !prepare(mail)
        || pthread_create(&mail->thread, NULL, run, mail) != 0) {
        release(mail);
        return NULL;
    }
    return mail;
}

int alertd_mail_descriptor(const struct alertd_mail *mail) { return mail->descriptor; }

void alertd_mail_cancel(struct alertd_mail *mail) { atomic_store(&mail->is_cancelled, true); }

CURLcode alertd_mail_finish(
    struct alertd_mail *mail, struct alertd_mail_reply *last, struct alertd_mail_reply *replies
) {
    pthread_join(mail->thread, NULL);
    CURLcode result = mail->result;
    last->length = copy_line(last->text, sizeof last->text, mail->lines, mail->lines_length);
    memcpy(replies, mail->replies, mail->recipient_count * sizeof *replies);
    release(mail);
    return result;
}
