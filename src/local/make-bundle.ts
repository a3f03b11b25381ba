import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { engineProgram } from './engine/program.ts'
import { keptBundle } from './start/kept-bundle.ts'

// Keeps what a start would bundle: a user who cannot write this checkout can then start Weir.
const folder = mkdtempSync(`${tmpdir()}/weir-`)
await keptBundle(folder)
await engineProgram()
rmSync(folder, { recursive: true })
