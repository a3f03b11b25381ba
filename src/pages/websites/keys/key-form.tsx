import type { WeirClient } from '@weir/client'
import { dayLength } from '../../../request/time-zone.ts'
import { Choice } from '../choice.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'

export interface NamedWebsite {
  readonly id: string
  readonly name: string
}

interface KeyFormProps {
  readonly client: WeirClient
  readonly websites: readonly NamedWebsite[]
  readonly mayWrite: boolean
  /** Called with the new key, which is shown only this once. */
  readonly made: (key: { readonly name: string; readonly key: string }) => void
  readonly cancel: () => void
}

const permissions = { read: 'Read', write: 'Read and write' }

const ends = { 0: 'Never', 7: 'In 7 days', 30: 'In 30 days', 90: 'In 90 days', 365: 'In 365 days' }

/** Creates an API key. It is read-only unless the user chooses otherwise. */
export function KeyForm({ client, websites, mayWrite, made, cancel }: KeyFormProps) {
  const make = async (given: FormData) => {
    const [websiteId, days] = [String(given.get('website')), Number(given.get('days'))]
    const answer = await client.createMyApiKey({
      name: String(given.get('name')),
      access: given.get('permissions') === 'write' ? 'write' : 'read',
      ...(websiteId && { websiteIds: [websiteId] }),
      ...(days && { expiresAt: new Date(Date.now() + days * dayLength).toISOString() }),
    })
    made(answer)
  }
  return (
    <Form act={make} button="Create" cancel={cancel}>
      <Field label="Name" name="name" required maxLength={255} placeholder="Nightly report" />
      <Choice
        {...{ name: 'website', label: 'Access', chosen: websites.length === 1 ? websites[0]!.id : '' }}
        all={{ '': 'Everything you have access to', ...Object.fromEntries(websites.map(({ id, name }) => [id, name])) }}
      />
      {mayWrite && <Choice name="permissions" label="Permissions" all={permissions} chosen="read" />}
      <Choice name="days" label="Expires" all={ends} chosen="0" />
    </Form>
  )
}
