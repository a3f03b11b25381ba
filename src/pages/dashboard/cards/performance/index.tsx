import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatDecimal, formatWhole } from '../../format/numbers.ts'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { Unanswered } from '../unanswered.tsx'

/** The thresholds for good and poor values, according to web.dev. */
const vitals = [
  { name: 'lcp', label: 'Largest paint', good: 2500, poor: 4000 },
  { name: 'inp', label: 'Response to input', good: 200, poor: 500 },
  { name: 'cls', label: 'Layout shift', good: 0.1, poor: 0.25 },
  { name: 'fcp', label: 'First paint', good: 1800, poor: 3000 },
  { name: 'ttfb', label: 'First byte', good: 800, poor: 1800 },
] as const

/** Web vitals, as measured by visitors' browsers. */
export function Performance() {
  const { opening } = useBoard()
  return opens(opening, 'performance') ? <PerformanceCard /> : null
}

function PerformanceCard() {
  const { data, input } = useBoard()
  const answer = useAnswer(data.vitals(input))
  const { value, isLoading } = answer
  return (
    <Card name="performance" title="Speed" aside={<span class="quiet">3 of 4 views are faster</span>}>
      {!value && <Unanswered {...answer} bones={5} />}
      {value?.count === 0 && <p class="empty">No measurements in this period.</p>}
      {value && value.count > 0 && (
        <ul class={isLoading ? 'vitals waits' : 'vitals'}>
          {vitals.map(({ name, label, good, poor }) => {
            const measured = value[name].p75
            const rating = measured <= good ? 'good' : measured <= poor ? 'fair' : 'poor'
            return (
              <li key={name} class={`vital is-${rating}`} data-key={name}>
                <span>
                  {label} <span class="quiet">{name.toUpperCase()}</span>
                </span>
                <strong>{name === 'cls' ? formatDecimal(measured) : `${formatWhole(Math.round(measured))} ms`}</strong>
                <span class="rating">{rating}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
