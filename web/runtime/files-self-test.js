/** Known answers of the module `files`, asked of every fresh instance as core-self-test.js asks the core's. */

const config = `{"num_hidden_layers": 2, "hidden_size": 8, "num_attention_heads": 2, "num_key_value_heads": 1,
  "vocab_size": 4}`;

/**
 * @param {import('./files.js').Files} files
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestFiles(files) {
  const { model } = files.readModel({ file: new TextEncoder().encode(config) });
  const { n_layers, n_kv_heads, d_k } = model ?? {};
  return n_layers === 2 && n_kv_heads === 1 && d_k === 4 ? null : 'the fields of a model';
}
