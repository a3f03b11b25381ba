import type { WeirClient } from '@weir/client'
import { useAction } from '../use-action.ts'

interface NewWebsiteProps {
  readonly client: WeirClient
  /** None if there is nothing to go back to. */
  readonly cancel: (() => void) | undefined
}

/** Makes a website, and goes to its page of settings, which has the tag to paste. */
export function NewWebsite({ client, cancel }: NewWebsiteProps) {
  const { isUnderWay, refusal, start } = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const { id } = await client.createWebsite({ name: String(given.get('name')), domain: String(given.get('domain')) })
    location.assign(`/websites/${id}/settings`)
  })
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    void start(event.currentTarget as HTMLFormElement)
  }
  return (
    <form class="card part opening" onSubmit={send}>
      <h2>New website</h2>
      <label class="field">
        Name
        <input name="name" required maxLength={100} autocomplete="off" placeholder="My website" />
      </label>
      <label class="field">
        Domain
        <input
          name="domain"
          required
          maxLength={500}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="www.example.com"
        />
      </label>
      <p class="message" role="alert">
        {refusal}
      </p>
      <p class="buttons">
        <button type="submit" class="control is-main" aria-busy={isUnderWay}>
          Make it
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
