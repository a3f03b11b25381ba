import type { Placed } from './widths.ts'

/** The radius of a click, in pixels of the canvas. */
const radius = 22

/** The colour for a heat from 0 to 1: blue, green, yellow, red. */
function colorOf(heat: number): readonly [number, number, number] {
  const hue = (1 - heat) * 240
  const part = (shift: number) => {
    const k = (shift + hue / 30) % 12
    return Math.round(255 * (0.5 - 0.5 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4)]
}

/** Draws clicks. The more clicks there are around a place, the hotter its colour. */
export function drawClicks(canvas: HTMLCanvasElement, clicks: readonly Placed[]): void {
  const context = canvas.getContext('2d')
  if (!context || canvas.width === 0 || canvas.height === 0) return
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  const most = clicks.reduce((sum, { count }) => Math.max(sum, count), 1)
  for (const { x, y, count } of clicks) {
    const [left, top] = [x * width, y * height]
    const spot = context.createRadialGradient(left, top, 0, left, top, radius)
    // A single click must remain visible beside a place with thousands of clicks.
    spot.addColorStop(0, `rgb(0 0 0 / ${0.25 + 0.75 * (count / most)})`)
    spot.addColorStop(1, 'rgb(0 0 0 / 0)')
    context.fillStyle = spot
    context.fillRect(left - radius, top - radius, 2 * radius, 2 * radius)
  }
  const image = context.getImageData(0, 0, width, height)
  const { data } = image
  for (let place = 0; place < data.length; place += 4) {
    const alpha = data[place + 3]!
    if (alpha === 0) continue
    const [red, green, blue] = colorOf(alpha / 255)
    data[place] = red
    data[place + 1] = green
    data[place + 2] = blue
    data[place + 3] = Math.min(220, 60 + alpha)
  }
  context.putImageData(image, 0, 0)
}

/**
 * Draws how far visits scrolled. The more visits reached a place, the hotter its colour. `reached` lists shares of
 * visits from the top down.
 */
export function drawDepths(canvas: HTMLCanvasElement, reached: readonly number[]): void {
  const context = canvas.getContext('2d')
  if (!context || canvas.width === 0 || canvas.height === 0) return
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  const band = height / reached.length
  for (const [place, share] of reached.entries()) {
    const [red, green, blue] = colorOf(share)
    context.fillStyle = `rgb(${red} ${green} ${blue} / 0.35)`
    // Uses whole pixels, because two bands that share a pixel line would make it darker.
    const top = Math.round(place * band)
    context.fillRect(0, top, width, Math.round((place + 1) * band) - top)
  }
}
