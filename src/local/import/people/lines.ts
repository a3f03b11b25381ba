import { printable } from '../../told/printable.ts'
import { number } from '../progress.ts'
import type { Counts } from './move.ts'
import type { Notes } from './notes.ts'

/** A readable summary of the imported metadata. `done` is the word that it uses for imported rows. */
export function peopleLines(counts: Counts, { groups }: Notes, done: string): readonly string[] {
  const lines = [...counts].flatMap(([family, count]) => {
    const said = Object.entries(count).filter(([, rows]) => rows > 0)
    const words = said.map(([what, rows]) => `${number(rows)} ${what === 'imported' ? done : what}`)
    return words.length === 0 ? [] : [`${family}: ${words.join(', ')}`]
  })
  const notes = [...groups].flatMap(([name, { count, named }]) => [
    `${name}: ${number(count)}`,
    ...named.map((what) => `  ${printable(what)}`),
    ...(named.length > 0 && count > named.length ? [`  and ${number(count - named.length)} more`] : []),
  ])
  const isNew = [...counts.values()].some(({ imported }) => imported > 0)
  return [...lines, ...notes, ...(isNew ? [] : ['There are no new users, websites or other objects.'])]
}
