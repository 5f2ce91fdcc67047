#pragma once

/// Unmaps the code and constants of the program and its libraries, so that only pages that are still used are
/// resident. The next access to a page maps it again from the page cache.
void cmemory_unmap_code(void);
