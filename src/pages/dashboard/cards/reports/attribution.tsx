import type { Answer } from '@weir/client'
import { ageOf } from '../../data/data.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatWhole } from '../../format/numbers.ts'
import { Age, Fault } from '../../parts/notice.tsx'
import { useBoard } from '../context.ts'
import { Picker } from '../picker.tsx'
import { RowBones, Rows } from '../rows.tsx'

type Lists = Omit<Answer<'getWebsiteAttribution'>, 'total'>

const credits = { 'first-click': 'The first visit', 'last-click': 'The last visit' } as const

type Credit = keyof typeof credits

const touches: Readonly<Record<keyof Lists, string>> = {
  referrer: 'Referrers',
  paidAds: 'Paid ads',
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  utm_content: 'UTM content',
  utm_term: 'UTM term',
}

/** As many events, and as many pages, as one can choose from. */
const mostNames = 200

/** A conversion as the address has it: `event:sign-up`, `path:/thanks`. */
function conversionIn(text: string): { readonly type: 'event' | 'path'; readonly step: string } {
  const [type, ...rest] = text.split(':')
  return { type: type === 'event' ? type : 'path', step: rest.join(':') }
}

/** What brought those who did something, by events and pages of the period. */
export function Attribution() {
  const { data, input, address, go } = useBoard()
  const events = useAnswer(data.fieldValues({ ...input, type: 'event', limit: mostNames }))
  const paths = useAnswer(data.fieldValues({ ...input, type: 'path', limit: mostNames }))
  const error = events.error ?? paths.error
  if (error) return <Fault error={error} retry={events.error ? events.retry : paths.retry} />
  if (!events.value || !paths.value) return <RowBones count={10} />
  const found = [
    ...events.value.flatMap(({ value }) => (value === '' ? [] : [`event:${value}`])),
    ...paths.value.map(({ value }) => `path:${value}`),
  ]
  const conversion = address.tabs.conversion ?? found[0]
  if (conversion === undefined || conversionIn(conversion).step === '')
    return <p class="empty">Nothing in this period.</p>
  const credit = (Object.keys(credits) as Credit[]).find((one) => one === address.tabs.credit) ?? 'first-click'
  const choose = (name: string) => (chosen: string) => go({ tabs: { ...address.tabs, [name]: chosen } })
  return (
    <>
      <div class="pickers">
        <Picker
          label="Who did this"
          all={[...new Set([conversion, ...found])]}
          textOf={(one) => `${conversionIn(one).type === 'event' ? 'Event' : 'Page'} ${conversionIn(one).step}`}
          chosen={conversion}
          choose={choose('conversion')}
        />
        <Picker
          label="came by what"
          all={Object.keys(credits)}
          textOf={(one) => `${credits[one as Credit]} had`}
          chosen={credit}
          choose={choose('credit')}
        />
      </div>
      <Touches {...{ conversion, credit }} choose={choose('touch')} />
    </>
  )
}

interface TouchesProps {
  readonly conversion: string
  readonly credit: Credit
  readonly choose: (touch: string) => void
}

function Touches({ conversion, credit, choose }: TouchesProps) {
  const { data, input, address } = useBoard()
  const { value, error, isLoading, retry } = useAnswer(
    data.attribution({ ...input, ...conversionIn(conversion), model: credit, limit: mostNames }),
  )
  if (error) return <Fault error={error} retry={retry} />
  if (!value) return <RowBones count={10} />
  const open = (Object.keys(touches) as (keyof Lists)[]).filter((one) => value[one].length > 0)
  const touch = open.find((one) => one === address.tabs.touch) ?? open[0]
  const { visitors } = value.total
  return (
    <div class={isLoading ? 'list waits' : 'list'}>
      <Age seconds={ageOf(value)} />
      <p>
        <strong data-figure="converted">{formatWhole(visitors)}</strong> {visitors === 1 ? 'visitor' : 'visitors'} did
        this. {touch === undefined && 'All of them came directly.'}
      </p>
      {touch && (
        <>
          <div class="kinds">
            {open.map((one) => (
              <button key={one} type="button" class="kind" aria-pressed={one === touch} onClick={() => choose(one)}>
                {touches[one]}
              </button>
            ))}
          </div>
          <Rows
            rows={value[touch].map(({ name, value: count }) => ({
              ...{ key: name, label: name, count, share: visitors > 0 ? Math.min(count / visitors, 1) : undefined },
              ...{ isChosen: false, choose: undefined },
            }))}
            columns={[touches[touch], 'Visitors']}
            greatest={value[touch][0]?.value ?? 1}
          />
        </>
      )}
    </div>
  )
}
