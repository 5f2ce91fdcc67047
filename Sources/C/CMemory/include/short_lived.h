#pragma once

/// Lets the heap grow by a megabyte at a time instead of 132 kB, and large blocks come from it, for a program that ends
/// soon: it asks the system less often for memory, and returns none before its end.
void cmemory_grow_in_large_steps(void);
