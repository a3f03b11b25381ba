import { weir } from './weir.ts'

// A closed pipe, as by `head`, is not an error: the command ends normally.
process.stdout.on('error', () => {})
process.exitCode = await weir(process.argv.slice(2), {
  env: process.env,
  out: console.log,
  err: console.error,
  // Wrangler and Miniflare take seconds to load, and mistyped commands need neither.
  openMetadata: async (dataDir) => (await import('./workerd.ts')).openMetadata(dataDir),
})
