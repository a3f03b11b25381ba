import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Pager } from '../parts/pager.tsx'
import { type Asked, useAsked } from '../parts/use-asked.ts'
import { Failed } from '../session/failed.tsx'

/** The maximum number of websites in one request for charts. */
const pageSize = 20

/** The requested page of a list. */
export interface Part {
  readonly page: number
  readonly pageSize: number
  readonly search?: string
}

/** A page of a list, with functions to choose another page. */
interface Paged<Value> extends Asked<Value> {
  readonly page: number
  readonly search: string
  readonly go: (page: number) => void
  readonly find: (search: string) => void
}

/** A list with the number of its entries on all pages. */
interface Counted {
  readonly count: number
}

const pagesOf = ({ count }: Counted = { count: 0 }): number => Math.max(1, Math.ceil(count / pageSize))

/** A list from the API, page by page, with a search. */
export function usePaged<Value extends Counted>(
  ask: (part: Part, signal: AbortSignal) => Promise<Value>,
): Paged<Value> {
  const [page, go] = useState(1)
  const [search, setSearch] = useState('')
  const asked = useAsked(`${page} ${search}`, (signal) => ask({ page, pageSize, ...(search && { search }) }, signal))
  // The only entry of the last page may have been deleted.
  useEffect(() => {
    if (asked.value) go((before) => Math.min(before, pagesOf(asked.value)))
  }, [asked.value])
  const find = (text: string) => {
    setSearch(text)
    go(1)
  }
  return { ...asked, page, search, go, find }
}

interface PagesProps {
  readonly list: Paged<Counted>
  /** The label of the search field. */
  readonly label: string
  readonly children: ComponentChildren
}

/** A list, with a search field and a pager if it is long. Shows the reason if the list cannot be loaded. */
export function Pages({ list: { value, error, again, page, search, go, find }, label, children }: PagesProps) {
  const { count } = value ?? { count: 0 }
  return (
    <>
      {error !== undefined && <Failed error={error} again={again} />}
      {(count > pageSize || search !== '') && <Search label={label} find={find} />}
      {!value && error === undefined && <p class="unseen">Loading…</p>}
      {value && count === 0 && search !== '' && <p class="quiet">Nothing found.</p>}
      {children}
      {count > pageSize && <Pager page={page} pages={pagesOf(value)} go={go} />}
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
