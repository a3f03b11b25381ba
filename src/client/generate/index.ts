import { copyFileSync, readdirSync } from 'node:fs'
import { root } from '../../local/paths.ts'
import { keptFolder } from '../../local/start/kept-folder.ts'

// `npm run client`: the contents of the client. Those of the same sources are kept, and then nothing else is loaded.
const own = `${root}/src/client`
const others = readdirSync(`${root}/src`).filter((name) => name !== 'client')
const sources = [...others, 'client/generate/contents.ts'].map((name) => `src/${name}`)

const make = async (folder: string) => (await import('./contents.ts')).makeContents(folder)
const kept = await keptFolder('weir-client', [...sources, 'package-lock.json'], make)
if (kept === undefined) await make(own)
else for (const file of readdirSync(kept)) copyFileSync(`${kept}/${file}`, `${own}/${file}`)
