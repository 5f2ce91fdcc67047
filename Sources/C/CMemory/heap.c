#include "long_lived.h"
#include "short_lived.h"

#include <malloc.h>

void cmemory_grow_in_large_steps(void) {
    mallopt(M_TOP_PAD, 1 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

void cmemory_keep_what_recurs(void) {
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
    mallopt(M_TOP_PAD, 256 << 10);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}
