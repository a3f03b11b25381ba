import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { type Asked, useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import { reasonOf } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { Ending, withinSeconds } from '../ending.tsx'
import { ownWebsites } from '../own-websites.ts'
import { useKeptFocus } from '../use-kept-focus.ts'
import { KeyForm, type NamedWebsite } from './key-form.tsx'

type Key = Answer<'getMyApiKeys'>[number]

interface KeysProps {
  readonly session: Session
  readonly list: Asked<readonly Key[]>
  /** The only website to which a key can be limited. Undefined if it can be any that the user sees. */
  readonly website?: NamedWebsite
}

/** The most websites that the API lists at once. */
const pageSize = 1000

export const useKeys = ({ client }: Session): KeysProps['list'] =>
  useAsked('', (signal) => client.getMyApiKeys({}, { signal }))

/** The user's API keys: list, create and delete. */
export function Keys({ session, list, website }: KeysProps) {
  const { client, user } = session
  const [isMaking, setMaking] = useState(false)
  const root = useKeptFocus<HTMLDivElement>(isMaking)
  const [made, setMade] = useState<{ name: string; key: string } | undefined>(undefined)
  const isAsked = !website && (isMaking || list.value?.some(({ websiteIds }) => websiteIds) === true)
  const all = useAsked(String(isAsked), async (signal) =>
    isAsked ? ownWebsites(session, { pageSize }, signal) : undefined,
  )
  const websites: readonly NamedWebsite[] = website ? [website] : (all.value?.data ?? [])
  const otherName = isAsked && !all.value ? '…' : 'another website'
  const nameOf = (id: string) => websites.find((one) => one.id === id)?.name ?? otherName
  return (
    <section class="card part" aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <p class="quiet">
        Programs sign in with a key instead of your password. A key never has more rights than you have.
      </p>
      {made && (
        <div class="made" role="status">
          <p>
            The key <bdi>{made.name}</bdi>. Copy it now: it is not shown again.
          </p>
          <Copyable text={made.key} what="the key" />
        </div>
      )}
      {list.error !== undefined && <p class="message">{reasonOf(list.error)}</p>}
      {all.error !== undefined && <Failed error={all.error} again={all.again} />}
      <ul class="items">
        {list.value?.map((key) => (
          <li key={key.id} class="item">
            <h3>
              <bdi>{key.name}</bdi> <code class="quiet">{key.keyPrefix}…</code>
            </h3>
            <p class="quiet">
              <Reach apiKey={key} nameOf={nameOf} /> {timesOf(key)}
            </p>
            <p class="buttons">
              <Ending
                verb="Delete"
                what={key.name}
                warning={`Programs that use it are refused ${withinSeconds}.`}
                end={async () => {
                  await client.deleteMyApiKey({ keyId: key.id })
                  setMade(undefined)
                  list.again()
                }}
              />
            </p>
          </li>
        ))}
      </ul>
      <div ref={root}>
        {isMaking ? (
          <KeyForm
            {...{ client, websites, mayWrite: user.role !== 'view-only' }}
            made={(key) => {
              setMade(key)
              setMaking(false)
              list.again()
            }}
            cancel={() => setMaking(false)}
          />
        ) : (
          <p>
            <button type="button" class="control" onClick={() => setMaking(true)}>
              New key
            </button>
          </p>
        )}
      </div>
    </section>
  )
}

/** The rights of a key. */
function Reach({ apiKey: { access, websiteIds }, nameOf }: { apiKey: Key; nameOf: (id: string) => string }) {
  return (
    <>
      {access === 'read' ? 'Reads' : 'Reads and changes'}{' '}
      {websiteIds?.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <bdi>{nameOf(id)}</bdi>
        </span>
      )) ?? 'everything that you may see'}
      .
    </>
  )
}

/** When a key was last used, and when it expires. */
function timesOf({ lastUsedAt, expiresAt }: Key): string {
  const used = lastUsedAt ? `Last used on ${dateText(lastUsedAt)}.` : 'Not used yet.'
  if (!expiresAt) return used
  return `${used} ${Date.parse(expiresAt) < Date.now() ? 'Expired' : 'Expires'} on ${dateText(expiresAt)}.`
}

const dateText = (moment: string): string => new Date(moment).toLocaleDateString()
