import type { AuthorizationServer, ClientAuth, CustomFetchOptions, IDToken, UserInfoResponse } from 'oauth4webapi'
import { memo } from '../metadata/memo.ts'
import type { Issuer } from './issuers.ts'

/** The data that a browser stores while it visits an issuer. */
interface Departure {
  /** The issuer's name. */
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The claims that an issuer makes about a person. */
export type IssuerClaims = IDToken & Partial<UserInfoResponse>

/**
 * Imported here, because few isolates handle a sign-in at an issuer, and the import would slow down the start of every
 * isolate.
 */
const library = () => import('./oauth.ts')

/** The timeout for an issuer's response, in milliseconds, and the maximum size of the response, in bytes. */
const issuerPatience = 10_000
const mostBytes = 1_000_000

/** `fetch` with the two limits above. */
async function boundedFetch(url: string, options: CustomFetchOptions<string, unknown>): Promise<Response> {
  const response = await fetch(url, { ...(options as RequestInit), signal: AbortSignal.timeout(issuerPatience) })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > mostBytes) throw new Error(`${url} answered with more than ${mostBytes} bytes.`)
    parts.push(value)
  }
  return new Response(parts.length > 0 ? new Blob(parts) : null, response)
}

/** The settings allow plain HTTP only for an issuer on the same machine. */
async function optionsFor({ issuer }: Issuer) {
  const { customFetch, allowInsecureRequests } = await library()
  return { [customFetch]: boundedFetch, [allowInsecureRequests]: issuer.startsWith('http:') }
}

/** Issuer metadata by URL, cached for an hour. */
const servers = memo<AuthorizationServer>(100)
const serverLasts = 3_600_000

/** The metadata that the issuer publishes. Throws if the response is not valid. */
async function serverOf(issuer: Issuer, now: number): Promise<AuthorizationServer> {
  const known = servers.get(issuer.issuer, now)
  if (known) return known
  const { discoveryRequest, processDiscoveryResponse } = await library()
  const url = new URL(issuer.issuer)
  const keep = servers.keeper()
  const server = await processDiscoveryResponse(url, await discoveryRequest(url, await optionsFor(issuer)))
  keep(issuer.issuer, server, now + serverLasts)
  return server
}

/** One of the issuer's URLs that browsers visit. */
async function addressOf(issuer: Issuer, address: string | undefined): Promise<URL> {
  const { checkProtocol } = await library()
  const url = new URL(address ?? '')
  checkProtocol(url, !issuer.issuer.startsWith('http:'))
  return url
}

/**
 * The URL where a browser signs in at the issuer, and the data that it must store until it returns to `redirectUri`.
 */
export async function depart(
  issuer: Issuer,
  redirectUri: string,
  now: number,
): Promise<{ readonly url: string; readonly departure: Departure }> {
  const oauth = await library()
  const { authorization_endpoint } = await serverOf(issuer, now)
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const verifier = oauth.generateRandomCodeVerifier()
  const url = await addressOf(issuer, authorization_endpoint)
  const parameters = {
    ...{ response_type: 'code', client_id: issuer.clientId, redirect_uri: redirectUri, scope: issuer.scope },
    ...{ state, nonce, code_challenge_method: 'S256' },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, departure: { issuer: issuer.name, state, nonce, verifier } }
}

/**
 * How Weir authenticates to the issuer: with the standard's preferred method, unless the issuer supports only other
 * methods.
 */
async function authenticationOf({ clientSecret }: Issuer, server: AuthorizationServer): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await library()
  if (!clientSecret) return None()
  const methods = server.token_endpoint_auth_methods_supported
  return !methods || methods.includes('client_secret_basic')
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret)
}

/**
 * Returns the issuer's claims about the person who came back with this URL. Throws if anything in the URL or the claims
 * is invalid.
 */
export async function arrive(
  issuer: Issuer,
  returned: URL,
  { state, nonce, verifier }: Departure,
  redirectUri: string,
  now: number,
): Promise<IssuerClaims> {
  const oauth = await library()
  const [server, options] = [await serverOf(issuer, now), await optionsFor(issuer)]
  const client = { client_id: issuer.clientId }
  const parameters = oauth.validateAuthResponse(server, client, returned, state)
  const authentication = await authenticationOf(issuer, server)
  const answer = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      options,
    ),
    { expectedNonce: nonce, requireIdToken: true },
  )
  const token = oauth.getValidatedIdTokenClaims(answer)!
  if (!server.userinfo_endpoint) return token
  // Some issuers return groups and e-mail addresses only from this endpoint.
  const asked = await oauth.userInfoRequest(server, client, answer.access_token, options)
  return { ...(await oauth.processUserInfoResponse(server, client, token.sub, asked)), ...token }
}

/** The URL where a browser signs out of the issuer; undefined if the issuer has no such page. */
export async function signOutAt(issuer: Issuer, returnTo: string, now: number): Promise<string | undefined> {
  const { end_session_endpoint } = await serverOf(issuer, now)
  if (!end_session_endpoint) return undefined
  const url = await addressOf(issuer, end_session_endpoint)
  url.searchParams.set('client_id', issuer.clientId)
  url.searchParams.set('post_logout_redirect_uri', returnTo)
  return url.href
}

/** The groups in a claim, which may be a string or a list of strings. */
export const groupsIn = (claims: IssuerClaims, { groups }: Issuer): ReadonlySet<string> =>
  new Set([claims[groups]].flat().filter((group) => typeof group === 'string'))
