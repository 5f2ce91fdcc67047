#include "cheap.h"

#include <malloc.h>

void cheap_grow_in_large_steps(void) {
    mallopt(M_TOP_PAD, 1 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
}
