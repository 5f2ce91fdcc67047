#pragma once

/// Lets the heap keep up to a megabyte that is free at its end, and blocks of up to 4 MB come from it, for a program
/// that soon needs as much again: it does not return some hundred kilobytes at every poll and get them back.
void cmemory_keep_what_recurs(void);
