import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { uuidOfHex } from '../../collect/identity.ts'
import { importLimits } from '../../endpoints/server/imports.ts'
import type { ImportProgress } from '../../metadata/imports.ts'
import { explained } from '../told/explained.ts'
import { printable } from '../told/printable.ts'

/** The API that receives the progress of an import. */
interface Listener {
  /** The URL of Weir, and an admin's key. */
  readonly url: string
  readonly key: string
  /** The id of the import in Weir. */
  readonly id: string
}

/** A function that updates the progress of an import. */
export type Tell = (change: Partial<Omit<ImportProgress, 'source'>>) => void

/** The pause between two reports, and the maximum wait for an answer, in milliseconds. */
const every = 5000
const patience = 10_000

/** The id of the import with this state file, which is the same in each run. */
export const importIdOf = (stateFile: string): string =>
  uuidOfHex(createHash('sha256').update(`${hostname()} ${stateFile}`).digest('hex'))

/** Reports the progress of `work` to a listener. Warns once if the listener does not answer; the work continues. */
export async function whileTelling<Result>(
  listener: Listener,
  source: ImportProgress['source'],
  warn: (line: string) => void,
  work: (tell: Tell) => Promise<Result>,
  pause = every,
): Promise<Result> {
  let progress: ImportProgress = {
    source,
    state: 'running',
    section: null,
    rowsDone: 0,
    rowsTotal: 0,
    rate: 0,
    error: null,
  }
  let sending: Promise<void> | undefined
  let isWarned = false
  const tell: Tell = (change) => {
    progress = { ...progress, ...change }
  }
  const send = (): Promise<void> => {
    sending ??= put(listener, progress)
      .catch((error: unknown) => {
        if (!isWarned) warn(`${listener.url} does not receive the progress: ${printable(explained(error))}`)
        isWarned = true
      })
      .finally(() => {
        sending = undefined
      })
    return sending
  }
  const timer = setInterval(send, pause)
  void send()
  try {
    const result = await work(tell)
    tell({ state: 'finished', section: null })
    return result
  } catch (error) {
    tell({ state: 'failed', error: explained(error) })
    throw error
  } finally {
    clearInterval(timer)
    await sending
    await send()
  }
}

async function put({ url, key, id }: Listener, progress: ImportProgress): Promise<void> {
  const { section, error, rate, ...rest } = progress
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/admin/imports/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...rest,
      rate: Math.min(rate, importLimits.rate),
      section: cutLine(section, importLimits.section),
      error: cutLine(error, importLimits.error),
    }),
    signal: AbortSignal.timeout(patience),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`it answers ${response.status}.`)
}

/** A text on one line, cut to `longest` characters. */
const cutLine = (text: string | null, longest: number): string | null =>
  (text && printable(text).slice(0, longest).toWellFormed().trim()) || null
