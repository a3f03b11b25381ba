import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { root } from './paths.ts'

const wrangler = createRequire(import.meta.url).resolve('wrangler/bin/wrangler.js')

/** Bundles the Worker exactly as `wrangler deploy` would, into `worker.js` of `folder`; returns that path. */
export async function bundle(folder: string): Promise<string> {
  await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: `${folder}/logs` },
  })
  return `${folder}/worker.js`
}
