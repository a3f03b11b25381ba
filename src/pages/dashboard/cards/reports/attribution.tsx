import { ageOf } from '../../data/data.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatWhole } from '../../format/numbers.ts'
import { Age, Fault } from '../../parts/notice.tsx'
import { useBoard } from '../context.ts'
import { Picker } from '../picker.tsx'
import { RowBones, Rows } from '../rows.tsx'

const credits = { 'first-click': 'First visit', 'last-click': 'Last visit' } as const

const touches = {
  ...{ referrer: 'Referrers', paidAds: 'Paid ads', utm_source: 'UTM source', utm_medium: 'UTM medium' },
  ...{ utm_campaign: 'UTM campaign', utm_content: 'UTM content', utm_term: 'UTM term' },
} as const

/** The choice in the URL; by default the first one. */
const chosenOf = <Name extends string>(all: Readonly<Record<Name, string>>, given: string | undefined): Name =>
  (given !== undefined && Object.hasOwn(all, given) ? given : Object.keys(all)[0]) as Name

/** The maximum number of events, and of pages, to choose from. */
const mostNames = 200

/** Reads a conversion from the URL: `event:sign-up`, `path:/thanks`. */
function conversionIn(text: string) {
  const [type, ...rest] = text.split(':')
  return { type: type === 'event' ? type : 'path', step: rest.join(':') } as const
}

const textOf = (conversion: string): string =>
  `${conversion.startsWith('event:') ? 'Event' : 'Page'} ${conversionIn(conversion).step}`

function useNames(type: 'event' | 'path') {
  const { data, input } = useBoard()
  const answer = useAnswer(data.fieldValues({ ...input, type, limit: mostNames }))
  return { ...answer, names: answer.value?.flatMap(({ value }) => (value === '' ? [] : [`${type}:${value}`])) }
}

/** The sources of visitors who converted in the period, that is, who reached the chosen event or page. */
export function Attribution() {
  const { data, input, address, go } = useBoard()
  const [events, paths] = [useNames('event'), useNames('path')]
  const found = events.names && paths.names && [...events.names, ...paths.names]
  const { conversion = found?.[0] } = address.tabs
  const [model, touch] = [chosenOf(credits, address.tabs.credit), chosenOf(touches, address.tabs.touch)]
  const { type, step } = conversionIn(conversion ?? '')
  const answer = useAnswer(
    found && step !== '' ? data.attribution({ ...input, type, step, model, limit: mostNames }) : undefined,
  )
  const failed = [events, paths, answer].find(({ error }) => error !== undefined)
  if (failed) return <Fault {...failed} />
  if (found && !conversion) return <p class="empty">Nothing in this period.</p>
  if (!found || !conversion || !answer.value) return <RowBones count={10} />
  const choose = (name: string) => (chosen: string) => go({ tabs: { ...address.tabs, [name]: chosen } })
  const { total, [touch]: list } = answer.value
  return (
    <>
      <div class="pickers">
        <Picker
          label="Conversion"
          all={Object.fromEntries([conversion, ...found].map((one) => [one, textOf(one)]))}
          chosen={conversion}
          choose={choose('conversion')}
        />
        <Picker label="Credit" all={credits} chosen={model} choose={choose('credit')} />
        <Picker label="Source" all={touches} chosen={touch} choose={choose('touch')} />
      </div>
      <div class={answer.isLoading ? 'list waits' : 'list'}>
        <Age seconds={ageOf(answer.value)} />
        <p>
          Converted: <strong data-figure="converted">{formatWhole(total.visitors)}</strong>
        </p>
        {list.length === 0 && <p class="empty">None of them came this way.</p>}
        <Rows
          rows={list.map(({ name, value: count }) => ({
            ...{ key: name, label: name, count, share: Math.min(count / Math.max(total.visitors, 1), 1) },
            ...{ isChosen: false, choose: undefined },
          }))}
          columns={[touches[touch], 'Visitors']}
        />
      </div>
    </>
  )
}
