/** An SQL string literal with exactly these bytes. */
export function literal(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replaceAll('\0', '\\0')}'`
}

/**
 * Quotes a name if necessary. The client's `{…:Identifier}` would escape it like a string, which ClickHouse does not
 * unescape.
 */
export const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``
