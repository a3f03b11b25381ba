import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { migrateMetadata } from '../../src/local/migrations.ts'
import { openMetadata } from '../../src/local/open-metadata.ts'
import { root } from '../../src/local/paths.ts'

it('what boards name moves into a table, and goes with its board', async () => {
  const folder = mkdtempSync(`${tmpdir()}/weir-sql-`)
  const files = readdirSync(`${root}/sql/metadata`).sort()
  const copy = (some: readonly string[]) => {
    for (const file of some) cpSync(`${root}/sql/metadata/${file}`, `${folder}/${file}`)
  }
  copy(files.filter((file) => file < '0012'))
  const { metadata, close } = await openMetadata(folder)
  await migrateMetadata(metadata, folder)
  const subjects = JSON.stringify({ websiteIds: ['a', 'b'], linkIds: ['b'], pixelIds: [] })
  for (const [id, named] of [
    ['one', subjects],
    ['none', JSON.stringify({ websiteIds: [], linkIds: [], pixelIds: [] })],
  ]) {
    await metadata
      .prepare(
        `INSERT INTO boards (id, type, name, name_key, description, description_key, parameters, subjects, created_at,
           updated_at) VALUES (?1, 'mixed', '', '', '', '', '{}', ?2, 1, 1)`,
      )
      .bind(id, named)
      .run()
  }
  copy(files)
  await migrateMetadata(metadata, folder)
  const rows = async () =>
    (await metadata.prepare('SELECT * FROM board_subjects ORDER BY subject_id, kind').all()).results
  const row = { board_id: 'one', put_by: null }
  expect(await rows()).toEqual([
    { ...row, subject_id: 'a', kind: 'website' },
    { ...row, subject_id: 'b', kind: 'link' },
    { ...row, subject_id: 'b', kind: 'website' },
  ])
  await metadata.prepare(`DELETE FROM boards WHERE id = 'one'`).run()
  expect(await rows()).toEqual([])
  await close()
})
