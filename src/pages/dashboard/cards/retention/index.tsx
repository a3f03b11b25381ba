import type { Answer } from '@weir/client'
import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatDay } from '../../format/moments.ts'
import { formatShare, formatWhole } from '../../format/numbers.ts'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { Unanswered } from '../unanswered.tsx'

/** The columns of the table, in days after the first visit. */
const shownDays = [1, 2, 3, 5, 7, 14, 21, 28] as const

/** How many rows fit into the card. There is one for each day of first visits. */
const mostRows = 10

/** How many visitors return. */
export function Retention() {
  const { opening } = useBoard()
  return opens(opening, 'retention') ? <RetentionCard /> : null
}

function RetentionCard() {
  const { data, input } = useBoard()
  const answer = useAnswer(data.retention(input))
  const { value, isLoading } = answer
  const isBack = value?.some(({ day }) => day > 0)
  return (
    <Card name="retention" title="Visitors who come back" aside={<span class="quiet">days after the first visit</span>}>
      {!value && <Unanswered {...answer} bones={9} />}
      {value && !isBack && <p class="empty">Nobody has come back on another day.</p>}
      {value && isBack && (
        <section
          class={isLoading ? 'retention waits' : 'retention'}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the table scrolls by keyboard.
          tabIndex={0}
          aria-label="Table of visitors who come back"
        >
          <Table days={value} />
        </section>
      )}
    </Card>
  )
}

function Table({ days }: { readonly days: Answer<'getWebsiteRetention'> }) {
  const dates = [...new Set(days.map(({ date }) => date))].slice(-mostRows)
  const of = new Map(days.map((one) => [`${one.date} ${one.day}`, one]))
  const someDays = shownDays.filter((day) => dates.some((date) => of.has(`${date} ${day}`)))
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">First visit</th>
          <th scope="col">Visitors</th>
          {someDays.map((day) => (
            <th key={day} scope="col">
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {dates.map((date) => (
          <tr key={date} data-key={date}>
            <th scope="row">{formatDay(date.slice(0, 10))}</th>
            <td>{formatWhole(of.get(`${date} 0`)?.visitors ?? 0)}</td>
            {someDays.map((day) => {
              const share = (of.get(`${date} ${day}`)?.percentage ?? 0) / 100
              return (
                <td key={day} class="heat">
                  <span class="heat-ground" style={{ opacity: String(Math.min(1, share * 2)) }} />
                  <span class="heat-text">{share > 0 ? formatShare(share) : ''}</span>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
