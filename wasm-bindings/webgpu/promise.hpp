#pragma once

// Promises of the browser, awaited by coroutines; and calls of its objects that cannot unwind through C++.
//
// Emscripten's own `co_await val` never resumes when the promise is rejected, and an exception of JavaScript passes
// through C++ without running a destructor. So nothing here is awaited or called but through these helpers.

#include <emscripten/val.h>

#include <coroutine>
#include <cstdlib>
#include <expected>
#include <optional>
#include <string>
#include <utility>

namespace attn::webgpu {

using emscripten::val;

/// What JavaScript gave back, or the words of what it threw or rejected with.
using Answer = std::expected<val, std::string>;

/// A coroutine that other coroutines await. It starts at once.
template <class T>
class Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct Final {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle done) noexcept {
      const auto waiting = done.promise().waiting;
      return waiting ? waiting : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };

  struct promise_type {
    std::optional<T> value = {};
    std::coroutine_handle<> waiting = {};
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void return_value(T given) { value.emplace(std::move(given)); }
    void unhandled_exception() { std::abort(); }
  };

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return handle_.done(); }
  void await_suspend(std::coroutine_handle<> waiting) { handle_.promise().waiting = waiting; }
  T await_resume() { return std::move(*handle_.promise().value); }

 private:
  Handle handle_;
};

/// Awaits a promise, whichever way it ends.
class Settled {
 public:
  explicit Settled(val promise) : promise_(std::move(promise)) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting);
  Answer await_resume() { return std::move(*answer_); }
  void resume_with(Answer answer);

 private:
  val promise_;
  std::coroutine_handle<> waiting_;
  std::optional<Answer> answer_;
};

/// A row of calls of which the first that throws ends all: each later one is skipped and gives undefined.
class Calls {
 public:
  template <class... Arguments>
  val operator()(const val& object, const char* method, Arguments&&... arguments) {
    if (error_) return val::undefined();
    val list = val::array();
    (list.call<void>("push", std::forward<Arguments>(arguments)), ...);
    return call(object, method, list);
  }
  bool failed() const { return error_.has_value(); }
  const std::string& error() const { return *error_; }

 private:
  val call(const val& object, const char* method, const val& arguments);

  std::optional<std::string> error_;
};

/// Calls a method that answers with a promise, and awaits it: a throw is a rejection.
template <class... Arguments>
Task<Answer> settled(val object, const char* method, Arguments... arguments) {
  Calls calls;
  val promise = calls(object, method, std::move(arguments)...);
  if (calls.failed()) co_return std::unexpected(calls.error());
  co_return co_await Settled(std::move(promise));
}

/// A promise of JavaScript's for what `call` gives. Emscripten's own coroutines that return a val want C++ exceptions.
val promise_of(Task<val> (*call)(val), val options);

/// The same as a function that Embind binds.
template <auto call>
val promised(val options) {
  return promise_of(call, std::move(options));
}

/// A property of what may be no object at all; undefined then.
val property(const val& object, const char* name);

/// A property that is text, or "".
std::string text_property(const val& object, const char* name);

/// A property that is a number, or `otherwise`.
double number_property(const val& object, const char* name, double otherwise);

bool is_there(const val& value);

/// {key: value, …}, from names and values in turn.
template <class... Rest>
val object_of(Rest&&... rest) {
  val made = val::object();
  const auto add = [&](auto& self, const char* name, auto&& value, auto&&... more) -> void {
    made.set(name, std::forward<decltype(value)>(value));
    if constexpr (sizeof...(more) > 0) self(self, std::forward<decltype(more)>(more)...);
  };
  if constexpr (sizeof...(rest) > 0) add(add, std::forward<Rest>(rest)...);
  return made;
}

}  // namespace attn::webgpu
