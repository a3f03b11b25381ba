import './language.ts'
import uPlot from 'uplot'
import type { Metric } from '../figures/metrics.ts'
import type { Point } from './series.ts'

/** The content of the plot. */
interface Drawing {
  readonly points: readonly Point[]
  readonly metric: Metric
  /** The label below a bucket. */
  readonly tick: (start: number) => string
}

export interface Plot {
  readonly draw: (drawing: Drawing) => void
  /** Highlights a bucket, like the pointer does; with undefined, highlights none. */
  readonly point: (index: number | undefined) => void
  readonly end: () => void
}

interface Listeners {
  /**
   * The bucket under the pointer, and its distance in pixels from the left edge of the plot; undefined if there is
   * none.
   */
  readonly onPoint: (place: { readonly index: number; readonly left: number } | undefined) => void
  /** Called with the buckets that the viewer selected by dragging. */
  readonly onSpan: (first: number, last: number) => void
}

const height = 300
const font = '12px system-ui, sans-serif'

const counts = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 1e8,
]
const shares = [0.05, 0.1, 0.2, 0.25, 0.5, 1]
const durations = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400]

const stepsOf = ({ name }: Metric) => (name === 'bounces' ? shares : name === 'duration' ? durations : counts)

/** Draws the plot into the element. Redraws it when its size or the page's colours change, for example for printing. */
export function plotIn(host: HTMLElement, first: Drawing, listeners: Listeners): Plot {
  let drawing = first
  let colours = coloursOf(host)
  const dots = { show: true, filter: alone, size: 8, fill: () => colours.accent }
  const chart = new uPlot(
    {
      width: Math.max(host.clientWidth, 50),
      height,
      padding: [12, (self) => rightOf(self, drawing), 0, 4],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: 9, width: 2, fill: () => colours.accent },
        dataIdx: (self, series, index) => (series === 0 || self.data[series]?.[index] != null ? index : -1),
      },
      scales: {
        x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
        y: {
          range: (_, __, max) => [
            0,
            drawing.metric.name === 'bounces' ? Math.max(max * 1.1, 0.2) : Math.max(max * 1.1, 4),
          ],
        },
      },
      axes: [
        {
          font,
          stroke: () => colours.quiet,
          grid: { show: false },
          ticks: { show: false },
          gap: 10,
          size: 36,
          splits: (self) => ticksIn(drawing, self.width),
          values: (_, splits) => splits.map((index) => drawing.tick(drawing.points[index]?.start ?? 0)),
        },
        {
          font,
          stroke: () => colours.quiet,
          grid: { stroke: () => colours.line, width: 1 },
          ticks: { show: false },
          gap: 8,
          size: 52,
          incrs: () => stepsOf(drawing.metric),
          values: (_, splits) => splits.map((value) => drawing.metric.format(value)),
        },
      ],
      series: [
        {},
        { stroke: () => colours.before, width: 2, dash: [6, 5], points: { show: false } },
        {
          stroke: () => colours.accent,
          width: 2.5,
          fill: (self) => shade(self, colours.shade),
          points: dots,
        },
        { stroke: () => colours.accent, width: 2.5, dash: [2, 5], points: dots },
      ],
      hooks: {
        setCursor: [
          ({ cursor: { idx, left = -1 } }) =>
            listeners.onPoint(idx == null || left < 0 ? undefined : { index: idx, left: chart.valToPos(idx, 'x') }),
        ],
        setSelect: [
          ({ select: { left, width } }) => {
            if (width < 8) return
            listeners.onSpan(chart.posToIdx(left), chart.posToIdx(left + width))
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          },
        ],
        draw: [(self) => drawNotes(self, drawing.points, colours.quiet)],
      },
    },
    dataOf(drawing.points),
    host,
  )
  const resized = new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientWidth !== chart.width) chart.setSize({ width: host.clientWidth, height })
  })
  resized.observe(host)
  const redraw = () => {
    colours = coloursOf(host)
    chart.redraw(false)
  }
  const changes = ['(prefers-color-scheme: dark)', 'print'].map((media) => matchMedia(media))
  for (const change of changes) change.addEventListener('change', redraw)
  const themed = new MutationObserver(redraw)
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return {
    draw(next) {
      drawing = next
      chart.setData(dataOf(next.points))
    },
    point(index) {
      const left = index === undefined ? -10 : chart.valToPos(index, 'x')
      chart.setCursor({ left, top: index === undefined ? -10 : 10 })
    },
    end() {
      resized.disconnect()
      for (const change of changes) change.removeEventListener('change', redraw)
      themed.disconnect()
      chart.destroy()
    },
  }
}

/** The page's colours for a canvas, which cannot use the `light-dark(…)` in the custom properties. */
function coloursOf(host: HTMLElement) {
  const probe = host.appendChild(document.createElement('span'))
  const of = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    accent: of('chart'),
    shade: [of('chart-faint'), of('chart-none')] as const,
    before: of('chart-before'),
    quiet: of('quiet'),
    line: of('line'),
  }
  probe.remove()
  return colours
}

/**
 * Arrays of positions, comparison values, finished values and unfinished values. The line to an unfinished value is
 * separate.
 */
function dataOf(points: readonly Point[]): uPlot.AlignedData {
  const unfinished = points.findIndex(({ isUnfinished }) => isUnfinished)
  return [
    points.map((_, index) => index),
    points.map(({ before }) => before?.value ?? null),
    points.map(({ value }, index) => (index === unfinished && index > 0 ? null : (value ?? null))),
    points.map(({ value }, index) =>
      unfinished > 0 && (index === unfinished || index === unfinished - 1) ? (value ?? null) : null,
    ),
  ]
}

/** The positions of values that have no value on either side. They are drawn as dots, because no line leads to them. */
function alone(self: uPlot, series: number): number[] {
  const values = Array.from(self.data[series] ?? [])
  return values.flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )
}

/** The padding on the right, in which half of the last label has to fit. */
function rightOf({ ctx, width }: uPlot, drawing: Drawing): number {
  const label = drawing.tick(drawing.points[ticksIn(drawing, width).at(-1) ?? 0]?.start ?? 0)
  ctx.save()
  ctx.font = font
  const half = ctx.measureText(label).width / 2
  ctx.restore()
  return half + 4
}

/**
 * The buckets that get labels: as many as fit, evenly spaced. A bucket with the same label as the previous one gets
 * none.
 */
function ticksIn({ points, tick }: Drawing, width: number): number[] {
  const labels = points.map(({ start }) => tick(start))
  const all = [...labels.keys()].filter((index) => labels[index] !== labels[index - 1])
  const step = Math.max(1, Math.ceil(all.length / Math.max(2, Math.floor((width - 60) / 90))))
  return all.filter((_, place) => place % step === 0)
}

function shade({ ctx, bbox }: uPlot, [above, below]: readonly [string, string]): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height)
  gradient.addColorStop(0, above)
  gradient.addColorStop(1, below)
  return gradient
}

/** A line with a dot above each bucket that has annotations. */
function drawNotes(self: uPlot, points: readonly Point[], colour: string): void {
  const { ctx, bbox } = self
  ctx.save()
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.setLineDash([3, 3])
  for (const [index, { notes }] of points.entries()) {
    if (notes.length === 0) continue
    const left = Math.round(self.valToPos(index, 'x', true))
    ctx.beginPath()
    ctx.moveTo(left, bbox.top)
    ctx.lineTo(left, bbox.top + bbox.height)
    ctx.stroke()
    ctx.beginPath()
    ctx.arc(left, bbox.top, 4 * devicePixelRatio, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.restore()
}
