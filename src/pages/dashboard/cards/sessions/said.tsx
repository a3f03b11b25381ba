import type { Answer } from '@weir/client'
import { useAnswer } from '../../data/use-answer.ts'
import { formatMoment } from '../../format/moments.ts'
import { useBoard } from '../context.ts'

/** A property of an event, or a session property from its last identify call. */
type Property = Pick<
  Answer<'getWebsiteSessionProperties'>[number],
  'dataKey' | 'dataType' | 'stringValue' | 'dateValue'
>

const aDate = 4

const textOf = ({ dataType, stringValue, dateValue }: Property, zone: string): string =>
  dataType === aDate && dateValue !== null ? formatMoment(dateValue, zone) : stringValue

/** Properties with their values. */
export function PropertyList({ properties }: { readonly properties: readonly Property[] }) {
  const { address } = useBoard()
  return (
    <dl class="properties">
      {properties.map((property) => (
        <div key={property.dataKey}>
          <dt dir="auto">{property.dataKey}</dt>
          <dd dir="auto">{textOf(property, address.zone)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The properties of a session from identify calls, in one line. */
export function SaidOf({ sessionId }: { readonly sessionId: string }) {
  const { data, input, address } = useBoard()
  const { value } = useAnswer(data.saidOf({ websiteId: input.websiteId, sessionId }))
  if (!value?.length) return null
  const text = value.map((one) => `${one.dataKey}: ${textOf(one, address.zone)}`).join(' · ')
  return (
    <bdi class="session-said" title={text}>
      {text}
    </bdi>
  )
}
