import type { ComponentChildren } from 'preact'
import { useAction } from './use-action.ts'

interface FormProps {
  /** Submits the fields. If it throws, the form shows the error as a sentence. */
  readonly act: (given: FormData, form: HTMLFormElement) => Promise<unknown>
  readonly button: string
  /** Called to go back without submitting. Undefined if there is nothing to go back to. */
  readonly cancel?: (() => void) | undefined
  /** Whether the action cannot be undone. */
  readonly isGrave?: boolean
  readonly class?: string
  readonly children: ComponentChildren
}

/** A form with its fields, its buttons and, after a refusal, the reason. */
export function Form({ act, button, cancel, isGrave, class: own = 'opening', children }: FormProps) {
  const { isUnderWay, refusal, start } = useAction((form: HTMLFormElement) => act(new FormData(form), form))
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    void start(event.currentTarget as HTMLFormElement)
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !cancel) return
    event.preventDefault()
    cancel()
  }
  return (
    <form class={own} onSubmit={send} onKeyDown={leave}>
      {children}
      <p class="message" role="alert">
        {refusal}
      </p>
      <p class="buttons">
        <button type="submit" class={`control ${isGrave ? 'is-bad' : 'is-main'}`} aria-busy={isUnderWay}>
          {button}
        </button>
        {cancel && (
          <button type="button" class="control" onClick={cancel}>
            Cancel
          </button>
        )}
      </p>
    </form>
  )
}
