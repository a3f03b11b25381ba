import * as z from 'zod'
import { didYouMean } from '../request/did-you-mean.ts'
import { fieldNames } from '../request/fields.ts'
import { idField } from './fields.ts'
import { startDescription, zoneDescription } from './range.ts'

/** A report's answer over HTTP. */
export interface ReportAnswer<Body> {
  readonly body: Body
  /** The number of rows in the whole list, from `X-Total-Count`. */
  readonly total: number
}

type QueryValue = string | number | undefined
export type ToolQuery = Readonly<Record<string, QueryValue>>

/** The reports that a call can request. Each is a GET request to the API as the same caller. */
export interface Call {
  /** Requests an API path below `/api/`. */
  readonly get: <Body>(path: string, query?: ToolQuery) => Promise<ReportAnswer<Body>>
  /** Requests a path below the website, with the range, time zone and filters of the input. */
  readonly read: <Body>(path: string, query?: ToolQuery) => Promise<ReportAnswer<Body>>
  /** Requests a path below the website, without the input. */
  readonly look: <Body>(path: string, query?: ToolQuery) => Promise<ReportAnswer<Body>>
  /** Whether the input has a range. */
  readonly isInRange: boolean
  /** Whether the input has filters. */
  readonly isFiltered: boolean
}

type RawShape = z.ZodRawShape

/** A tool. Its answer also contains the input's range, `units` and `cost`. */
interface ToolOf<In extends RawShape, Out extends RawShape> {
  readonly name: string
  /** The tool's answer, described for a model. */
  readonly description: string
  /** Example arguments other than `websiteId`. */
  readonly example: Readonly<Record<string, unknown>>
  /** Whether the input has a range: always, optionally or never. */
  readonly time: 'range' | 'optional' | 'never'
  /** Whether the tool accepts filters. */
  readonly isFiltered?: true
  /** False for a tool without a website; true by default. */
  readonly isOfWebsite?: boolean
  readonly input: () => In
  readonly output: () => Out
  /** The units of the numbers in its answer. */
  readonly units: string
  /** `hint` says how to get the missing data. */
  readonly answer: (
    input: z.infer<z.ZodObject<In>>,
    call: Call,
  ) => Promise<z.input<z.ZodObject<Out>> & { readonly hint?: string }>
}

/** A tool whose types are not known here. Its declaration has checked them. */
export interface Tool extends Omit<ToolOf<RawShape, RawShape>, 'answer'> {
  answer(input: unknown, call: Call): Promise<Readonly<Record<string, unknown>>>
}

/**
 * Declares a tool.
 *
 * @example
 *   export const countActive = tool({
 *     name: 'count_active', description: 'Who is there now.', example: {}, time: 'never', units: 'visitors: a count.',
 *     input: () => ({}), output: () => ({ visitors: intField() }),
 *     answer: async (_, { read }) => (await read<{ visitors: number }>('active')).body,
 *   })
 */
export const tool = <In extends RawShape, Out extends RawShape>(declared: ToolOf<In, Out>): Tool =>
  declared as unknown as Tool

/** An object with only these fields. The error for any other field lists the known ones. */
const strict = <Shape extends z.ZodRawShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error(issue) {
      if (issue.code !== 'unrecognized_keys') return undefined
      const names = Object.keys(shape)
      return `Unknown ${what}.${didYouMean(issue.keys[0]!, names)} Allowed: ${names.join(', ')}.`
    },
  })

const filterText = () => z.string().max(4000)

/** The API's filters, described once, because repeating 20 descriptions in each tool would dominate the list. */
const FiltersInput = () =>
  strict('filter', {
    ...(Object.fromEntries(fieldNames.map((name) => [name, filterText().optional()])) as Record<
      string,
      z.ZodOptional<z.ZodString>
    >),
    match: z.enum(['all', 'any']).optional(),
    segment: idField().optional(),
    cohort: idField().optional(),
    excludeBounce: z.boolean().optional(),
  }).describe(
    'All of these, or with match "any" one of them. Values: one, or a comma list, after an operator: neq. c. (contains) dnc. re. (regular expression) nre. Example {"country":"DE,AT","path":"c./blog"}. segment, cohort: ids of list_segments.',
  )

/** The whole input of a tool. */
export function inputOf({ time, isFiltered, isOfWebsite = true, input }: Tool): z.ZodObject {
  const start = z.string().max(100).describe(startDescription)
  return strict('argument', {
    ...(isOfWebsite && { websiteId: idField().describe('From list_websites.') }),
    ...(time !== 'never' && {
      startAt: time === 'range' ? start : start.optional(),
      endAt: z.string().max(100).optional().describe('End, as startAt. Default: now.'),
      timezone: z.string().max(100).optional().describe(zoneDescription),
    }),
    ...(isFiltered && { filters: FiltersInput().optional() }),
    ...input(),
  })
}

type ToolSchema = Record<string, unknown>

/**
 * The JSON schema, reduced to the parts that a model needs, because `tools/list` costs tokens in each conversation.
 * Arguments are checked against the whole schema.
 */
function toolSchema(schema: z.ZodType, io: 'input' | 'output'): ToolSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema, path }) {
      if (jsonSchema.format === 'guid' || jsonSchema.format === 'uuid') delete jsonSchema.pattern
      if (jsonSchema.type === 'string') delete jsonSchema.maxLength
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      // The root lists the fields that an answer always has.
      if (io === 'output' && path.length > 0) delete jsonSchema.required
      if (io === 'output') delete jsonSchema.additionalProperties
    },
  })
  return rest
}

/** Fields that every answer has in addition to its own. The server's instructions explain them. */
const beside = {
  range: { type: 'object' },
  units: { type: 'string' },
  cost: { type: 'object' },
  truncated: { type: 'boolean' },
  hint: { type: 'string' },
  error: { type: 'object' },
} as const

/** The JSON schema of an answer or an error. */
function answerSchema({ time, output }: Tool): ToolSchema {
  const { properties, required } = toolSchema(z.object(output()), 'output')
  const always = [...(time === 'range' ? ['range'] : []), ...(required as string[]), 'units', 'cost']
  return {
    type: 'object',
    properties: { ...(properties as ToolSchema), ...beside },
    anyOf: [{ required: always }, { required: ['error'] }],
  }
}

/** A tool as `tools/list` shows it. */
export const listedTool = (tool: Tool) => ({
  name: tool.name,
  description: `${tool.description} Example: ${JSON.stringify(tool.example)}`,
  inputSchema: toolSchema(inputOf(tool), 'input') as { type: 'object' },
  outputSchema: answerSchema(tool) as { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false },
})

/** A hint that lists with `limit` rows may be incomplete; no hint if no list is that long. */
export const hintOfLimit = (limit: number, lists: readonly (readonly unknown[])[]): { readonly hint?: string } =>
  lists.some(({ length }) => length >= limit) ? { hint: moreRows(limit) } : {}

export const moreRows = (limit: number): string =>
  `Lists show their first ${limit} rows: there may be more. Send a larger limit (500 at most), or filters.`

/** Custom events are `event`; views of pages, links and pixels are `pageview`. */
export const eventKind = (eventType: number): 'event' | 'pageview' => (eventType === 2 ? 'event' : 'pageview')
