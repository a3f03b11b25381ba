import { WeirError } from '@weir/client'

/** Why the server refused, or gave no answer, as sentences for the user. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof WeirError)) return 'Something went wrong on this page.'
  const { status, message, issues, retryAfter = 60 } = error
  if (status === undefined) return 'Weir does not answer. Is the network down?'
  if (status === 429) return `Too many tries. Please wait ${retryAfter} seconds.`
  if (status >= 500) return 'Weir cannot do this right now. Please try again.'
  return issues.length > 0 ? issues.map(({ path, message: what }) => `${labelOf(path)}: ${what}`).join(' ') : message
}

/** The fields of forms, by their names in the API. */
const labels: Readonly<Record<string, string>> = {
  ...{ name: 'Name', domain: 'Domain', 'parameters.expiresAt': 'Ends on', 'public.expiresAt': 'Ends on' },
  'parameters.frameAncestors': 'May be framed by',
}

/** The field of a form that the server refused, and which entry of a list. */
function labelOf(path: string): string {
  const [field, index] = path.split(/\.(?=\d+$)/)
  return `${labels[field!] ?? field}${index === undefined ? '' : ` (entry ${Number(index) + 1})`}`
}
