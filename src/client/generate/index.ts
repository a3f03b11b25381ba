import { copyFileSync, readdirSync } from 'node:fs'
import { keptFolder } from '../../local/machine/kept-folder.ts'
import { root } from '../../local/paths.ts'

// `npm run client`: generates the client. If its sources are unchanged, keeps the existing files and loads no other
// modules.
const own = `${root}/src/client`
const others = readdirSync(`${root}/src`).filter((name) => name !== 'client')
const sources = [...others, 'client/generate'].map((name) => `src/${name}`)

async function make(folder: string): Promise<void> {
  const { makeOperations } = await import('./operations.ts')
  const { makeTypes } = await import('./types.ts')
  makeOperations(folder)
  await makeTypes(folder)
}

const kept = await keptFolder('weir-client', [...sources, 'package-lock.json'], make)
if (kept === undefined) await make(own)
else for (const file of readdirSync(kept)) copyFileSync(`${kept}/${file}`, `${own}/${file}`)
