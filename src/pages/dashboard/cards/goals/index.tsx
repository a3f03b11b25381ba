import { useState } from 'preact/hooks'
import { Options } from '../../../parts/options.tsx'
import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatShare, formatWhole } from '../../format/numbers.ts'
import { Fault } from '../../parts/notice.tsx'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { type SavedReport, useMaking } from '../making.ts'
import { Bar, RowBones } from '../rows.tsx'

/** The owner's goals and funnels, and how many visitors complete them. These cards load last. */
export function Goals() {
  const { opening } = useBoard()
  return (
    <>
      {opens(opening, 'goals') && <GoalCard />}
      {opens(opening, 'funnels') && <FunnelCard />}
    </>
  )
}

/** The number of goals that the card shows at first, and the maximum number. */
const [few, most] = [9, 200]

function GoalCard() {
  const { data, input } = useBoard()
  const making = useMaking()
  const [pageSize, setPageSize] = useState(few)
  const { value, error, retry } = useAnswer(data.goals({ websiteId: input.websiteId, pageSize }))
  const isEmpty = value?.data.length === 0
  if (!error && (!value || (isEmpty && !making))) return null
  return (
    <Card name="goals" title="Goals" aside={making && <making.Goal />}>
      {error ? <Fault error={error} retry={retry} /> : null}
      {isEmpty && <p class="empty">A goal counts the visitors who reach a page or an event: a purchase, a sign-up.</p>}
      <ul class="rows">
        {value?.data.map((goal) => (
          <Goal key={goal.id} goal={goal} />
        ))}
      </ul>
      {value && value.count > value.data.length && pageSize < most && (
        <button type="button" class="more" onClick={() => setPageSize(most)}>
          Show all
        </button>
      )}
    </Card>
  )
}

function Goal({ goal }: { readonly goal: SavedReport }) {
  const { data, input } = useBoard()
  const making = useMaking()
  const { id, name, updatedAt } = goal
  const { value, error } = useAnswer(data.goal({ ...input, goalId: id }, updatedAt))
  const share = value && value.total > 0 ? value.num / value.total : 0
  return (
    <li class="row" data-key={name}>
      <span class="row-label" title={name}>
        <Bar part={share} />
        <bdi>{name}</bdi>
      </span>
      <span class="row-share">{value ? formatShare(share) : ''}</span>
      <span class="row-count" data-count={value?.num}>
        {value ? formatWhole(value.num) : error ? '–' : '…'}
      </span>
      {making && <making.Goal saved={goal} />}
    </li>
  )
}

function FunnelCard() {
  const { data, input, address, go } = useBoard()
  const making = useMaking()
  const { value, error, retry } = useAnswer(data.funnels({ websiteId: input.websiteId, pageSize: most }))
  const funnel = value?.data.find(({ id }) => id === address.tabs.funnel) ?? value?.data[0]
  if (!error && !funnel && !(value && making)) return null
  const picker = value && value.data.length > 1 && (
    <select
      aria-label="Funnel"
      value={funnel?.id}
      onChange={({ currentTarget }) => go({ tabs: { ...address.tabs, funnel: currentTarget.value } })}
    >
      <Options of={value.data.map(({ id, name }) => [id, name])} />
    </select>
  )
  const aside = (
    <div class="card-tools">
      {picker}
      {making && funnel && <making.Funnel key={funnel.id} saved={funnel} />}
      {making && <making.Funnel />}
    </div>
  )
  return (
    <Card name="funnels" title={value?.data.length === 1 && funnel ? `Funnel: ${funnel.name}` : 'Funnel'} aside={aside}>
      {error ? <Fault error={error} retry={retry} /> : null}
      {funnel && <Steps funnel={funnel} />}
      {value && !funnel && <p class="empty">A funnel shows at which step visitors leave, on their way to a goal.</p>}
    </Card>
  )
}

function Steps({ funnel: { id, updatedAt } }: { readonly funnel: SavedReport }) {
  const { data, input } = useBoard()
  const { value, error, isLoading, retry } = useAnswer(data.funnel({ ...input, funnelId: id }, updatedAt))
  if (error) return <Fault error={error} retry={retry} />
  if (!value) return <RowBones count={4} />
  const first = value[0]?.visitors ?? 0
  return (
    <ol class={isLoading ? 'steps waits' : 'steps'}>
      {value.map((step, index) => (
        <li key={`${index} ${step.value}`} class="row" data-key={step.value}>
          <span class="row-label" title={step.value}>
            <Bar part={first > 0 ? step.visitors / first : 0} />
            <span class="step-number">{index + 1}</span> <bdi>{step.value}</bdi>
          </span>
          <span class="row-share">{first > 0 ? formatShare(step.visitors / first) : ''}</span>
          <span class="row-count" data-count={step.visitors}>
            {formatWhole(step.visitors)}
          </span>
        </li>
      ))}
    </ol>
  )
}
