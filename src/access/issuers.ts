import * as z from 'zod'
import type { Env } from '../env.ts'
import { made } from '../made.ts'

/** The maximum number of issuers, and of groups and teams per issuer. */
const mostIssuers = 100

const onOff = (otherwise: boolean) =>
  z
    .union([z.boolean(), z.enum(['1', '0', 'true', 'false', '']).transform((text) => text === '1' || text === 'true')])
    .default(otherwise)

const secure = /^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/

const IssuerSettings = () =>
  z.strictObject({
    name: z.string().regex(/^[a-z\d-]{1,40}$/, { error: 'Must be 1 to 40 lower-case letters, digits or -.' }),
    issuer: z
      .string()
      .max(500)
      .refine((text) => secure.test(text) && URL.canParse(text), {
        error: 'Must be the URL of the issuer, with https://.',
      }),
    clientId: z.string().min(1).max(500),
    clientSecret: z.string().max(500).optional(),
    button: z.string().min(1).max(100).default('Sign in with your organisation'),
    scope: z.string().max(500).default('openid profile email'),
    signUp: onOff(false),
    join: z.enum(['', 'email']).default(''),
    singleTenant: onOff(false),
    groups: z.string().min(1).max(200).default('groups'),
    roles: mapOf(z.enum(['admin', 'user', 'view-only'])).optional(),
    teams: mapOf(
      z.strictObject({ team: z.uuid(), role: z.enum(['team-manager', 'team-member', 'team-view-only']) }),
    ).optional(),
  })

/** An object whose keys are group names. */
const mapOf = <Value extends z.ZodType>(value: Value) =>
  z
    .record(z.string().max(500), value)
    .refine((map) => Object.keys(map).length <= mostIssuers, { error: `Must have at most ${mostIssuers} groups.` })

/** An OpenID Connect issuer in the operator's settings. See docs/sign-in.md. */
export type Issuer = z.infer<ReturnType<typeof IssuerSettings>>

type IssuerVariables = Pick<Env, Extract<keyof Env, `OIDC_${string}`>>

/** Reads the issuers, in the order of the settings. Throws an error that says which setting is wrong. */
export function configuredIssuers(env: IssuerVariables): readonly Issuer[] {
  const { OIDC_ISSUERS: list, OIDC_ISSUER: only } = env
  if (list === undefined || list === '') return only ? [issuerOf(onlyIssuer(env), 'OIDC_ISSUER')] : []
  const entries = made(List).safeParse(parsed(list, 'OIDC_ISSUERS')).data
  if (!entries) throw new Error(`OIDC_ISSUERS must be a list of at most ${mostIssuers} issuers.`)
  const issuers = entries.map((entry, index) => issuerOf(withSecret(entry, env), `OIDC_ISSUERS, entry ${index + 1}`))
  if (new Set(issuers.map(({ name }) => name)).size < issuers.length)
    throw new Error('OIDC_ISSUERS: two issuers have the same name.')
  return issuers
}

const List = () => z.array(z.record(z.string(), z.unknown())).max(mostIssuers)

/** The single issuer that the variables define. */
const onlyIssuer = (env: IssuerVariables): object => ({
  ...{ name: 'main', issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID, clientSecret: env.OIDC_CLIENT_SECRET },
  ...{ button: env.OIDC_BUTTON, scope: env.OIDC_SCOPE, signUp: env.OIDC_SIGN_UP, join: env.OIDC_JOIN },
  ...{ singleTenant: env.OIDC_SINGLE_TENANT, groups: env.OIDC_GROUPS },
  ...{ roles: env.OIDC_ROLES || undefined, teams: env.OIDC_TEAMS || undefined },
})

/** An entry in a list contains the name of its secret. This function adds the secret itself. */
function withSecret(entry: Readonly<Record<string, unknown>>, env: object): object {
  const { clientSecret: name } = entry
  if (name === undefined) return entry
  const secret = (env as Readonly<Record<string, unknown>>)[String(name)]
  if (typeof secret !== 'string' || secret === '') throw new Error(`OIDC_ISSUERS: there is no secret ${String(name)}.`)
  return { ...entry, clientSecret: secret }
}

function issuerOf(given: object, told: string): Issuer {
  const { roles, teams, ...rest } = given as { readonly roles?: unknown; readonly teams?: unknown }
  const read = made(IssuerSettings).safeParse({
    ...rest,
    ...{ roles: roles && parsed(roles, told), teams: teams && parsed(teams, told) },
  })
  if (read.success) return read.data
  const [{ path, message } = { path: [], message: '' }] = read.error.issues
  throw new Error(`${told}: ${path.join('.')}: ${message}`)
}

/** A variable may contain parsed JSON or JSON text. */
function parsed(value: unknown, told: string): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw new Error(`${told} is not JSON.`)
  }
}

/** Issuers where anybody can have an account, whatever the settings say: Google, and Microsoft for all tenants. */
const ofEverybody =
  /^https:\/\/(accounts\.google\.com|login\.microsoftonline\.com\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad))(\/|$)/

/** Whether only members of one organisation have accounts at the issuer. Its e-mail addresses can then be trusted. */
export const isOfOneTenant = ({ singleTenant, issuer }: Issuer): boolean => singleTenant && !ofEverybody.test(issuer)
