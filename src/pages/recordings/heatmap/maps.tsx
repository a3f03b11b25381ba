import { useMemo } from 'preact/hooks'
import { formatShare, formatWhole } from '../../dashboard/format/numbers.ts'
import { drawClicks, drawDepths } from './draw.ts'
import { Ground } from './ground.tsx'
import { clicksOf, depthsOf, type Heatmap, type Placed, type WidthClass } from './widths.ts'

interface MapProps {
  readonly heatmap: Heatmap
  /** The page to draw over; undefined for a grey page. */
  readonly url: string | undefined
}

/** The maximum number of rows in the table of clicks. */
const mostRows = 20

/** Groups clicks into cells: a twentieth of the page's width and a hundredth of its height. */
function placesOf(clicks: readonly Placed[]) {
  const places = new Map<string, { x: number; y: number; count: number }>()
  for (const { x, y, count } of clicks) {
    const [left, top] = [Math.min(95, Math.floor(x * 20) * 5), Math.min(99, Math.floor(y * 100))]
    const known = places.get(`${left} ${top}`) ?? { x: left, y: top, count: 0 }
    known.count += count
    places.set(`${left} ${top}`, known)
  }
  return [...places.values()].sort((one, other) => other.count - one.count).slice(0, mostRows)
}

export function ClickMap({ heatmap, url, width }: MapProps & { readonly width: WidthClass }) {
  const { placed, size, shown, unplaced } = useMemo(() => clicksOf(heatmap, width), [heatmap, width])
  return (
    <>
      <p class="quiet">
        {formatWhole(shown)} clicks
        {unplaced > 0 ? `; ${formatWhole(unplaced)} more have no place in the page` : ''}
        {heatmap.points.length >= 5000 ? '; only the 5,000 most frequent places are shown' : ''}
      </p>
      <Ground
        {...{ size, url }}
        label={`Clicks on a page of ${size.width} by ${size.height} pixels. The table below lists the places.`}
        draw={(canvas) => drawClicks(canvas, placed)}
        drawn={placed}
      />
      <table class="values-table">
        <caption>Most clicked places</caption>
        <thead>
          <tr>
            <th scope="col">From the left</th>
            <th scope="col">From the top</th>
            <th scope="col">Clicks</th>
          </tr>
        </thead>
        <tbody>
          {placesOf(placed).map(({ x, y, count }) => (
            <tr key={`${x} ${y}`}>
              <td>{x}%</td>
              <td>{y}%</td>
              <td>{formatWhole(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

export function ScrollMap({ heatmap, url }: MapProps) {
  const { reached, totalSessions, size } = depthsOf(heatmap)
  const shares = reached.map(({ visits }) => visits / Math.max(1, totalSessions))
  return (
    <>
      <p class="quiet">{formatWhole(totalSessions)} visits</p>
      <Ground
        {...{ size, url }}
        label="How many visits scrolled to each depth of the page. The table below lists the numbers."
        draw={(canvas) => drawDepths(canvas, shares.slice(1))}
        drawn={shares.join()}
      />
      <table class="values-table">
        <caption>Visits that scrolled this far</caption>
        <thead>
          <tr>
            <th scope="col">Depth</th>
            <th scope="col">Visits</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {reached.map(({ depth, visits }, place) => (
            <tr key={depth}>
              <td>{depth}%</td>
              <td>{formatWhole(visits)}</td>
              <td>{formatShare(shares[place] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
