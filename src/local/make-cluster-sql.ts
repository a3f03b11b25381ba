import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { clusterFiles } from './cluster-files.ts'
import { root } from './paths.ts'

const folder = `${root}/sql/cluster`
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of clusterFiles()) writeFileSync(`${folder}/${name}`, text)
