import { useState } from 'preact/hooks'
import { useAsked } from '../../parts/use-asked.ts'
import { reasonOf } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import type { ReplayIds } from './stream.ts'

/** Buttons to save the replay, so that it does not expire, and to delete it. */
export function Keep({ session: { client }, ids }: { readonly session: Session; readonly ids: ReplayIds }) {
  const { value, again } = useAsked(ids.replayId, (signal) => client.getWebsiteReplaySaved(ids, { signal }))
  const [message, setMessage] = useState<string | undefined>(undefined)
  const [isSure, setSure] = useState(false)
  const change = async (how: () => Promise<unknown>, then: () => void) => {
    setMessage(undefined)
    try {
      await how()
      then()
    } catch (error) {
      setMessage(reasonOf(error))
    }
  }
  const isSaved = value?.isSaved ?? false
  return (
    <div class="controls">
      <p role="alert">{message}</p>
      <button
        type="button"
        class="control"
        aria-pressed={isSaved}
        disabled={value === undefined}
        onClick={() => change(() => client.saveWebsiteReplay({ ...ids, isSaved: !isSaved }), again)}
      >
        {isSaved ? 'Saved' : 'Save'}
      </button>
      <button
        type="button"
        class="control"
        onBlur={() => setSure(false)}
        onClick={() => {
          if (!isSure) return setSure(true)
          return change(
            () => client.deleteWebsiteReplay(ids),
            () => location.assign(`/replays/${ids.websiteId}`),
          )
        }}
      >
        {isSure ? 'Really delete it?' : 'Delete'}
      </button>
    </div>
  )
}
