/** The maximum length of a text in a log line, in characters. */
const longestText = 4000

/** ClickHouse quotes values in its error messages. An apostrophe within a word is not a quotation mark. */
export const withoutQuoted = (text: string): string =>
  text.slice(0, longestText).replace(/(?<!\w)'(?:[^'\\\n]|\\.)*(?:'|$)/gm, "'…'")
