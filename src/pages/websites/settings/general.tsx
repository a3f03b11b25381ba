import type { Answer, WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { Form } from '../form.tsx'
import { WebsiteFields } from '../website-fields.tsx'

interface GeneralProps {
  readonly client: WeirClient
  readonly website: Answer<'getWebsite'>
  /** Called after the website was changed. */
  readonly changed: () => void
}

/** The name and the domain of a website. */
export function General({ client, website, changed }: GeneralProps) {
  const [isSaved, setSaved] = useState(false)
  const save = async (given: FormData, form: HTMLFormElement) => {
    const [name, domain] = ['name', 'domain'].map((field) => String(given.get(field)))
    setSaved(false)
    const stored = await client.updateWebsite({ websiteId: website.id, name: name!, domain: domain! })
    // Of a URL, Weir stores only the host.
    form.querySelector<HTMLInputElement>('[name=domain]')!.value = stored.domain ?? ''
    setSaved(true)
    changed()
  }
  return (
    <section class="card part" aria-labelledby="general">
      <h2 id="general">General</h2>
      <Form act={save} button="Save">
        <WebsiteFields name={website.name} domain={website.domain ?? ''} />
      </Form>
      {isSaved && <p role="status">Saved.</p>}
    </section>
  )
}
