// The kernel's asynchronous reads, for which the C library has no functions: io_setup(2), io_submit(2) and the like.
#define _GNU_SOURCE
#include "CDirectRead.h"

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int cdirectread_open_file(const char *path) {
    return open(path, O_RDONLY | O_DIRECT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

unsigned long cdirectread_open(void) {
    aio_context_t context = 0;
    return syscall(SYS_io_setup, 1, &context) == 0 ? context : 0;
}

int cdirectread_begin(unsigned long context, int descriptor, void *block, size_t size, int64_t place) {
    struct iocb request;
    memset(&request, 0, sizeof request);
    request.aio_lio_opcode = IOCB_CMD_PREAD;
    request.aio_fildes = descriptor;
    request.aio_buf = (uintptr_t)block;
    request.aio_nbytes = size;
    request.aio_offset = place;
    struct iocb *requests[] = {&request};
    return syscall(SYS_io_submit, context, 1, requests) == 1;
}

int cdirectread_end(unsigned long context) {
    struct io_event event;
    struct timespec now = {0, 0};
    return syscall(SYS_io_getevents, context, 0, 1, &event, &now) == 1;
}

void cdirectread_close(unsigned long context) {
    syscall(SYS_io_destroy, context);
}
