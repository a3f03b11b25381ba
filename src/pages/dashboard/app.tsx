import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Options } from '../parts/options.tsx'
import { type Address, writeAddress } from './address/address.ts'
import { useAddress } from './address/use-address.ts'
import { Dashboard } from './dashboard.tsx'
import { dataOf } from './data/data.ts'
import type { Opening, Subject } from './data/opening.ts'
import { useAnswer } from './data/use-answer.ts'
import { formatMoment } from './format/moments.ts'
import { useIdle } from './parts/use-idle.ts'
import { subjectOf } from './view.ts'

interface AppProps {
  readonly opening: Opening
  readonly empty: ComponentChildren
}

/** The page for what a share or a sign-in opens. A board has several parts, of which the page shows one at a time. */
export function App({ opening, empty }: AppProps) {
  const [address, go] = useAddress()
  const [generation, setGeneration] = useState(0)
  const [news, setNews] = useState(0)
  const [made, setMade] = useState(0)
  const data = useMemo(() => dataOf(opening, generation, news, made), [opening, generation, news, made])
  const subject = subjectOf(opening, address)
  const board = useAnswer(opening.boardId === undefined ? undefined : data.board(opening.boardId))
  const itself = useAnswer(subject && data.name(subject))
  const title = board.value?.name ?? itself.value?.name
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
  if (!subject) return <Nothing title={title} />
  return (
    <>
      <Dashboard
        key={`${subject.id} ${generation}`}
        {...{ opening, data, subject, address, go, empty }}
        changed={() => setMade(made + 1)}
        refresh={() => setGeneration(generation + 1)}
        renew={() => setNews(news + 1)}
        title={{ ...(board.error ? board : itself), value: title }}
        domain={board.value ? undefined : (itself.value?.domain ?? undefined)}
        parts={
          opening.subjects.length > 1 ? (
            <Parts
              {...{ opening, data, subject }}
              name={itself.value?.name}
              choose={(part) => go({ part, filters: [] })}
            />
          ) : (
            opening.credential.key !== undefined && <WebsitePicker {...{ data, subject, address }} />
          )
        }
      />
      <footer class="foot">
        <p>
          {opening.expiresAt && <>This link expires on {formatMoment(opening.expiresAt, address.zone)}. </>}
          Counted by <a href="/">Weir</a>.
        </p>
      </footer>
    </>
  )
}

const Nothing = ({ title }: { readonly title: string | undefined }) => (
  <main class="page">
    <h1>{title ?? 'Shared statistics'}</h1>
    <p>This link shows no numbers yet.</p>
  </main>
)

interface PartsProps {
  readonly opening: Opening
  readonly data: ReturnType<typeof dataOf>
  readonly subject: Subject
  /** The name of the subject; undefined until it is known. */
  readonly name: string | undefined
  readonly choose: (id: string) => void
}

/** Chooses a website, link or pixel of a board. */
function Parts({ opening, data, subject, name, choose }: PartsProps) {
  return (
    <label class="parts">
      <span class="unseen">Part of the board</span>
      <select value={subject.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {opening.subjects.map((one) =>
          one.id === subject.id ? (
            <option key={one.id} value={one.id}>
              {name ?? '…'}
            </option>
          ) : (
            <PartOption key={one.id} subject={one} data={data} />
          ),
        )}
      </select>
    </label>
  )
}

function PartOption({ subject, data }: Pick<PartsProps, 'subject' | 'data'>) {
  const { value } = useAnswer(data.name(subject))
  return <option value={subject.id}>{value?.name ?? '…'}</option>
}

interface WebsitePickerProps extends Pick<PartsProps, 'subject' | 'data'> {
  readonly address: Address
}

/** Switches to another website of the viewer without changing the period. */
function WebsitePicker({ data, subject, address }: WebsitePickerProps) {
  const isIdle = useIdle()
  const { value } = useAnswer(isIdle ? data.websites() : undefined)
  if (!value || value.data.length < 2) return null
  const open = (id: string) => {
    location.href = `/websites/${id}${writeAddress({ ...address, filters: [], tabs: {}, list: undefined, visitor: undefined })}`
  }
  return (
    <label class="parts">
      <span class="unseen">Website</span>
      <select
        value={subject.id}
        onChange={({ currentTarget }) => {
          const { value: id } = currentTarget
          // After Back, the browser may show this page as it was left.
          currentTarget.value = subject.id
          open(id)
        }}
      >
        <Options of={value.data.map(({ id, name }) => [id, name])} />
      </select>
    </label>
  )
}
