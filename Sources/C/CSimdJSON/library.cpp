// simdjson's library, loaded by the first text that is read. It needs the shared C++ library, and to load both takes
// longer than the whole of a command that reads no JSON.

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#include <simdjson.h>

namespace {

// Each version has an interface, and so a library, of its own.
static_assert(
    simdjson::SIMDJSON_VERSION_MAJOR == 3 && simdjson::SIMDJSON_VERSION_MINOR == 0,
    "name the library of this version of simdjson here and in packaging/debian/control");
constexpr char library_name[] = "libsimdjson.so.14";

using Implementation = simdjson::internal::atomic_ptr<const simdjson::implementation>;
using Function = Implementation &(*)();

// The libraries look for symbols in themselves first: the program has none for them. Most are the C++ library's own, so
// it comes first. Otherwise `alertctl status` runs a fifth more instructions.
#if __has_feature(address_sanitizer)
constexpr int mode = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int mode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

// The only function of the library that is called by its name; everything else are virtual functions.
Function load() {
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
