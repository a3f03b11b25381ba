import { type Format, formats } from './formats.ts'

/** One media range in `Accept`. `quality` is between 0 and 1. */
interface AcceptRange {
  readonly type: string
  /** The parameter `escape`, which selects a format. Other parameters are ignored. */
  readonly escape: string | undefined
  readonly quality: number
}

/** The maximum number of media ranges that are read. The rest are ignored. */
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

/** The media range that applies to JSON. An exact type takes precedence over a wildcard. */
const jsonRange = (wanted: readonly AcceptRange[]): AcceptRange | undefined =>
  jsonRanges.map((range) => wanted.find(({ type }) => type === range)).find((range) => range)

/** Whether `Accept` contains this type and does not prefer JSON. */
export function isPreferred(accept: string, type: string): boolean {
  const wanted = acceptRanges(accept)
  const range = wanted.find((one) => one.type === type)
  return range !== undefined && isBetterThanJson(range, jsonRange(wanted))
}

const isBetterThanJson = ({ quality }: Pick<AcceptRange, 'quality'>, json: AcceptRange | undefined): boolean =>
  quality > 0 && (json?.type === 'application/json' ? quality > json.quality : quality >= (json?.quality ?? 0))

/**
 * The format that `Accept` prefers to JSON; undefined for JSON. Only an exact media type selects a format: wildcards
 * such as `text/*`, and an `Accept` that contains none of our formats, have always selected JSON. `isJsonRefused`: the
 * caller does not accept JSON.
 */
export function preferredFormat(accept: string): { format: Format; isJsonRefused: boolean } | undefined {
  const wanted = acceptRanges(accept)
  const [best] = wanted
    .flatMap(({ quality, ...range }) => {
      const format = formats.find(({ type, escapes }) => type === range.type && escapes.includes(range.escape))
      return format && quality > 0 ? [{ format, quality }] : []
    })
    .sort((left, right) => right.quality - left.quality)
  if (!best) return undefined
  const json = jsonRange(wanted)
  return isBetterThanJson(best, json) ? { format: best.format, isJsonRefused: (json?.quality ?? 0) === 0 } : undefined
}
