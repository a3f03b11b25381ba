import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { engineProgram } from './engine/program.ts'
import { keptBundle } from './start/kept-bundle.ts'

// Builds and stores the bundles that a start needs, so that even a user who cannot write to this checkout can start
// Weir.
const folder = mkdtempSync(`${tmpdir()}/weir-`)
await keptBundle(folder)
await engineProgram()
rmSync(folder, { recursive: true })
