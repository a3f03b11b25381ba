import { WeirError } from '@weir/client'

/** An error that the page itself raises, before it sends a request. Its message is a sentence for the user. */
export class Refused extends Error {}

/** Sentences for the user: why the page or the server refused, or that the server did not answer. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  if (!(error instanceof WeirError)) return 'Something went wrong on this page.'
  const { status, code, message, issues, retryAfter = 60 } = error
  if (code === 'timeout') return 'Weir did not answer in time. Please try again.'
  if (status === undefined) return 'Weir does not answer. Is the network down?'
  if (status === 429) return `Too many attempts. Please wait ${retryAfter} seconds.`
  if (status >= 500) return 'Weir cannot do this right now. Please try again.'
  return issues.length > 0 ? issues.map(sentenceOf).join(' ') : message
}

/** Labels of form fields, by the field's name in the API. */
const labels: Readonly<Record<string, string>> = {
  ...{ name: 'Name', domain: 'Domain', 'parameters.expiresAt': 'Expires', 'public.expiresAt': 'Expires' },
  ...{ username: 'User name', password: 'Password', currentPassword: 'Current password', newPassword: 'New password' },
  ...{ token: 'Code' },
  ...{ userId: 'User', teamId: 'Team', 'replayConfig.blockSelector': 'Hidden elements' },
  ...{ 'retention.eventMonths': 'Events', 'retention.replayDays': 'Replays', 'retention.heatmapDays': 'Heatmaps' },
  ...{ note: 'Note', date: 'Day', 'parameters.value': 'Page or event', 'parameters.steps': 'Steps' },
  'parameters.window': 'Maximum time between two steps',
  'parameters.frameAncestors': 'May be embedded by',
}

/** The label of the invalid field. For a list, adds the number of the entry. */
function labelOf(path: string): string {
  const [field, index] = path.split(/\.(?=\d+$)/)
  return `${labels[field!] ?? field}${index === undefined ? '' : ` (entry ${Number(index) + 1})`}`
}

/** A sentence about an invalid field. Some messages already begin with the field's name. */
function sentenceOf({ path, message }: WeirError['issues'][number]): string {
  const label = labelOf(path)
  return message.startsWith(label) ? message : `${label}: ${message}`
}
