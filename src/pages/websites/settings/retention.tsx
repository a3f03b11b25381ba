import type { Answer, WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'

interface RetentionProps {
  readonly client: WeirClient
  readonly website: Answer<'getWebsite'>
  /** Called after the website was changed. */
  readonly changed: () => void
}

/** The number in each field. For an empty field, the server's default applies. */
function retentionIn(given: FormData) {
  const filled = [...given].filter(([, value]) => value !== '').map(([name, value]) => [name, Number(value)] as const)
  return filled.length === 0 ? null : Object.fromEntries(filled)
}

/** How long data about the website's visitors is stored. */
export function Retention({ client, website, changed }: RetentionProps) {
  const [isSaved, setSaved] = useState(false)
  const save = async (given: FormData) => {
    setSaved(false)
    await client.updateWebsite({ websiteId: website.id, retention: retentionIn(given) })
    setSaved(true)
    changed()
  }
  const field = (name: 'eventMonths' | 'replayDays' | 'heatmapDays') => ({
    ...{ name, type: 'number' as const, min: 1, max: name === 'eventMonths' ? 999 : 9999, step: 1 },
    defaultValue: String(website.retention?.[name] ?? ''),
  })
  return (
    <section class="card part" aria-labelledby="retention">
      <h2 id="retention">Retention</h2>
      <p class="quiet">Older data is deleted permanently, once a day. Empty fields use the server’s settings.</p>
      <Form act={save} button="Save">
        <Field label="Events (months)" hint="Whole months, besides the current one." {...field('eventMonths')} />
        <Field label="Replays (days)" hint="Saved replays stay." {...field('replayDays')} />
        <Field label="Heatmaps (days)" {...field('heatmapDays')} />
      </Form>
      {isSaved && <p role="status">Saved.</p>}
    </section>
  )
}
