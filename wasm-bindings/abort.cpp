#include <__verbose_abort>
#include <cstdlib>

// libc++ says why it aborts, and to say it brings the whole of printf into the module. Nobody would
// hear it: the runtime sees the trap and starts a fresh instance. Newer releases declare the
// function noexcept, older ones do not.
void std::__libcpp_verbose_abort(const char*,
                                 ...) noexcept(noexcept(std::__libcpp_verbose_abort(""))) {
  std::abort();
}
