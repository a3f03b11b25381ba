import { useRef } from 'preact/hooks'
import { Bar } from '../../dashboard/cards/rows.tsx'
import { useProposals } from '../../dashboard/filters/proposals.ts'
import { ValueChoices } from '../../dashboard/filters/value-choices.tsx'
import { formatShare, formatWhole } from '../../dashboard/format/numbers.ts'
import { moveAmongChoices } from '../../dashboard/parts/disclosure.tsx'
import { Icon } from '../../dashboard/parts/icons.tsx'

/** Something that visitors do: view a page, or trigger a custom event. */
export interface Step {
  readonly type: 'path' | 'event'
  readonly value: string
  /** Conditions on the event's properties, as in the API. They are kept until the value changes. */
  readonly filters?: readonly object[]
}

/** How many visitors complete each step; undefined while unknown. */
export interface Results {
  readonly counts: readonly (number | undefined)[]
  /** The number of all visitors, for computing shares. */
  readonly all: number | undefined
  readonly error: unknown
}

interface StepsProps {
  readonly steps: readonly Step[]
  readonly change: (steps: readonly Step[]) => void
  readonly results: Results
}

/** The maximum number of steps that the API accepts. */
const most = 8

/** A goal, or the steps of a funnel, with the number of visitors who complete each. */
export function Steps({ steps, change, results }: StepsProps) {
  const replace = (index: number, step: Step) => change(steps.map((one, place) => (place === index ? step : one)))
  const isFunnel = steps.length > 1
  return (
    <>
      <ol class="steps-to-make">
        {steps.map((step, index) => (
          <li key={index}>
            {isFunnel && <span class="step-number">{index + 1}</span>}
            <StepField {...{ step, index }} change={(changed) => replace(index, changed)} />
            {steps.length > 2 && (
              <button
                type="button"
                class="control is-plain"
                aria-label={`Remove step ${index + 1}`}
                onClick={() => change(steps.filter((_, place) => place !== index))}
              >
                <Icon name="close" />
              </button>
            )}
            <Result count={results.counts[index]} all={results.all} />
          </li>
        ))}
      </ol>
      <p class="quiet">A * at the start or the end stands for any text: /blog/*</p>
      {isFunnel && steps.length < most && (
        <p>
          <button type="button" class="control" onClick={() => change([...steps, { type: 'path', value: '' }])}>
            <Icon name="plus" /> Add a step
          </button>
        </p>
      )}
    </>
  )
}

interface StepFieldProps {
  readonly step: Step
  readonly index: number
  readonly change: (step: Step) => void
}

function StepField({ step: { type, value, filters }, index, change }: StepFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { proposals } = useProposals(type, value)
  const others = proposals.some((one) => one.value === value) ? [] : proposals
  const choose = (chosen: string) => {
    change({ type, value: chosen })
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) moveAmongChoices(event.currentTarget as HTMLElement, step)
    else if (event.key === 'Escape' && event.target !== input.current) input.current?.focus()
    else return
    event.preventDefault()
  }
  return (
    <div class="step-field">
      <select
        aria-label={`Kind of step ${index + 1}`}
        value={type}
        onChange={({ currentTarget }) => change({ type: currentTarget.value as Step['type'], value: '' })}
      >
        <option value="path">Page</option>
        <option value="event">Event</option>
      </select>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the field and its values bubble up to here. */}
      <div class="value-field" onKeyDown={onKeyDown}>
        <input
          {...{ ref: input, autocomplete: 'off', autofocus: index === 0, required: true, maxLength: 500, value }}
          aria-label={`Step ${index + 1}`}
          placeholder={type === 'path' ? '/pricing' : 'purchase'}
          onInput={({ currentTarget }) => change({ type, value: currentTarget.value })}
        />
        {/* Focusable, so that a click inside keeps it open in browsers that do not focus buttons. */}
        <div class="proposals" tabIndex={-1}>
          <ValueChoices all={others} chosen={[]} choose={choose} />
        </div>
      </div>
      {filters?.length ? <small class="quiet">With conditions on its properties.</small> : null}
    </div>
  )
}

function Result({ count, all = 0 }: { readonly count: number | undefined; readonly all: number | undefined }) {
  const share = count !== undefined && all > 0 ? count / all : 0
  return (
    <p class="result" role="status" data-count={count}>
      <Bar part={share} />
      {count === undefined ? '–' : <strong>{formatWhole(count)}</strong>} {count === 1 ? 'visitor' : 'visitors'}
      <span class="quiet">{count === undefined ? '' : formatShare(share)}</span>
    </p>
  )
}
