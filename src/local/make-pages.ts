import { root } from './paths.ts'
import { makePages } from './start/pages.ts'
import { config } from './start/wrangler-toml.ts'

await makePages(`${root}/${config.assets.directory}`)
