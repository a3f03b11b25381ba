import { useState } from 'preact/hooks'
import { useAction } from '../use-action.ts'
import { framesOf, OpeningFields, openingIn } from './opening-fields.tsx'
import { allSections, type Parameters, type Section } from './sections.ts'

interface ShareFormProps {
  /** What the share is called, and opens, so far. */
  readonly name: string
  readonly open: readonly Section[]
  readonly parameters: Parameters
  readonly button: string
  readonly save: (name: string, parameters: Parameters) => Promise<unknown>
  readonly cancel: () => void
}

/** Makes a share, or changes one. */
export function ShareForm({ name, open, parameters, button, save, cancel }: ShareFormProps) {
  const [isNothing, setNothing] = useState(false)
  const { isUnderWay, refusal, start } = useAction(save)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const chosen = openingIn(form, parameters)
    const opensNothing = allSections.every((section) => chosen[section] !== true)
    setNothing(opensNothing)
    if (!opensNothing) void start(String(new FormData(form).get('name')), chosen)
  }
  return (
    <form class="opening" onSubmit={send}>
      <label class="field">
        Name
        <input name="name" required maxLength={200} defaultValue={name} autocomplete="off" />
        <small class="quiet">For yourself: readers do not see it.</small>
      </label>
      <OpeningFields open={open} parameters={parameters} />
      <label class="field">
        May be framed by
        <textarea
          name="frameAncestors"
          rows={2}
          placeholder="https://blog.example"
          defaultValue={framesOf(parameters).join('\n')}
          spellcheck={false}
        />
        <small class="quiet">Where pages may show it in a frame: an origin a line. Left empty, none may.</small>
      </label>
      <p class="message" role="alert">
        {isNothing ? 'Choose at least one thing that it shows.' : refusal}
      </p>
      <p class="buttons">
        <button type="submit" class="control is-main" aria-busy={isUnderWay}>
          {button}
        </button>
        <button type="button" class="control" onClick={cancel}>
          Cancel
        </button>
      </p>
    </form>
  )
}
