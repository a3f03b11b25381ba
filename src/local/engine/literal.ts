/** An SQL string literal with exactly these bytes. */
export function literal(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replaceAll('\0', '\\0')}'`
}
