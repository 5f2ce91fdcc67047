#include "cmicrohttpd.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
    struct nlmsghdr header;
    struct inet_diag_req_v2 diag;
};

// Fills in the addresses of the client's socket: its local address is the peer address of our socket. If our socket
// accepts both families, an IPv4 client has an IPv4 socket.
static bool describe(int connection, struct inet_diag_req_v2 *diag) {
    struct sockaddr_in6 here, there;
    socklen_t here_count = sizeof here, there_count = sizeof there;
    if (getsockname(connection, (struct sockaddr *)&here, &here_count) < 0) return false;
    if (getpeername(connection, (struct sockaddr *)&there, &there_count) < 0) return false;
    if (here.sin6_family != there.sin6_family) return false;
    diag->id.idiag_sport = there.sin6_port;
    diag->id.idiag_dport = here.sin6_port;
    if (here.sin6_family == AF_INET) {
        diag->sdiag_family = AF_INET;
        diag->id.idiag_src[0] = ((struct sockaddr_in *)&there)->sin_addr.s_addr;
        diag->id.idiag_dst[0] = ((struct sockaddr_in *)&here)->sin_addr.s_addr;
        return true;
    }
    if (here.sin6_family != AF_INET6) return false;
    if (IN6_IS_ADDR_V4MAPPED(&here.sin6_addr) && IN6_IS_ADDR_V4MAPPED(&there.sin6_addr)) {
        diag->sdiag_family = AF_INET;
        memcpy(diag->id.idiag_src, there.sin6_addr.s6_addr + 12, 4);
        memcpy(diag->id.idiag_dst, here.sin6_addr.s6_addr + 12, 4);
    } else {
        diag->sdiag_family = AF_INET6;
        memcpy(diag->id.idiag_src, &there.sin6_addr, 16);
        memcpy(diag->id.idiag_dst, &here.sin6_addr, 16);
    }
    return true;
}

// Looks up one socket by its addresses. The kernel answers during the call to `send`.
static bool ask(const struct request *request, unsigned int *user) {
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
    if (netlink < 0) return false;
    union {
        struct nlmsghdr header;
        char bytes[1024];
    } answer;
    bool is_known = false;
    if (send(netlink, request, sizeof *request, 0) == (ssize_t)sizeof *request) {
        ssize_t count = recv(netlink, &answer, sizeof answer, 0);
        const struct inet_diag_msg *message = NLMSG_DATA(&answer.header);
        is_known = count >= (ssize_t)NLMSG_LENGTH(sizeof *message)
            && answer.header.nlmsg_type == SOCK_DIAG_BY_FAMILY && message->idiag_inode != 0;
        // A socket that has been closed in the meantime has neither an inode nor a user.
        if (is_known) *user = message->idiag_uid;
    }
    close(netlink);
    return is_known;
}

bool alertd_mhd_peer_user(int connection, unsigned int *user) {
    // The same layout as struct ucred, which needs _GNU_SOURCE.
    struct {
        pid_t process;
        uid_t user;
        gid_t group;
    } peer;
    socklen_t count = sizeof peer;
    struct sockaddr_storage here;
    socklen_t here_count = sizeof here;
    if (getsockname(connection, (struct sockaddr *)&here, &here_count) < 0) return false;
    if (here.ss_family == AF_UNIX) {
        if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &count) < 0) return false;
        *user = peer.user;
        return true;
    }
    struct request request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .diag = {.sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u,
                 .id = {.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
    };
    return describe(connection, &request.diag) && ask(&request, user);
}
