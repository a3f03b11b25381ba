import type { IngestRow } from './model.ts'
import { lowerCase } from './text.ts'

const CLICK_ID_COLUMNS = ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const

/** Whether one of these ids is in its own column, or in a non-empty parameter with this name in any letter case. */
export function hasClickId(landing: IngestRow, ids: string[]): boolean {
  // `URLSearchParams` drops the question mark added here. A stored question mark is part of a name.
  const parameters = [...new URLSearchParams(`?${landing.url_query}`)].filter(([, value]) => value !== '')
  const names = parameters.map(([name]) => lowerCase(name))
  const columns = CLICK_ID_COLUMNS.filter((column) => (landing[column] ?? '') !== '')
  return [...names, ...columns].some((name) => ids.includes(name))
}
