import { useRef, useState } from 'preact/hooks'
import { isChosen } from '../../address/filters.ts'
import { ageOf } from '../../data/data.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { countryName } from '../../format/names.ts'
import { formatShare, formatWhole } from '../../format/numbers.ts'
import { Age, Fault } from '../../parts/notice.tsx'
import { useBoard } from '../context.ts'
import { Mark } from '../rows.tsx'

/** The maximum number of rows. There are fewer countries. */
const most = 300

interface Country {
  readonly code: string
  readonly visitors: number
  /** The text for screen readers. */
  readonly text: string
}

/** The position of the pointer, in pixels from the top left corner of the map. */
interface Place {
  readonly left: number
  readonly top: number
}

/**
 * Visitors by country. The arrow keys move through the countries, ordered by number of visitors. Enter filters by a
 * country, like a click.
 */
export function WorldMap() {
  const { data, input, visitors: all, address, toggle } = useBoard()
  const world = useAnswer(data.world)
  const rows = useAnswer(data.metrics({ ...input, type: 'country', limit: most }))
  const [pointed, point] = useState<string | undefined>(undefined)
  const [place, setPlace] = useState<Place | undefined>(undefined)
  const host = useRef<HTMLDivElement>(null)
  const error = world.error ?? rows.error
  if (error) return <Fault error={error} retry={() => (world.error ? world.retry() : rows.retry())} />
  if (!world.value || !rows.value) return <div class="map bone" aria-hidden="true" />
  const { width, height, countries, others } = world.value
  const shareOf = (visitors: number) => (all ? formatShare(Math.min(1, visitors / all)) : undefined)
  const shown = rows.value.flatMap(({ x, y }): Country[] => {
    if (!Object.hasOwn(countries, x)) return []
    const text = [`${countryName(x)}: ${formatWhole(y)} visitors`, shareOf(y)].filter((part) => part !== undefined)
    return [{ code: x, visitors: y, text: text.join(', ') }]
  })
  const greatest = shown[0]?.visitors ?? 1
  const country = shown.find(({ code }) => code === pointed)
  const mayFilter = toggle('country', '') !== undefined
  const choose = (code: string) => {
    point(undefined)
    toggle('country', code)?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const now = shown.findIndex(({ code }) => code === pointed)
    const { key } = event
    const next = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 0 }[key]
    if (key === 'Escape') point(undefined)
    if ((key === 'Enter' || key === ' ') && country) choose(country.code)
    else if (next === undefined) return
    event.preventDefault()
    if (next !== undefined) {
      setPlace(undefined)
      point(shown[Math.min(Math.max(next, 0), shown.length - 1)]?.code)
    }
  }
  return (
    <div class={rows.isLoading ? 'map waits' : 'map'} ref={host}>
      <Age seconds={ageOf(rows.value)} />
      <svg
        viewBox={`0 0 ${width} ${height}`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its countries are options.
        role="listbox"
        aria-label="Countries on a map. Arrow keys go through them."
        aria-activedescendant={country && `map-${country.code}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => point(undefined)}
        onPointerLeave={() => point(undefined)}
        onPointerMove={({ clientX, clientY, target }) => {
          const box = host.current?.getBoundingClientRect()
          setPlace(box && { left: clientX - box.left, top: clientY - box.top })
          point((target as Element).getAttribute('data-key') ?? undefined)
        }}
      >
        <path class="land" d={Object.values(countries).join('') + others} />
        {shown.map(({ code, visitors, text }) => (
          <path
            key={code}
            id={`map-${code}`}
            class={code === pointed ? 'country is-pointed' : 'country'}
            d={countries[code]}
            role="option"
            aria-label={text}
            aria-selected={isChosen(address.filters, 'country', code)}
            data-key={code}
            data-count={visitors}
            style={{ fillOpacity: String(0.18 + 0.82 * Math.sqrt(visitors / greatest)) }}
            {...(mayFilter && { onClick: () => choose(code) })}
          />
        ))}
      </svg>
      {shown.length === 0 && <p class="empty">Nothing in this period.</p>}
      {country && (
        <p
          class={place ? 'map-text is-beside' : 'map-text'}
          aria-hidden="true"
          style={besidePointer(place, host.current)}
        >
          <Mark code={country.code} /> <span>{countryName(country.code)}</span>
          <strong>{formatWhole(country.visitors)}</strong>
          <span class="quiet">{shareOf(country.visitors)}</span>
        </p>
      )}
    </div>
  )
}

/** A position next to the pointer, on the side towards the centre of the map. */
function besidePointer(place: Place | undefined, host: HTMLElement | null) {
  if (!place || !host) return {}
  const isRight = place.left > host.clientWidth / 2
  return {
    top: `${place.top + 14}px`,
    ...(isRight ? { right: `${host.clientWidth - place.left + 10}px` } : { left: `${place.left + 14}px` }),
  }
}
