#include "webgpu/promise.hpp"

#include <emscripten.h>

using emscripten::EM_VAL;

EM_JS_DEPS(attn_webgpu_promise, "$Emval,$UTF8ToString");

// What follows is JavaScript in C++'s clothes, and clang-format would take its arrows apart.
// clang-format off

// A trap while the coroutine goes on would be nobody's: the runtime leaves a function to be told of it.
EM_JS(void, attn_webgpu_settle, (EM_VAL promise, void* awaiting), {
  const goOn = (ok) => (value) => {
    try {
      _attn_webgpu_resume(awaiting, ok, Emval.toHandle(value));
    } catch (trap) {
      Module["trapped"]?.(trap);
    }
  };
  Promise.resolve(Emval.toValue(promise)).then(goOn(1), goOn(0));
});

EM_JS(EM_VAL, attn_webgpu_attempt, (EM_VAL object, const char* method, EM_VAL values), {
  try {
    const value = Emval.toValue(object)[UTF8ToString(method)](...Emval.toValue(values));
    return Emval.toHandle({ok: true, value});
  } catch (error) {
    return Emval.toHandle({ok: false, value: error});
  }
});

EM_JS(EM_VAL, attn_webgpu_words, (EM_VAL thrown), {
  const error = Emval.toValue(thrown);
  let words = "no reason given";
  try {
    words = String(error?.message || error?.name || error || words);
  } catch {}
  return Emval.toHandle(words);
});

EM_JS(EM_VAL, attn_webgpu_promise, (), {
  const made = {};
  made.promise = new Promise((resolve) => { made.resolve = resolve; });
  return Emval.toHandle(made);
});

// clang-format on

namespace attn::webgpu {
namespace {

/// A coroutine that nobody in C++ awaits: it ends by itself.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
};

Detached resolve_with(Task<val> (*call)(val), val options, val resolve) {
  const val answer = co_await call(std::move(options));
  resolve(answer);
}

std::string words_of(const val& thrown) {
  return val::take_ownership(attn_webgpu_words(thrown.as_handle())).as<std::string>();
}

}  // namespace

void Settled::await_suspend(std::coroutine_handle<> waiting) {
  waiting_ = waiting;
  attn_webgpu_settle(promise_.as_handle(), this);
}

void Settled::resume_with(Answer answer) {
  answer_.emplace(std::move(answer));
  // Going on may end the coroutine, and this object with it.
  const auto waiting = waiting_;
  waiting.resume();
}

val Calls::call(const val& object, const char* method, const val& arguments) {
  const val done =
      val::take_ownership(attn_webgpu_attempt(object.as_handle(), method, arguments.as_handle()));
  if (done["ok"].isTrue()) return done["value"];
  error_ = std::string(method) + ": " + words_of(done["value"]);
  return val::undefined();
}

val promise_of(Task<val> (*call)(val), val options) {
  const val made = val::take_ownership(attn_webgpu_promise());
  resolve_with(call, std::move(options), made["resolve"]);
  return made["promise"];
}

val property(const val& object, const char* name) {
  return is_there(object) ? object[name] : val::undefined();
}

std::string text_property(const val& object, const char* name) {
  const val found = property(object, name);
  return found.isString() ? found.as<std::string>() : std::string();
}

double number_property(const val& object, const char* name, double otherwise) {
  const val found = property(object, name);
  return found.isNumber() ? found.as<double>() : otherwise;
}

bool is_there(const val& value) { return !value.isUndefined() && !value.isNull(); }

extern "C" EMSCRIPTEN_KEEPALIVE void attn_webgpu_resume(void* awaiting, int ok, EM_VAL value) {
  val given = val::take_ownership(value);
  auto& settled = *static_cast<Settled*>(awaiting);
  if (ok != 0) {
    settled.resume_with(std::move(given));
  } else {
    settled.resume_with(std::unexpected(words_of(given)));
  }
}

}  // namespace attn::webgpu
