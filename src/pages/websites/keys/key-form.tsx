import type { WeirClient } from '@weir/client'
import { useAction } from '../use-action.ts'

export interface NamedWebsite {
  readonly id: string
  readonly name: string
}

interface KeyFormProps {
  readonly client: WeirClient
  readonly websites: readonly NamedWebsite[]
  readonly mayWrite: boolean
  /** Hears of the new key, which nothing shows again. */
  readonly made: (key: { readonly name: string; readonly key: string }) => void
  readonly cancel: () => void
}

const day = 86_400_000

/** Makes an API key: one that only reads, unless the user wants another. */
export function KeyForm({ client, websites, mayWrite, made, cancel }: KeyFormProps) {
  const { isUnderWay, refusal, start } = useAction(async (form: HTMLFormElement) => {
    const given = new FormData(form)
    const [websiteId, days] = [String(given.get('website')), Number(given.get('days'))]
    const answer = await client.createMyApiKey({
      name: String(given.get('name')),
      access: given.get('access') === 'write' ? 'write' : 'read',
      ...(websiteId && { websiteIds: [websiteId] }),
      ...(days && { expiresAt: new Date(Date.now() + days * day).toISOString() }),
    })
    made(answer)
  })
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    void start(event.currentTarget as HTMLFormElement)
  }
  return (
    <form class="opening" onSubmit={send}>
      <label class="field">
        Name
        <input name="name" required maxLength={255} autocomplete="off" placeholder="Nightly report" />
      </label>
      <label class="field">
        It opens
        <select name="website">
          <option value="">everything that I may see</option>
          {websites.map(({ id, name }, index) => (
            <option key={id} value={id} selected={websites.length === 1 && index === 0}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {mayWrite && (
        <label class="field">
          It may
          <select name="access">
            <option value="read">only read</option>
            <option value="write">read and change</option>
          </select>
        </label>
      )}
      <label class="field">
        It ends
        <select name="days">
          <option value="0">when I end it</option>
          {[7, 30, 90, 365].map((days) => (
            <option key={days} value={days}>
              after {days} days
            </option>
          ))}
        </select>
      </label>
      <p class="message" role="alert">
        {refusal}
      </p>
      <p class="buttons">
        <button type="submit" class="control is-main" aria-busy={isUnderWay}>
          Make the key
        </button>
        <button type="button" class="control" onClick={cancel}>
          Cancel
        </button>
      </p>
    </form>
  )
}
