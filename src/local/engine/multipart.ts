import { refusal } from './errors.ts'

/**
 * The fields of a `multipart/form-data` body (RFC 7578), as bytes (latin1). ClickHouse uses file parts for external
 * tables. This engine has no external tables, so it refuses file parts.
 */
export function readForm(contentType: string, body: Buffer): [string, string][] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined) throw refusal('BAD_ARGUMENTS', 'The multipart body has no boundary.')
  const parts = `\r\n${body.toString('latin1')}`.split(`\r\n--${name}`)
  if (parts.length < 2 || !parts.at(-1)!.startsWith('--'))
    throw refusal('BAD_ARGUMENTS', 'The multipart body does not end with its boundary.')
  return parts.slice(1, -1).map(readPart)
}

function readPart(part: string): [string, string] {
  const headersEnd = part.indexOf('\r\n\r\n')
  const disposition = /^content-disposition:\s*form-data;(.*)$/im.exec(part.slice(0, headersEnd))?.[1]
  const name = disposition === undefined ? undefined : /[;\s]name="([^"]*)"/i.exec(` ${disposition}`)?.[1]
  if (headersEnd === -1 || name === undefined)
    throw refusal('BAD_ARGUMENTS', 'A part of the multipart body has no name.')
  if (/[;\s]filename=/i.test(disposition ?? ''))
    throw refusal('NOT_IMPLEMENTED', 'External tables are not available in this engine.')
  return [name, part.slice(headersEnd + 4)]
}
