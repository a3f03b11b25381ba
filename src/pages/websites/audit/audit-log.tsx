import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import { Pager } from '../../parts/pager.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { useAction } from '../use-action.ts'
import { EntryItem } from './entry-item.tsx'

const pageSize = 50

/** The filters of the list, as parameters of the API. */
type Narrowing = Readonly<Record<string, string>>

/** The API parameters for the form's fields. Days are in the browser's time zone. Either day may be left out. */
function narrowingOf(given: FormData): Narrowing {
  const [search, subjectId, from, to] = ['search', 'subjectId', 'from', 'to'].map((name) =>
    String(given.get(name)).trim(),
  )
  const range = (from || to) && {
    startAt: String(from ? Date.parse(`${from}T00:00`) : 0),
    endAt: String(to ? Date.parse(`${to}T23:59:59.999`) : Date.now()),
  }
  return { ...(search && { search }), ...(subjectId && { subjectId }), ...range }
}

/** The audit log for admins, newest entries first: who changed what. */
export function AuditLog({ session }: { readonly session: Session }) {
  const { client } = session
  const [narrowing, setNarrowing] = useState<Narrowing>({})
  const [page, go] = useState(1)
  const { value, error, again } = useAsked(JSON.stringify([narrowing, page]), (signal) =>
    client.getAuditLog({ ...narrowing, page, pageSize }, { signal }),
  )
  const narrow = async (given: FormData) => {
    go(1)
    setNarrowing(narrowingOf(given))
    again()
  }
  return (
    <>
      <section class="card part" aria-labelledby="narrowing">
        <h2 id="narrowing">Filter</h2>
        <Form act={narrow} button="Show" class="opening beside">
          <Field label="User or operation" name="search" maxLength={200} isExact />
          <Field label="Id of a user, a website or another object" name="subjectId" maxLength={200} isExact />
          <Field label="From" name="from" type="date" />
          <Field label="To" name="to" type="date" />
        </Form>
      </section>
      <section class="card part" aria-labelledby="entries">
        <h2 id="entries">Entries</h2>
        {error !== undefined && <Failed error={error} again={again} />}
        {!value && error === undefined && <p class="unseen">Loading…</p>}
        {value && <Entries {...{ value, page, go }} />}
        <Download {...{ session, narrowing }} />
      </section>
    </>
  )
}

interface EntriesProps {
  readonly value: Answer<'getAuditLog'>
  readonly page: number
  readonly go: (page: number) => void
}

const Entries = ({ value: { data, count }, page, go }: EntriesProps) => (
  <>
    <p class="quiet" role="status">
      {count === 1 ? '1 entry' : `${new Intl.NumberFormat().format(count)} entries`}
    </p>
    <ul class="items">
      {data.map((entry) => (
        <EntryItem key={entry.id} entry={entry} />
      ))}
    </ul>
    {count > pageSize && <Pager page={page} pages={Math.ceil(count / pageSize)} go={go} />}
  </>
)

/** A button that saves all entries that match the filters. */
function Download({
  session: { token, fetch },
  narrowing,
}: {
  readonly session: Session
  readonly narrowing: Narrowing
}) {
  const { isUnderWay, refusal, start } = useAction(async () => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' }
    const response = await fetch(`/api/admin/audit?${new URLSearchParams(narrowing)}`, { headers })
    if (!response.ok) throw new Refused('Weir cannot create the file right now. Please try again.')
    saveFile('audit-log.ndjson', await response.blob())
  })
  return (
    <>
      <p class="message" role="alert">
        {refusal}
      </p>
      <p>
        <button type="button" class="control" aria-busy={isUnderWay} onClick={() => start()}>
          Download as NDJSON
        </button>
      </p>
    </>
  )
}
