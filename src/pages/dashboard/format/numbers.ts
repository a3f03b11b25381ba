import { remembered } from './remembered.ts'

const format = (options?: Intl.NumberFormatOptions) => remembered(() => new Intl.NumberFormat(undefined, options))

const whole = format()
const decimal = format({ maximumFractionDigits: 3 })
const short = format({ notation: 'compact', maximumFractionDigits: 1 })
const percent = format({ style: 'percent', maximumFractionDigits: 0 })
const finePercent = format({ style: 'percent', maximumFractionDigits: 1 })
const change = format({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

export const formatWhole = (count: number): string => whole().format(count)

/** `1 event`, `2 events`. */
export const counted = (count: number, one: string): string => `${formatWhole(count)} ${one}${count === 1 ? '' : 's'}`

/** `9,999`. From 10,000 on, `10K`. */
export const formatShort = (count: number): string =>
  Math.abs(count) < 10_000 ? whole().format(count) : short().format(count)

/**
 * The smallest share that is shown as a number. A smaller one is shown as less than this, so that it does not look like
 * 0.
 */
const leastShare = 0.001

/** A share as a percentage, with one decimal below 10%. */
export function formatShare(share: number): string {
  if (share > 0 && share < leastShare) return `<${finePercent().format(leastShare)}`
  return (share > 0 && share < 0.1 ? finePercent : percent)().format(share)
}

/** The change of a figure: `+12%`. Undefined if the figure was 0 before. */
export const formatChange = (now: number, before: number): string | undefined =>
  before === 0 ? undefined : change().format((now - before) / before)

const unit = (name: 'hour' | 'minute' | 'second') => format({ style: 'unit', unit: name, unitDisplay: 'narrow' })

const [hours, minutes, seconds] = [unit('hour'), unit('minute'), unit('second')]

/**
 * Whether units are short in the viewer's language, such as single letters. Longer ones, as in `2 Min. 43 Sek.`, would
 * not fit.
 */
const areUnitsShort = () => [hours, minutes, seconds].every((one) => one().format(9).length <= 3)

const twoDigits = format({ minimumIntegerDigits: 2 })

/**
 * A duration in seconds, as the two largest units of hours, minutes and seconds: `2m 5s`, or `2m` without seconds. In
 * languages with longer units: `2:05`.
 */
export function formatDuration(length: number): string {
  const all = Math.round(length)
  const [h, m, s] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60]
  if (!areUnitsShort()) {
    const texts = [twoDigits().format(m), twoDigits().format(s)]
    return h > 0 ? [whole().format(h), ...texts].join(':') : [whole().format(m), texts[1]].join(':')
  }
  if (h > 0) return m > 0 ? `${hours().format(h)} ${minutes().format(m)}` : hours().format(h)
  if (m === 0) return seconds().format(s)
  return s > 0 ? `${minutes().format(m)} ${seconds().format(s)}` : minutes().format(m)
}

/**
 * An amount of money: `$1,234.50`. From 10,000 on, it has no decimals. A unit that is not a currency follows the
 * number: `5 POINTS`.
 */
export function formatMoney(amount: number, currency: string): string {
  const digits = Math.abs(amount) >= 10_000 ? { maximumFractionDigits: 0 } : {}
  if (!/^[A-Z]{3}$/.test(currency)) return `${new Intl.NumberFormat(undefined, digits).format(amount)} ${currency}`
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(amount)
}

/** A number with up to three decimals. */
export const formatDecimal = (value: number): string => decimal().format(value)
