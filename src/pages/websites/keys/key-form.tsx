import type { WeirClient } from '@weir/client'
import { Form } from '../form.tsx'

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
  const make = async (given: FormData) => {
    const [websiteId, days] = [String(given.get('website')), Number(given.get('days'))]
    const answer = await client.createMyApiKey({
      name: String(given.get('name')),
      access: given.get('permissions') === 'write' ? 'write' : 'read',
      ...(websiteId && { websiteIds: [websiteId] }),
      ...(days && { expiresAt: new Date(Date.now() + days * day).toISOString() }),
    })
    made(answer)
  }
  return (
    <Form act={make} button="Create" cancel={cancel}>
      <label class="field">
        Name
        <input name="name" required maxLength={255} autocomplete="off" placeholder="Nightly report" />
      </label>
      <label class="field">
        Access
        <select name="website">
          <option value="">Everything you have access to</option>
          {websites.map(({ id, name }, index) => (
            <option key={id} value={id} selected={websites.length === 1 && index === 0}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {mayWrite && (
        <label class="field">
          Permissions
          <select name="permissions">
            <option value="read">Read</option>
            <option value="write">Read and write</option>
          </select>
        </label>
      )}
      <label class="field">
        Expires
        <select name="days">
          <option value="0">Never</option>
          {[7, 30, 90, 365].map((days) => (
            <option key={days} value={days}>
              In {days} days
            </option>
          ))}
        </select>
      </label>
    </Form>
  )
}
