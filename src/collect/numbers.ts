/** The greatest whole number up to which a double has each one. */
const greatest = 2n ** 53n - 1n

const mostDigits = 30

/** How many units of the last stored place are 1. */
const places = 4
const unitsOfOne = 10n ** BigInt(places)

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Numbers that need no rounding. */
const short = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/

/**
 * A number as it was written, with four decimals: rounded from its digits, half away from zero. Undefined for one beyond
 * 2^53 - 1, or with more than 30 digits.
 */
export function fourDecimals(text: string): string | undefined {
  const [, minus = '', whole, decimals = ''] = short.exec(text) ?? []
  if (whole !== undefined) return signed(minus, `${whole}.${decimals.padEnd(places, '0')}`, !/[1-9]/.test(text))
  const [, sign = '', before = '', after = '', exponent = '0'] = numeral.exec(text) ?? []
  if (before.length + after.length > mostDigits) return undefined
  const digits = BigInt(before + after)
  const units = unitsOf(digits, Number(exponent) - after.length + places)
  if (units === undefined) return undefined
  return signed(sign, `${units / unitsOfOne}.${String(units % unitsOfOne).padStart(places, '0')}`, digits === 0n)
}

/** `digits` times this power of ten, rounded; undefined if it is too great a number of units. */
function unitsOf(digits: bigint, power: number): bigint | undefined {
  if (digits === 0n || power < -mostDigits - 1) return 0n
  if (power > mostDigits) return undefined
  const [factor, divisor] = [10n ** BigInt(Math.max(0, power)), 10n ** BigInt(Math.max(0, -power))]
  if (digits * factor > greatest * unitsOfOne * divisor) return undefined
  return (digits * factor + divisor / 2n) / divisor
}

/** Zero has no sign, but what is rounded to it keeps its own. */
const signed = (sign: string, text: string, isZero: boolean): string => (isZero ? text : sign + text)
