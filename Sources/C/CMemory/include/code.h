#pragma once

/// Unmaps the pages of the program's and the libraries' code. The next call of a function maps its page again, from the
/// page cache; a function that is no longer called is no longer resident.
void cmemory_unmap_code(void);
