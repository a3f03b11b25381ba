type Decimal = { digits: bigint; scale: number }

/** Shortens `10.0000` to `10`, `10.5000` to `10.5`, and `-0.0000` to `0`. */
export function shortestDecimal(text: string): string {
  return shortest(parseDecimal(text))
}

function shortest({ digits, scale }: Decimal): string {
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const fraction = padded.slice(padded.length - scale).replace(/0+$/, '')
  return (digits < 0n ? '-' : '') + (fraction === '' ? whole : `${whole}.${fraction}`)
}

/** Compares decimals exactly, without rounding to binary fractions. */
export function compareDecimals(left: string, right: string): number {
  const a = parseDecimal(left)
  const b = parseDecimal(right)
  const scale = Math.max(a.scale, b.scale)
  const difference = atScale(a, scale) - atScale(b, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The exact sum, as the shortest decimal. */
export function sumOfDecimals(texts: string[]): string {
  const decimals = texts.map(parseDecimal)
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale))
  const digits = decimals.reduce((sum, decimal) => sum + atScale(decimal, scale), 0n)
  return shortest({ digits, scale })
}

function atScale(decimal: Decimal, scale: number): bigint {
  return decimal.digits * 10n ** BigInt(scale - decimal.scale)
}

function parseDecimal(text: string): Decimal {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) throw new Error(`Oracle: not a decimal: ${text}`)
  const fraction = match[2] ?? ''
  return { digits: BigInt(match[1]! + fraction), scale: fraction.length }
}
