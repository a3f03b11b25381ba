import { Icon } from '../parts/icons.tsx'
import type { Proposal } from './proposals.ts'

interface ValueChoicesProps {
  readonly all: readonly Proposal[]
  readonly chosen: readonly string[]
  readonly choose: (value: string) => void
}

/** Values to choose from. */
export const ValueChoices = ({ all, chosen, choose }: ValueChoicesProps) => (
  <ul class="choices" aria-label="Values">
    {all.map(({ value, text }) => (
      <li key={value}>
        <button
          {...{ type: 'button', class: 'choice', 'data-value': value, title: text }}
          aria-pressed={chosen.includes(value)}
          onClick={() => choose(value)}
        >
          <bdi>{text}</bdi>
          {chosen.includes(value) && <Icon name="check" />}
        </button>
      </li>
    ))}
  </ul>
)
