import { shellWord } from '../told/shell-word.ts'
import type { Run, Step } from './step.ts'

/** Whether D1 has copies near readers. If empty, `deploy` does not change this. */
export const copyModes = ['', 'auto', 'disabled']

/** The step that switches the copies of D1 (its read replication) on or off, which wrangler cannot do. */
export function copySteps(run: Run): Step[] {
  const mode = run.settings.get('WEIR_D1_COPIES')
  if (!mode) return []
  const words = ['curl', '-X', 'PUT', urlOf(run), '--json', bodyOf(mode)].map(shellWord).join(' ')
  return [
    {
      says: `Switches the copies of D1 near readers ${mode === 'auto' ? 'on' : 'off'}.`,
      commands: [`${words} -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN"`],
      work: () => setCopies(run, mode),
    },
  ]
}

const bodyOf = (mode: string): string => JSON.stringify({ read_replication: { mode } })

const urlOf = ({ settings, found }: Run): string => {
  const { account = settings.get('CLOUDFLARE_ACCOUNT_ID') ?? 'ACCOUNT', database = 'DATABASE' } = found
  const api = settings.get('CLOUDFLARE_API_BASE_URL') ?? 'https://api.cloudflare.com/client/v4'
  return `${api}/accounts/${account}/d1/database/${database}`
}

async function setCopies(run: Run, mode: string): Promise<void> {
  // If a person has signed in, wrangler has the token.
  const token = run.settings.get('CLOUDFLARE_API_TOKEN') ?? (await tokenOf(run))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(urlOf(run), { method: 'PUT', headers, body: bodyOf(mode) })
  if (answer.ok) return
  throw new Error(
    `Cloudflare did not change the copies of D1: ${answer.status} ${(await answer.text()).slice(0, 500)}\n` +
      `Change them on the page of D1 in Cloudflare's dashboard, and empty WEIR_D1_COPIES in ${run.settings.file}.`,
  )
}

async function tokenOf({ wrangler }: Run): Promise<string> {
  const { token } = JSON.parse(await wrangler.run(['auth', 'token', '--json'])) as { readonly token: string }
  return token
}
