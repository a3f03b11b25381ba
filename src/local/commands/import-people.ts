import { rmSync, writeFileSync } from 'node:fs'
import { peopleLines } from '../import/people/lines.ts'
import { movePeople, type Told } from '../import/people/move.ts'
import { inDatabase, inFiles, nowhere, type Place } from '../import/people/places.ts'
import type { Postgres } from '../import/postgres.ts'
import { howToRun } from '../machine/private-folder.ts'
import { fromHere } from '../paths.ts'
import type { Given } from './io.ts'
import { websiteFlags } from './named-websites.ts'

interface PeopleFlags {
  readonly website?: readonly string[]
  readonly dryRun?: true
  readonly sql?: string
}

/**
 * Imports users, teams, websites and what belongs to them: into the data folder's D1, or into files for another one.
 * `file` gets a line for each row that is left out, or of which there is something to say.
 */
export async function importPeople(given: Given<PeopleFlags>, postgres: Postgres, file: string): Promise<void> {
  const { flags, io, withMetadata } = given
  const wanted = flags.website && new Set(websiteFlags(flags.website))
  const move = (place: Place): Promise<Told> => movePeople(postgres, place, { wanted, now: Date.now() })
  if (flags.dryRun) return peopleLines(await move(nowhere), 'to import').forEach(io.out)
  let told: Told
  if (flags.sql === undefined) {
    told = await withMetadata((database) => move(inDatabase(database)))
    peopleLines(told, 'imported').forEach(io.out)
  } else {
    const files = inFiles(fromHere(flags.sql, io.env))
    told = await move(files)
    peopleLines(told, 'written').forEach(io.out)
    for (const path of files.end()) io.out(path)
    io.err(`The files hold hashes of passwords. In their order: ${howToRun}`)
  }
  rmSync(file, { force: true })
  if (told.noted.length === 0) return
  writeFileSync(file, told.noted.map((note) => `${JSON.stringify(note)}\n`).join(''), { mode: 0o600 })
  io.out(`What is left out or has no place, with ids: ${file}`)
}
