// expat, a streaming XML parser.
#pragma once
#include <expat.h>
