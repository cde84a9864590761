/** What the checks know about a sentence after some merges. */
export const scenario = {
  slide: '7',
  shows: [{ case: 'sentence', figures: { 'bpe.counts': true } }],
  secret: ({ stages }) => [
    stages.map(({ pieces }) => pieces.length).join(' → '),
    ...stages
      .flatMap(({ pieces }) => pieces.map(({ text }) => text))
      .filter((text) => text.length > 4),
  ],
};
