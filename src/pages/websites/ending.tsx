import { useState } from 'preact/hooks'
import { useAction } from './use-action.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** How long Weir may still use what it read before something ended. */
export const withinSeconds = 'within ten seconds'

interface EndingProps {
  /** What the button does: `Delete`. */
  readonly verb: string
  /** What ends, for screen readers: `the share Demo`. */
  readonly what: string
  /** What the user should know before. */
  readonly warning: string
  readonly end: () => Promise<unknown>
}

/** A button that ends something, once the user has confirmed it. */
export function Ending({ verb, what, warning, end }: EndingProps) {
  const [isAsking, setAsking] = useState(false)
  const { isUnderWay, refusal, start } = useAction(end)
  const root = useKeptFocus<HTMLSpanElement>(isAsking)
  return (
    <span class="ending" ref={root}>
      {isAsking ? (
        <>
          <button type="button" class="control is-bad" aria-busy={isUnderWay} onClick={() => start()}>
            {verb}
            <span class="unseen"> {what}</span>
          </button>
          <button type="button" class="control" onClick={() => setAsking(false)}>
            Cancel
            <span class="unseen">for {what}</span>
          </button>
          <span role="status">{refusal ?? warning}</span>
        </>
      ) : (
        <button type="button" class="control" onClick={() => setAsking(true)}>
          {verb}…<span class="unseen"> {what}</span>
        </button>
      )}
    </span>
  )
}
