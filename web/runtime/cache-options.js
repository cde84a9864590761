/** The fields that a cache is opened with. @type {{ [field: string]: import('./options.js').Kind }} */
export const cacheFields = Object.fromEntries(
  [
    ...['n_layers', 'n_heads', 'n_kv_heads', 'd_k', 'd_v', 'latent_rank', 'rope_width', 'scale'],
    ...['layout', 'capacity', 'page_tokens', 'window', 'sinks', 'format'],
  ].map((field) => [field, 'scalar']),
);
