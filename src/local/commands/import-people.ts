import { appendFileSync, rmSync } from 'node:fs'
import { peopleLines } from '../import/people/lines.ts'
import { type Counts, movePeople } from '../import/people/move.ts'
import { Notes } from '../import/people/notes.ts'
import { inDatabase, inFiles, nowhere, type Place } from '../import/people/places.ts'
import type { NewKey } from '../import/people/thing.ts'
import type { Postgres } from '../import/postgres.ts'
import { howToRun } from '../machine/private-folder.ts'
import { fromHere } from '../paths.ts'
import { printable } from '../told/printable.ts'
import type { Given } from './io.ts'
import { websiteFlags } from './named-websites.ts'

interface PeopleFlags {
  readonly website?: readonly string[]
  readonly dryRun?: true
  readonly sqlTo?: string
}

/**
 * Imports users, teams, websites and related rows into the data folder's D1, or into files for another D1. `file`
 * receives a line for each row that was left out or changed.
 */
export async function importPeople(given: Given<PeopleFlags>, postgres: Postgres, file: string): Promise<void> {
  const { flags, io, withChange, entryOf } = given
  const wanted = flags.website && new Set(websiteFlags(flags.website))
  if (!flags.dryRun) rmSync(file, { force: true })
  const notes = new Notes((lines) => flags.dryRun || appendFileSync(file, lines, { mode: 0o600 }))
  const show = ({ key, name, username }: NewKey) => {
    if (!flags.dryRun) io.out(`${key}  ${printable(name)} of ${printable(username)}, shown only now`)
  }
  const move = (place: Place): Promise<Counts> => movePeople(postgres, place, { wanted, now: Date.now() }, notes, show)
  const tell = (counts: Counts, done: string) => peopleLines(counts, notes, done).forEach(io.out)
  if (flags.dryRun) return tell(await move(nowhere), 'to import')
  if (flags.sqlTo === undefined) {
    await withChange(async (database) => {
      tell(await move(inDatabase(database)), 'imported')
      return {}
    })
  } else {
    const files = inFiles(fromHere(flags.sqlTo, io.env))
    tell(await move(files), 'written')
    for (const path of files.end(entryOf({}))) io.out(path)
    io.err(`The files contain password hashes. In this order: ${howToRun}`)
  }
  if (notes.groups.size > 0) io.out(`Skipped rows and fields, with ids: ${file}`)
}
