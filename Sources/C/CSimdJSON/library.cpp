// simdjson's library, loaded by the first text that is read. It needs the shared C++ library, and to load both takes
// longer than the whole of a command that reads no JSON.

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#include <simdjson.h>

namespace {

// Each version has an interface, and so a library, of its own. Debian's are here; the package finds the name in the
// program and depends on what contains the library.
constexpr const char *name_of_library(int major, int minor) {
    return major == 3 && minor == 0 ? "libsimdjson.so.14" : major == 3 && minor == 12 ? "libsimdjson.so.25" : nullptr;
}
constexpr const char *library_name =
    name_of_library(simdjson::SIMDJSON_VERSION_MAJOR, simdjson::SIMDJSON_VERSION_MINOR);
static_assert(library_name, "name the library of this version of simdjson here (readelf --dynamic shows its SONAME)");

using Implementation = simdjson::internal::atomic_ptr<const simdjson::implementation>;
using Function = Implementation &(*)();

// The libraries look for symbols in themselves first: the program has none for them. Most are the C++ library's own, so
// it comes first. Otherwise `alertctl status` runs a fifth more instructions.
// A program with the address sanitizer must not load a library so, whether or not this file was compiled with it.
extern "C" [[gnu::weak]] void __asan_init();

// The only function of the library that is called by its name; everything else are virtual functions.
Function load() {
    const int mode = RTLD_NOW | RTLD_LOCAL | (__asan_init ? 0 : RTLD_DEEPBIND);
    dlopen("libstdc++.so.6", mode);
    void *library = dlopen(library_name, mode);
    void *function = library ? dlsym(library, "_ZN8simdjson25get_active_implementationEv") : nullptr;
    if (function) return reinterpret_cast<Function>(function);
    // As the loader does with a library that a program cannot do without.
    const char *reason = dlerror();
    fprintf(stderr, "error while loading shared libraries: %s\n", reason ? reason : library_name);
    _exit(127);
}

}  // namespace

namespace simdjson {

// The header calls this where it needs a processor's implementation. The library must not, so it is hidden.
__attribute__((visibility("hidden"))) Implementation &get_active_implementation() {
    static const Function function = load();
    return function();
}

}  // namespace simdjson
