/** Quotes a word for a shell, if it needs that. */
export const shellWord = (word: string): string =>
  /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
