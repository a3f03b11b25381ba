import { version } from '../../version.ts'
import type { JsonSchema } from './schemas.ts'

const moment = '2025-10-15T16:26:28.000Z'
/** The id used in examples, for the website and for everything else. */
export const exampleId = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001'

const exampleGoal = { name: 'Pricing', parameters: { type: 'path', value: '/pricing' } }

const exampleReport = { websiteId: exampleId, type: 'goal', ...exampleGoal }

const steps = [
  { type: 'path', value: '/pricing' },
  { type: 'event', value: 'buy' },
]

const exampleFunnel = { name: 'Sales', parameters: { window: 60, steps } }

const segment = {
  type: 'segment',
  name: 'Germany',
  parameters: { filters: [{ name: 'country', operator: 'eq', value: 'DE' }] },
}

/** Example values for fields with these names. */
const samples: Readonly<Record<string, unknown>> = {
  name: 'Example',
  domain: 'example.com',
  hostname: 'example.com',
  url: 'https://example.com/sale',
  slug: 'aB3dE5gH7jK9mN1p',
  shareId: exampleId,
  shareType: 1,
  username: 'ada',
  password: 'correct horse battery staple',
  currentPassword: 'correct horse battery staple',
  newPassword: 'another horse battery staple',
  accessCode: 'team_aB3dE5gH7jK9mN1p',
  token: 'eyJhbGciOiJIUzI1NiJ9.e30.signature',
  key: 'api_aB3dE5gH7jK9mN1p',
  note: 'A new version is out.',
  description: 'What this is about.',
  origins: ['https://www.example.com'],
  paths: [`/api/websites/${exampleId}/active`, '/api/me/websites'],
  path: '/pricing',
  version,
  browser: 'chrome',
  os: 'Mac OS',
  device: 'desktop',
  screen: '1920x1080',
  language: 'en-GB',
  country: 'DE',
  region: 'DE-BE',
  city: 'Berlin',
  pageSize: 20,
  logoUrl: null,
  blockSelector: '.private',
  parameters: {},
}

/** Examples of bodies that are invalid with only the required fields. */
export const bodies: Readonly<Record<string, object>> = {
  createReport: exampleReport,
  updateReport: exampleReport,
  createWebsiteGoal: exampleGoal,
  updateWebsiteGoal: exampleGoal,
  createWebsiteFunnel: exampleFunnel,
  updateWebsiteFunnel: exampleFunnel,
  createWebsiteSegment: segment,
  updateWebsiteSegment: segment,
  updateWebsite: { name: 'Example', public: { overview: true, allowFilter: false } },
  saveWebsiteReplay: { isSaved: true, name: 'Example' },
  exportPerson: { distinctId: 'ada' },
  erasePerson: { distinctId: 'ada' },
  transferWebsite: { teamId: exampleId },
  createShare: { entityId: exampleId, shareType: 1, name: 'Example', parameters: { overview: true } },
  updateShare: { name: 'Example', slug: 'aB3dE5gH7jK9mN1p', parameters: { overview: true } },
  createUser: { username: 'ada', password: samples.password, role: 'user' },
  ...Object.fromEntries(
    ['Website', 'Link', 'Pixel', 'Board'].map((kind) => [
      `create${kind}Share`,
      { name: 'Example', parameters: { overview: true } },
    ]),
  ),
}

/**
 * An example value for a schema. `name` is the field's name. An example body contains only the required fields, if
 * there are any.
 */
export function exampleOf(schema: JsonSchema, name = '', isBody = false): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as readonly JsonSchema[]
  if (first) return exampleOf(first, name, isBody)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' && schema.properties) return objectOf(schema, isBody)
  if (Object.hasOwn(samples, name)) return samples[name]
  if (type === 'object') return {}
  if (type === 'array') return itemsOf(schema, name.replace(/s$/, ''), isBody)
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema.minimum ?? 1))
  if (type === 'boolean') return true
  return type === 'string' ? textOf(schema, name) : null
}

/** As many examples as a list must have items. The kinds of items are used in turn. */
function itemsOf({ items = {}, minItems = 1 }: JsonSchema, name: string, isBody: boolean): unknown[] {
  const kinds = (items.anyOf ?? [items]) as readonly JsonSchema[]
  const count = Math.max(1, Number(minItems))
  return Array.from({ length: count }, (_, index) => exampleOf(kinds[index % kinds.length]!, name, isBody))
}

function objectOf({ properties = {}, required = [] }: JsonSchema, isBody: boolean): object {
  const needed = Object.entries(properties).filter(([name]) => required.includes(name))
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(samples, name))
  const shown = !isBody ? Object.entries(properties) : needed.length > 0 ? needed : known
  return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(one, name, isBody)]))
}

function textOf({ format }: JsonSchema, name: string): string {
  if (format === 'uuid' || /(?:^id|Id|^user|By)$/.test(name)) return exampleId
  if (format === 'date') return moment.slice(0, 10)
  if (format === 'date-time' || /(?:At|[dD]ate)$/.test(name)) return moment
  return 'text'
}
