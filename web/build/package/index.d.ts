import type { load as loadModule } from './runtime/types/index.js';

export * from './attention-deck.js';

/** Watches a shadow tree as the document is watched: tags that stand in it, or come later, are brought to life. */
export declare function wake(root: Document | ShadowRoot): void;

/** A module of the lecture: the one that the elements compute with. */
export declare const load: typeof loadModule;
