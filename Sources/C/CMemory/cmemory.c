#define _GNU_SOURCE
#include "cmemory.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static bool has_text_relocations(const struct dl_phdr_info *object) {
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_DYNAMIC) continue;
        for (const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + segment->p_vaddr); entry->d_tag; entry++) {
            if (entry->d_tag == DT_TEXTREL) return true;
            if (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL) return true;
        }
    }
    return false;
}

static int unmap_code(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    const uintptr_t page = (uintptr_t)*(const long *)data;
    // Skip the vDSO, which has no file, and code that the loader has changed, because the changes would be lost.
    if (object->dlpi_phdr == NULL || object->dlpi_addr == getauxval(AT_SYSINFO_EHDR)) return 0;
    if (has_text_relocations(object)) return 0;
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        const uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & ~(page - 1);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void cmemory_unmap_code(void) {
    long page = sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(unmap_code, &page);
}
