import type { IngestRow } from './model.ts'
import type { Sets } from './sets.ts'

/** Whether the text equals the value, in which a star at the start or end stands for any text, including none. */
export function matchesWildcard(text: string, value: string): boolean {
  const startsFree = value.startsWith('*')
  const endsFree = value.length > 1 && value.endsWith('*')
  const literal = value.slice(startsFree ? 1 : 0, endsFree ? -1 : undefined)
  if (startsFree && endsFree) return text.includes(literal)
  if (startsFree) return text.endsWith(literal)
  return endsFree ? text.startsWith(literal) : text === literal
}

/** Type `path` matches views of a path, and type `event` matches custom events with a name. */
export function matchesOf({ views, customEvents }: Sets, type: string, value: string): IngestRow[] {
  if (type === 'path') return views.filter((view) => matchesWildcard(view.url_path, value))
  if (type === 'event') return customEvents.filter((event) => matchesWildcard(event.event_name, value))
  throw new Error(`Oracle: no such type: ${type}`)
}
