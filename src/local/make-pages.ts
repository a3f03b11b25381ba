import { makePages } from './pages.ts'
import { root } from './paths.ts'
import { config } from './wrangler-toml.ts'

await makePages(`${root}/${config.assets.directory}`)
