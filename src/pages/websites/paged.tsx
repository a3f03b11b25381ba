import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Pager } from '../parts/pager.tsx'
import { type Asked, useAsked } from '../parts/use-asked.ts'
import { Failed } from '../session/failed.tsx'

/** As many as one request for charts takes. */
const pageSize = 20

/** The part of a list that is asked for. */
export interface Part {
  readonly page: number
  readonly pageSize: number
  readonly search?: string
}

/** A part of a list, and what chooses another part. */
interface Paged<Value> extends Asked<Value> {
  readonly page: number
  readonly search: string
  readonly go: (page: number) => void
  readonly find: (search: string) => void
}

/** A list of the API, page by page, with a search. */
export function usePaged<Value>(ask: (part: Part, signal: AbortSignal) => Promise<Value>): Paged<Value> {
  const [page, go] = useState(1)
  const [search, setSearch] = useState('')
  const asked = useAsked(`${page} ${search}`, (signal) => ask({ page, pageSize, ...(search && { search }) }, signal))
  const find = (text: string) => {
    setSearch(text)
    go(1)
  }
  return { ...asked, page, search, go, find }
}

interface PagesProps {
  readonly list: Paged<{ readonly count: number }>
  /** What the search looks at. */
  readonly label: string
  readonly children: ComponentChildren
}

/** A list with what goes around it: a search and the other pages, if it is long, and why it cannot be shown. */
export function Pages({ list: { value, error, again, page, search, go, find }, label, children }: PagesProps) {
  const { count } = value ?? { count: 0 }
  return (
    <>
      {error !== undefined && <Failed error={error} again={again} />}
      {(count > pageSize || search !== '') && <Search label={label} find={find} />}
      {!value && error === undefined && <p class="unseen">Loading…</p>}
      {value && count === 0 && search !== '' && <p class="quiet">Nothing is found.</p>}
      {children}
      {count > pageSize && <Pager page={page} pages={Math.ceil(count / pageSize)} go={go} />}
    </>
  )
}

function Search({ label, find }: { readonly label: string; readonly find: (text: string) => void }) {
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    find(String(new FormData(event.currentTarget as HTMLFormElement).get('search')).trim())
  }
  return (
    <search>
      <form class="buttons" onSubmit={send}>
        <input name="search" aria-label={label} maxLength={200} autocomplete="off" />
        <button type="submit" class="control">
          Search
        </button>
      </form>
    </search>
  )
}
