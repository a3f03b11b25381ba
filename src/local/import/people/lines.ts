import { printable } from '../../told/printable.ts'
import { number } from '../progress.ts'
import type { Noted, Told } from './move.ts'

/** How many of one kind are named; the file has all. */
const mostNamed = 20

/** What became of people and things, for a person. */
export function peopleLines({ counts, noted }: Told, inWords: string): readonly string[] {
  const lines = [...counts].flatMap(([family, count]) => {
    const said = Object.entries(count).filter(([, rows]) => rows > 0)
    return said.length === 0
      ? []
      : [
          `${family}: ${said.map(([what, rows]) => `${number(rows)} ${what === 'imported' ? inWords : what}`).join(', ')}`,
        ]
  })
  const isNew = [...counts.values()].some(({ imported }) => imported > 0)
  return [...lines, ...noteLines(noted), ...(isNew ? [] : ['No person and no thing is new.'])]
}

function noteLines(noted: readonly Noted[]): string[] {
  const groups = new Map<string, Noted[]>()
  for (const note of noted) {
    const name = note.reason ? `${note.family} left out, ${note.reason}` : `${note.family}, ${note.remark}`
    groups.set(name, [...(groups.get(name) ?? []), note])
  }
  return [...groups].flatMap(([name, notes]) => {
    if (notes[0]!.reason === 'it is deleted in Umami') return [`${name}: ${number(notes.length)}`]
    const named = notes.slice(0, mostNamed).map(({ id, what }) => `  ${printable(what ?? id)}`)
    const more = notes.length > mostNamed ? [`  and ${number(notes.length - mostNamed)} more`] : []
    return [`${name}: ${number(notes.length)}`, ...named, ...more]
  })
}
