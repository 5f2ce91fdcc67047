// expat, a parser of XML that calls back.
#pragma once
#include <expat.h>
