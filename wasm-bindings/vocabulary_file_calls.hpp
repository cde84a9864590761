#pragma once

// Vocabularies out of files of all forms and into them. They go to the module `tokens`, and come from it, in the plain form.

#include "convert.hpp"

namespace attn::binding {

/// `file`, of the form that `format` names, in the plain form.
val read_vocabulary_of(Reader& in);

/// `file`, in the plain form, in the form that `format` names.
val write_vocabulary_of(Reader& in);

}  // namespace attn::binding
