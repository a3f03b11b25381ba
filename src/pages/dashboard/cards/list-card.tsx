import { ageOf } from '../data/data.ts'
import { opens } from '../data/opening.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Icon } from '../parts/icons.tsx'
import { Age } from '../parts/notice.tsx'
import { useBoard } from './context.ts'
import { ListFile } from './list-file.tsx'
import { type MetricTab, rowsOf, type ViewTab } from './metric-rows.ts'
import { Rows } from './rows.tsx'
import { Tabs } from './tabs.tsx'
import { Unanswered } from './unanswered.tsx'
import { WholeList } from './whole-list.tsx'

interface ListCardProps {
  /** The card's name in the URL. */
  readonly name: string
  readonly title: string
  readonly tabs: readonly (MetricTab | ViewTab)[]
  /** A tab with this label that contains several lists, for example `Campaigns`. */
  readonly group?: { readonly label: string; readonly names: readonly string[] }
}

/** A card with lists and other views. It shows only the tabs that the viewer may see, and nothing if there are none. */
export function ListCard({ name, title, tabs, group }: ListCardProps) {
  const { opening, address, go } = useBoard()
  const open = tabs.filter(({ sections }) => opens(opening, ...sections))
  const tab = open.find((one) => one.name === address.tabs[name]) ?? open[0]
  if (!tab) return null
  const choose = (chosen: string) => go({ tabs: { ...address.tabs, [name]: chosen }, list: undefined })
  const isGrouped = ({ name: one }: { name: string }) => group?.names.includes(one) ?? false
  const firstGrouped = open.find(isGrouped)
  const shown = open.flatMap((one) => {
    if (!isGrouped(one)) return [one]
    return one === firstGrouped && group ? [{ name: isGrouped(tab) ? tab.name : one.name, label: group.label }] : []
  })
  return (
    <section class="card" aria-labelledby={`${name}-title`} data-card={name}>
      <header class="card-head">
        <h2 id={`${name}-title`}>{title}</h2>
        {shown.length > 1 && <Tabs label={title} id={name} tabs={shown} chosen={tab.name} choose={choose} />}
      </header>
      <div
        class="card-body"
        id={`${name}-panel`}
        {...(shown.length > 1 && { role: 'tabpanel', 'aria-labelledby': `${name}-${tab.name}` })}
      >
        {isGrouped(tab) && (
          <div class="kinds">
            {open.filter(isGrouped).map((one) => (
              <button
                key={one.name}
                type="button"
                class="kind"
                aria-pressed={one === tab}
                onClick={() => choose(one.name)}
              >
                {one.label}
              </button>
            ))}
          </div>
        )}
        {'view' in tab ? (
          <tab.view />
        ) : (
          <List key={tab.name} title={title} tab={tab} isShort={isGrouped(tab)} openWhole={() => go({ list: name })} />
        )}
      </div>
      {address.list === name && !('view' in tab) && (
        <WholeList title={title} tab={tab} close={() => go({ list: undefined })} />
      )}
    </section>
  )
}

const mostRows = 9

interface ListProps {
  readonly title: string
  readonly tab: MetricTab
  /** Whether the list has one row fewer, because something else needs the space. */
  readonly isShort: boolean
  readonly openWhole: () => void
}

function List({ title, tab, isShort, openWhole }: ListProps) {
  const board = useBoard()
  const most = isShort ? mostRows - 1 : mostRows
  const list = { ...board.input, type: tab.type }
  const answer = useAnswer(board.data.metrics({ ...list, limit: mostRows + 1 }))
  const { value } = answer
  if (!value) return <Unanswered {...answer} bones={most} />
  if (value.length === 0) return <p class="empty">Nothing in this period.</p>
  const isLonger = value.length > most
  return (
    <div class={answer.isLoading ? 'list waits' : 'list'}>
      <Age seconds={ageOf(value)} />
      <Rows rows={rowsOf(value.slice(0, most), tab, board)} columns={tab.columns} />
      {isLonger || !tab.countsEvents ? (
        <button type="button" class="more" onClick={openWhole}>
          <Icon name="list" /> {isLonger ? 'Show all' : 'Show more columns'}
        </button>
      ) : (
        <ListFile name={`${title} ${tab.label}`} make={() => board.data.listFile('getWebsiteExpandedMetrics', list)} />
      )}
    </div>
  )
}
