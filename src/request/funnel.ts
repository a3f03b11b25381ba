import * as z from 'zod'
import { made, type ValueOf } from '../made.ts'
import { parseJson } from './json.ts'
import { group, type Parameter, type Refuse, required } from './query-string.ts'

/** The maximum length of a step's path or name, and of its filters' properties and values. */
const maxStepText = 500

const StepText = () => z.string().min(1).max(maxStepText)

const StepFilter = () =>
  z.strictObject({
    property: StepText(),
    operator: z.enum(['eq', 'neq', 'c', 'dnc']),
    value: z.string().max(maxStepText),
  })

const FunnelStep = () =>
  z
    .strictObject({
      type: z.enum(['path', 'event']),
      value: StepText(),
      filters: z.array(StepFilter()).max(10).optional(),
    })
    .refine(({ type, filters = [] }) => type === 'event' || filters.length === 0, {
      path: ['filters'],
      error: 'Only a step of type event has filters.',
    })

const FunnelSteps = () => z.array(FunnelStep()).min(2).max(8)

export type StepFilter = ValueOf<typeof StepFilter>
export type FunnelStep = ValueOf<typeof FunnelStep>

/** The maximum length of the steps as JSON. */
const maxStepsLength = 20_000

const steps: Parameter<readonly FunnelStep[]> = {
  read(text, refuse) {
    if (text.length > maxStepsLength) return void refuse(`Must be at most ${maxStepsLength} characters long.`)
    const read = made(FunnelSteps).safeParse(jsonOf(text))
    if (read.success) return read.data
    const { path, message } = read.error.issues[0]!
    return void refuse(
      `Must be a JSON array of 2 to 8 steps, such as {"type":"path","value":"/pricing"}. ${['steps', ...path].join('.')}: ${message}`,
    )
  },
  doc: {
    description:
      'Two to eight steps. A value is a path or an event name; a * at its start or end matches any text. An event step may have filters on its properties.',
    schema: {
      type: 'string',
      maxLength: maxStepsLength,
      contentMediaType: 'application/json',
      get contentSchema() {
        const { $schema: _, ...schema } = z.toJSONSchema(made(FunnelSteps))
        return schema
      },
      examples: ['[{"type":"path","value":"/pricing"},{"type":"event","value":"buy"}]'],
    },
  },
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const mostMinutes = 525_600

/**
 * Converts minutes to whole milliseconds, rounded down. Calculates with decimal digits, because doubles would be
 * inexact.
 */
function millisecondsOf(text: string, refuse: Refuse): number | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d{1,6})(?:\.(\d{1,20}))?(?:e-(\d{1,3}))?$/.exec(text) ?? []
  const digits = BigInt(whole + fraction)
  const scale = 10n ** (BigInt(fraction.length) + BigInt(exponent))
  if (digits > 0n && digits <= BigInt(mostMinutes) * scale) return Number((digits * 60_000n) / scale)
  return void refuse(`Must be a number above 0 and up to ${mostMinutes}, at most 20 digits after the point.`)
}

const minutes: Parameter<number> = {
  read: millisecondsOf,
  doc: {
    description: 'The maximum time between a step and the previous one, in minutes, inclusive.',
    schema: { type: 'number', exclusiveMinimum: 0, maximum: mostMinutes, examples: ['60'] },
  },
}

/** The steps of a funnel, and the maximum time between two consecutive steps, in milliseconds. */
export const funnelGroup = group({ window: required(minutes), steps: required(steps) })
