import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { stop } from 'esbuild'
import { root, wranglerBinary } from '../paths.ts'
import { makePages } from './pages.ts'

/**
 * Bundles the Worker (or `entry`) exactly as `wrangler deploy` would, into `worker.js` in `folder`, and returns that
 * path. The file is replaced in one step, so no reader sees half of it. The pages go into `pages` in `folder`.
 */
export async function bundle(folder: string, entry = 'src/worker.ts'): Promise<string> {
  const made = `${folder}/${randomUUID()}`
  const pages = `${folder}/pages`
  await makePages(pages)
  // Otherwise, esbuild's process would run as long as this one, and use up to 50 MB.
  await stop()
  const flags = ['--dry-run', '--outdir', made, '--assets', pages]
  await promisify(execFile)(process.execPath, [wranglerBinary, 'deploy', entry, ...flags], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: `${folder}/logs` },
  })
  renameSync(`${made}/${basename(entry, '.ts')}.js`, `${folder}/worker.js`)
  rmSync(made, { recursive: true })
  return `${folder}/worker.js`
}
