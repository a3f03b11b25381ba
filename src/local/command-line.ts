import { weir } from './weir.ts'

// A reader who has seen enough, such as `head`, is no failure: the command ends as it would.
process.stdout.on('error', () => {})
process.exitCode = await weir(process.argv.slice(2), {
  env: process.env,
  out: console.log,
  err: console.error,
  // Wrangler and Miniflare take seconds to load, and most words that are typed wrong need neither.
  openMetadata: async (dataDir) => (await import('./workerd.ts')).openMetadata(dataDir),
})
