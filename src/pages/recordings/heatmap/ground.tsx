import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageSize } from './widths.ts'

interface GroundProps {
  readonly size: PageSize
  /** The URL of the website's page; undefined for a grey page. */
  readonly url: string | undefined
  readonly label: string
  readonly draw: (canvas: HTMLCanvasElement) => void
  /** The picture is redrawn when this changes. */
  readonly drawn: unknown
}

/** Draws the heatmap over a grey page, or over the website's current page without its scripts. */
export function Ground({ size, url, label, draw, drawn }: GroundProps) {
  const [around, canvas] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null)]
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(Math.floor(entry?.contentRect.width ?? 0)))
    watch.observe(around.current!)
    return () => watch.disconnect()
  }, [])
  const width = Math.min(room, size.width)
  const scale = width / size.width
  const height = Math.round(size.height * scale)
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current)
  }, [width, height, drawn])
  return (
    <div class="ground-room" ref={around}>
      <div class="ground" style={{ width: `${width}px`, height: `${height}px` }}>
        {url === undefined ? null : (
          // The frame runs no scripts, so the page does not count the viewer as a visitor.
          <iframe
            title="The website’s page"
            sandbox=""
            src={url}
            tabIndex={-1}
            inert
            style={{ width: `${size.width}px`, height: `${size.height}px`, transform: `scale(${scale})` }}
          />
        )}
        <canvas ref={canvas} role="img" aria-label={label} width={width} height={height} />
      </div>
    </div>
  )
}
