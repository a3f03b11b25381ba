import { type Format, formats } from './formats.ts'

/** What `Accept` says of a format: how much it is wanted, from 0 to 1. */
interface AcceptRange {
  readonly type: string
  /** Its parameter `escape`, which is part of what is asked for; other parameters mean nothing. */
  readonly escape: string | undefined
  readonly quality: number
}

/** What an `Accept` names after so many is not read. */
const maxRanges = 100

function acceptRanges(accept: string): AcceptRange[] {
  return accept.split(',', maxRanges).map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const given = (name: string): string | undefined =>
      parameters
        .find((parameter) => parameter.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .replaceAll('"', '')
    const quality = given('q')
    return { type, escape: given('escape'), quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
}

const jsonRanges = ['application/json', 'application/*', '*/*']

/**
 * The format that is wanted more than JSON, undefined for JSON. It has to be named: a range such as `text/*` has always
 * been answered with JSON, and so has an `Accept` that allows nothing we have. `isJsonRefused` where only it will do.
 */
export function preferredFormat(accept: string): { format: Format; isJsonRefused: boolean } | undefined {
  const wanted = acceptRanges(accept)
  const [best] = wanted
    .flatMap(({ quality, ...range }) => {
      const format = formats.find(({ type, escape: its }) => type === range.type && its === range.escape)
      return format && quality > 0 ? [{ format, quality }] : []
    })
    .sort((left, right) => right.quality - left.quality)
  if (!best) return undefined
  const json = jsonRanges.map((range) => wanted.find(({ type }) => type === range)).find((range) => range)
  const isJsonNamed = json?.type === 'application/json'
  const isBetter = isJsonNamed ? best.quality > json.quality : best.quality >= (json?.quality ?? 0)
  return isBetter ? { format: best.format, isJsonRefused: (json?.quality ?? 0) === 0 } : undefined
}
