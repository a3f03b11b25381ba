import type { Answer, WeirClient } from '@weir/client'
import { useEffect, useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { poll } from '../../parts/polling.ts'
import { reasonOf } from '../../session/reason.ts'

type Import = Answer<'getImports'>[number]

/**
 * The milliseconds between two polls, which is how often the command reports its progress, and the number of imports
 * shown.
 */
const pause = 5000
const mostShown = 5

const stores = { postgresql: 'PostgreSQL', clickhouse: 'ClickHouse', export: 'Export' }
const states = { running: 'Running', following: 'Following', finished: 'Finished', failed: 'Failed' }

/** How to move from Umami: the command with the URL of this installation, and the progress of its imports. */
export function FromUmami({ client }: { readonly client: WeirClient }) {
  const { imports, error } = useImports(client)
  const command = `WEIR_KEY=api_… npm run weir -- import umami --from postgres://user:password@host:5432/umami --api ${location.origin}`
  return (
    <section class="card part" aria-labelledby="from-umami">
      <h2 id="from-umami">From Umami</h2>
      <p class="quiet">
        One command imports events, websites and people from Umami, which keeps running. Run it in Weir’s folder, with
        an admin’s key: <a href="/docs/from-umami.md">moving in</a>.
      </p>
      <Copyable text={command} what="the command" />
      {error !== undefined && <p class="message">{reasonOf(error)}</p>}
      <ul class="items">
        {imports.slice(0, mostShown).map((one) => (
          <ImportItem key={one.id} one={one} />
        ))}
      </ul>
    </section>
  )
}

/** The imports, which are polled. If a poll fails, the previous result stays. */
function useImports(client: WeirClient) {
  const [found, setFound] = useState<{ imports: readonly Import[]; error: unknown }>({ imports: [], error: undefined })
  useEffect(() => {
    const failed = (error: unknown) => setFound(({ imports }) => ({ imports, error }))
    const ask = async (signal: AbortSignal) => {
      try {
        setFound({ imports: await client.getImports({}, { signal }), error: undefined })
      } catch (error) {
        if (!signal.aborted) failed(error)
        throw error
      }
      return false
    }
    return poll({ ask, pause })
  }, [client])
  return found
}

function ImportItem({ one }: { readonly one: Import }) {
  const { id, source, state, section, rowsDone, rowsTotal, error, updatedAt, isSilent } = one
  const title = `import-${id}`
  return (
    <li class="item">
      <h3 id={title}>
        {stores[source]} <span class="mark-of">{isSilent ? 'Silent' : states[state]}</span>
      </h3>
      <progress aria-labelledby={title} max={rowsTotal || 1} value={rowsDone} />
      <p class="quiet">
        {rowsText(one)} {section !== null && <bdi>{section}</bdi>}
      </p>
      {isSilent && (
        <p class="message">
          The command has not reported since {new Date(updatedAt).toLocaleString()}. If it has ended, run it again: it
          continues.
        </p>
      )}
      {error !== null && (
        <p class="message">
          <bdi>{error}</bdi>
        </p>
      )}
    </li>
  )
}

const numberText = (value: number): string => new Intl.NumberFormat().format(Math.round(value))

/** The number of imported rows. While the import runs, also its speed and the time left. */
function rowsText({ state, rowsDone, rowsTotal, rate, isSilent }: Import): string {
  const rows = `${numberText(rowsDone)} of ${numberText(rowsTotal)} rows.`
  if (state !== 'running' || isSilent || rate === 0) return rows
  const minutes = Math.max(1, Math.ceil((rowsTotal - rowsDone) / rate / 60))
  return `${rows} ${numberText(rate)} a second, ${minutes === 1 ? '1 minute' : `${numberText(minutes)} minutes`} left.`
}
