import { useBoard } from '../../dashboard/cards/context.ts'
import { useAnswer } from '../../dashboard/data/use-answer.ts'
import { useSettled } from '../../dashboard/parts/use-settled.ts'
import type { Results, Step } from './steps.tsx'

/** The result of a goal or funnel while it is edited, for the period and the filters of the page. */
export function useResults(type: 'goal' | 'funnel', steps: readonly Step[], window: number): Results {
  const { data, input } = useBoard()
  const settled = JSON.parse(useSettled(JSON.stringify({ steps, window }))) as { steps: Step[]; window: number }
  const whole = settled.steps.filter(({ value }) => value !== '')
  const [first] = whole
  const isFunnel = type === 'funnel' && whole.length > 1 && settled.window > 0
  const goal = useAnswer(
    type === 'goal' && first ? data.newGoal({ ...input, type: first.type, value: first.value }) : undefined,
  )
  const funnel = useAnswer(
    isFunnel ? data.newFunnel({ ...input, steps: JSON.stringify(whole), window: settled.window }) : undefined,
  )
  if (type === 'goal') return { counts: [first && goal.value?.num], all: goal.value?.total, error: goal.error }
  let place = 0
  const counts = settled.steps.map(({ value }) =>
    isFunnel && value !== '' ? funnel.value?.[place++]?.visitors : undefined,
  )
  return { counts, all: counts.find((count) => count !== undefined), error: funnel.error }
}
