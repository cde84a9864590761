/** What the checks know about BPE, merge by merge. */
const all = true;
const after = (merges, figures) => ({ state: { merges }, figures });
/** The merges, counted from one, that the running sentence meets. */
const MET = [1, 2, 3, 4, 5, 8, 14, 18, 38, 39, 40];

export const scenario = {
  slide: '8',
  shows: [
    { case: 'sentence', figures: { 'bpe.case0': all, 'bpe.touch': all } },
    { case: 'roof', figures: { 'bpe.case1': all } },
    { case: 'bird', figures: { 'bpe.case2': all } },
    { case: 'portuguese', figures: { 'bpe.pt': all } },
    after(0, { 'bpe.chars': all }),
    ...[0, 3, 8, 14, 40].map((merges, i) => after(merges, { 'bpe.counts': [i] })),
    ...MET.map((merges, i) => after(merges, { 'bpe.merges': [i] })),
  ],
  secret: ({ candidates: [{ pair }] }) => [pair.join('+')],
};
