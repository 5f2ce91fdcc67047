#pragma once

/// Unmaps the pages of the program's and the libraries' code and constants. The next use of one maps it again, from the
/// page cache; what is no longer used is no longer resident.
void cmemory_unmap_code(void);
