import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatShare, formatWhole } from '../../format/numbers.ts'
import { Fault } from '../../parts/notice.tsx'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { Bar, RowBones } from '../rows.tsx'

/** What the owner wants visitors to do, and how many do it. Whether there are such cards turns out last of all. */
export function Goals() {
  const { opening } = useBoard()
  return (
    <>
      {opens(opening, 'goals') && <GoalCard />}
      {opens(opening, 'funnels') && <FunnelCard />}
    </>
  )
}

const most = 9

function GoalCard() {
  const { data, input } = useBoard()
  const { value, error, retry } = useAnswer(data.goals({ websiteId: input.websiteId, pageSize: most }))
  if (!error && !value?.data.length) return null
  return (
    <Card name="goals" title="Goals">
      {error ? <Fault error={error} retry={retry} /> : null}
      <ul class="rows">
        {value?.data.map(({ id, name }) => (
          <Goal key={id} goalId={id} name={name} />
        ))}
      </ul>
    </Card>
  )
}

function Goal({ goalId, name }: { readonly goalId: string; readonly name: string }) {
  const { data, input } = useBoard()
  const { value, error } = useAnswer(data.goal({ ...input, goalId }))
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
    </li>
  )
}

function FunnelCard() {
  const { data, input, address, go } = useBoard()
  const { value, error, retry } = useAnswer(data.funnels({ websiteId: input.websiteId, pageSize: 50 }))
  const funnel = value?.data.find(({ id }) => id === address.tabs.funnel) ?? value?.data[0]
  if (!error && !funnel) return null
  const picker = value && value.data.length > 1 && (
    <select
      aria-label="Funnel"
      value={funnel?.id}
      onChange={({ currentTarget }) => go({ tabs: { ...address.tabs, funnel: currentTarget.value } })}
    >
      {value.data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
  return (
    <Card
      name="funnels"
      title={value?.data.length === 1 && funnel ? `Funnel: ${funnel.name}` : 'Funnel'}
      aside={picker}
    >
      {error ? <Fault error={error} retry={retry} /> : null}
      {funnel && <Steps funnelId={funnel.id} />}
    </Card>
  )
}

function Steps({ funnelId }: { readonly funnelId: string }) {
  const { data, input } = useBoard()
  const { value, error, isLoading, retry } = useAnswer(data.funnel({ ...input, funnelId }))
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
