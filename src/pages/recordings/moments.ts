const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in the viewer's time zone: `23 Nov 2026, 14:05`. */
export const momentText = (moment: string | number): string => format.format(new Date(moment))

/** Milliseconds in minutes and seconds: `1:05`, `1:02:05`. */
export function clockText(length: number): string {
  const all = Math.floor(length / 1000)
  const [h, m, s] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
