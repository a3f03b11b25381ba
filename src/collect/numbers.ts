/** Every whole number up to this one can be represented exactly as a double. */
const greatest = 2n ** 53n - 1n

const mostDigits = 30

/** The number of stored decimal places. */
const places = 4
const unitsOfOne = 10n ** BigInt(places)

const numeral = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Matches numbers that need no rounding. */
const exact = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/

/** Numbers that a double can round. Groups: the sign, the number cut to four decimals, and the fifth decimal. */
const short = /^(-?)(\d{1,10}\.\d{4})(\d)\d{0,14}$/

/**
 * A number as it was written, with four decimals. Rounds its digits, half away from zero. Undefined for numbers beyond
 * 2^53 - 1 or with more than 30 digits.
 */
export function fourDecimals(text: string): string | undefined {
  const [, minus = '', whole, decimals = ''] = exact.exec(text) ?? []
  if (whole !== undefined) return signed(minus, `${whole}.${decimals.padEnd(places, '0')}`, !/[1-9]/.test(text))
  const [, dash = '', kept, fifth = ''] = short.exec(text) ?? []
  if (kept !== undefined)
    return signed(dash, pointed(Number(kept.replace('.', '')) + (fifth < '5' ? 0 : 1)), !/[1-9]/.test(text))
  const [, sign = '', before = '', after = '', exponent = '0'] = numeral.exec(text) ?? []
  if (before.length + after.length > mostDigits) return undefined
  const digits = BigInt(before + after)
  const units = unitsOf(digits, Number(exponent) - after.length + places)
  if (units === undefined) return undefined
  return signed(sign, pointed(units), digits === 0n)
}

/** Formats this many units as a decimal. */
function pointed(units: number | bigint): string {
  const digits = String(units).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** `digits` times this power of ten, rounded, in units; undefined if the result is too large. */
function unitsOf(digits: bigint, power: number): bigint | undefined {
  if (digits === 0n || power < -mostDigits - 1) return 0n
  if (power > mostDigits) return undefined
  const [factor, divisor] = [10n ** BigInt(Math.max(0, power)), 10n ** BigInt(Math.max(0, -power))]
  if (digits * factor > greatest * unitsOfOne * divisor) return undefined
  return (digits * factor + divisor / 2n) / divisor
}

/** Zero is written without a sign, but a number rounded to zero keeps its sign. */
const signed = (sign: string, text: string, isZero: boolean): string => (isZero ? text : sign + text)
