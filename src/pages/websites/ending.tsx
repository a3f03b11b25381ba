import { useState } from 'preact/hooks'
import { useAction } from './use-action.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** A phrase for how long Weir may still use cached data after a revocation. */
export const withinSeconds = 'within ten seconds'

interface EndingProps {
  /** The verb of the action, for the button: `Delete`. */
  readonly verb: string
  /** The object of the action, for screen readers: `the share Demo`. */
  readonly what: string
  /** The consequences of the action. */
  readonly warning: string
  readonly end: () => Promise<unknown>
  /** Whether the button stays after the action is done. */
  readonly stays?: boolean
}

/** A button that deletes or revokes something after the user has confirmed. */
export function Ending({ verb, what, warning, end, stays = false }: EndingProps) {
  const [isAsking, setAsking] = useState(false)
  const { isUnderWay, refusal, start } = useAction(async () => {
    await end()
    if (stays) setAsking(false)
  })
  const root = useKeptFocus<HTMLSpanElement>(isAsking)
  return (
    <span class="ending" ref={root}>
      {isAsking ? (
        <>
          {/* These stand where the first click was, so a double click or a held key confirms nothing. */}
          <span role="status">{refusal ?? warning}</span>
          <button type="button" class="control" onClick={() => setAsking(false)}>
            Cancel<span class="unseen"> for {what}</span>
          </button>
          <button type="button" class="control is-bad" aria-busy={isUnderWay} onClick={() => start()}>
            {verb}
            <span class="unseen"> {what}</span>
          </button>
        </>
      ) : (
        <button type="button" class="control" onClick={() => setAsking(true)}>
          {verb}…<span class="unseen"> {what}</span>
        </button>
      )}
    </span>
  )
}
