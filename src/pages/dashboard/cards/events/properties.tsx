import type { Answer } from '@weir/client'
import { propertyField } from '../../address/fields.ts'
import { isChosen } from '../../address/filters.ts'
import { ageOf } from '../../data/data.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { Age } from '../../parts/notice.tsx'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { Picker } from '../picker.tsx'
import { Rows } from '../rows.tsx'
import { Unanswered } from '../unanswered.tsx'

/** How many rows fit below the pickers. */
const mostRows = 8

/** The values of an event property. Viewers choose the event and the property from those that occur in the period. */
export function Properties() {
  const { data, input, address, go } = useBoard()
  const answer = useAnswer(data.properties(input))
  const { value } = answer
  if (!value) return <Unanswered {...answer} bones={mostRows + 1} />
  const events = [...new Set(value.map(({ eventName }) => eventName))]
  const event = events.find((name) => name === address.tabs.eventName) ?? events[0]
  const properties = value.filter(({ eventName }) => eventName === event).map(({ propertyName }) => propertyName)
  const property = properties.find((name) => name === address.tabs.property) ?? properties[0]
  if (event === undefined || property === undefined) return <p class="empty">No event has properties in this period.</p>
  const choose = (eventName: string, chosen: string | undefined) => {
    const { property: _, ...tabs } = address.tabs
    go({ tabs: { ...tabs, eventName, ...(chosen !== undefined && { property: chosen }) } })
  }
  return (
    <>
      <div class="pickers">
        <Picker label="Event" all={events} chosen={event} choose={(name) => choose(name, undefined)} />
        <Picker label="Property" all={properties} chosen={property} choose={(name) => choose(event, name)} />
      </div>
      {/* Values of another property must not filter by this one. */}
      <Values key={JSON.stringify([event, property])} {...{ event, property, type: typeOf(value, event, property) }} />
    </>
  )
}

const typeOf = (all: Answer<'getEventDataProperties'>, event: string, property: string): number =>
  all.find(({ eventName, propertyName }) => eventName === event && propertyName === property)?.dataType ?? 1

interface ValuesProps {
  readonly event: string
  readonly property: string
  /** The most frequent type of its values. Values of other types are hidden, because a filter has only one type. */
  readonly type: number
}

function Values({ event, property, type }: ValuesProps) {
  const { data, input, address, toggle } = useBoard()
  const list = { ...input, event, propertyName: property, dataType: type }
  const field = propertyField(type, property)
  const answer = useAnswer(data.values({ ...list, limit: mostRows }))
  const { value } = answer
  if (!value) return <Unanswered {...answer} bones={mostRows} />
  const rows = value.map(({ value: text, total }) => ({
    ...{ key: text, label: text === '' ? '(empty)' : text, count: total, share: undefined },
    isChosen: field !== undefined && isChosen(address.filters, field, text),
    choose: field && toggle(field, text),
  }))
  return (
    <div class={answer.isLoading ? 'list waits' : 'list'}>
      <Age seconds={ageOf(value)} />
      <Rows rows={rows} columns={[property, 'Times']} />
      <ListFile name={`${event} ${property}`} make={() => data.listFile('getEventDataValues', list)} />
    </div>
  )
}
