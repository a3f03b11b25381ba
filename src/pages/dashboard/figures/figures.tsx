import type { Answer } from '@weir/client'
import type { MetricName } from '../address/address.ts'
import { useBoard } from '../cards/context.ts'
import type { Loaded } from '../data/use-answer.ts'
import { formatChange } from '../format/numbers.ts'
import { Icon } from '../parts/icons.tsx'
import { type Metric, metrics } from './metrics.ts'

type Totals = Loaded<Answer<'getWebsiteStats'>>

interface FiguresProps {
  readonly totals: Totals
  /** Undefined if there is no period to compare with. */
  readonly before: Totals | undefined
  readonly chosen: MetricName
  readonly choose: (name: MetricName) => void
}

/** The figures of the period, with their changes. A click on a figure shows it in the chart. */
export function Figures({ totals, before, chosen, choose }: FiguresProps) {
  return (
    <fieldset class={totals.isLoading ? 'figures waits' : 'figures'}>
      <legend class="unseen">Figures</legend>
      {metrics.map((metric) => (
        <div key={metric.name} class="figure-place">
          <button
            type="button"
            class="figure"
            aria-pressed={metric.name === chosen}
            onClick={() => choose(metric.name)}
          >
            <Figure metric={metric} totals={totals} before={before} />
          </button>
          <Meaning metric={metric} />
        </div>
      ))}
    </fieldset>
  )
}

/** A button that explains a figure. */
function Meaning({ metric: { name, question, meaning, chapter } }: { readonly metric: Metric }) {
  const id = `meaning-${name}`
  const { isEmbedded } = useBoard().address
  return (
    <>
      <button type="button" class="what" popovertarget={id} aria-label={question} title={question}>
        ?
      </button>
      <div id={id} class="meaning" popover>
        <p>{meaning}</p>
        {/* The docs refuse to be framed. */}
        <a href={`/docs/what-is-counted.md#${chapter}`} target={isEmbedded ? '_blank' : undefined}>
          What is counted
        </a>
      </div>
    </>
  )
}

function Figure({ metric, totals, before }: { metric: Metric; totals: Totals; before: Totals | undefined }) {
  const value = totals.value && metric.of(totals.value)
  const earlier = before?.value && metric.of(before.value)
  return (
    <>
      <span class="figure-label">{metric.label}</span>
      {value === undefined && (
        <span class={totals.error ? 'figure-value quiet' : 'figure-value bone'}>{totals.error ? '–' : '\u00a0'}</span>
      )}
      {value !== undefined && (
        <span class="figure-value" data-figure={metric.name} title={metric.formatFull(value)}>
          {metric.format(value)}
        </span>
      )}
      <span class="figure-change">
        {value !== undefined && earlier !== undefined && !before?.isLoading && (
          <Change metric={metric} now={value} before={earlier} />
        )}
      </span>
    </>
  )
}

function Change({ metric, now, before }: { metric: Metric; now: number; before: number }) {
  const text = formatChange(now, before) ?? (now === 0 ? 'No change' : 'New')
  if (before === 0 || text === formatChange(before, before)) return <span class="quiet">{text}</span>
  const isGood = now > before === metric.isMoreBetter
  return (
    <span class={isGood ? 'good' : 'bad'} title={`${metric.formatFull(before)} before`}>
      <Icon name={now > before ? 'rise' : 'fall'} />
      {text}
      <span class="unseen">{isGood ? ', better' : ', worse'}</span>
    </span>
  )
}
