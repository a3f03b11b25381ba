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
            const { p75: measured, p95 } = value[name]
            // Without measurements, the API answers 0. A layout that never shifts has 0, too.
            const isMeasured = name === 'cls' || p95 > 0
            const rating = measured <= good ? 'good' : measured <= poor ? 'fair' : 'poor'
            return (
              <li key={name} class={isMeasured ? `vital is-${rating}` : 'vital'} data-key={name}>
                <span>
                  {label} <span class="quiet">{name.toUpperCase()}</span>
                </span>
                <strong>{isMeasured ? vitalText(name, measured) : '–'}</strong>
                <span class="rating">{isMeasured && rating}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

const vitalText = (name: (typeof vitals)[number]['name'], value: number): string =>
  name === 'cls' ? formatDecimal(value) : `${formatWhole(Math.round(value))} ms`
