// Lets malloc fail as it does elsewhere, so that running out of memory can be tested under the
// address sanitizer as well, which otherwise ends the program.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
