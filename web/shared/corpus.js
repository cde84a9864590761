/** The corpus from which the lecture learns its merges; the order of its sentences settles ties. */
export const CORPUS = [
  'the cat sat on the roof.',
  'the dog climbs on the sofa.',
  'the cat and the dog climb on the sofa.',
  'the cats and the girl walked along the wall.',
  'the cat jumped on the roof.',
  'the girl and the cats sat on the wall.',
  'the girl jumped off the wall.',
  'the little dog jumped on the sofa.',
].join('\n');

/** Each line of a corpus is a document: no word crosses from one to the next. */
export const documentsOf = (corpus) => corpus.split('\n');
