import { goTo } from '../../parts/go-to.ts'
import { useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import type { Session } from '../../session/session.ts'
import { Ending } from '../../websites/ending.tsx'
import { useAction } from '../../websites/use-action.ts'
import type { ReplayIds } from './stream.ts'

/** Buttons to save the replay, so that it does not expire, and to delete it. */
export function Keep({ session: { client }, ids }: { readonly session: Session; readonly ids: ReplayIds }) {
  const { value, error, again } = useAsked(ids.replayId, (signal) => client.getWebsiteReplaySaved(ids, { signal }))
  const isSaved = value?.isSaved ?? false
  const { refusal, start } = useAction(async () => {
    await client.saveWebsiteReplay({ ...ids, isSaved: !isSaved })
    again()
  })
  const remove = async () => {
    await client.deleteWebsiteReplay(ids)
    await goTo(`/replays/${ids.websiteId}`)
  }
  return (
    <div class="controls">
      {error !== undefined && <Failed error={error} again={again} />}
      <p role="alert">{refusal}</p>
      <button
        type="button"
        class="control"
        aria-pressed={isSaved}
        disabled={value === undefined}
        onClick={() => start()}
      >
        {isSaved ? 'Saved' : 'Save'}
      </button>
      <Ending verb="Delete" what="the replay" warning="It is gone for good." end={remove} />
    </div>
  )
}
