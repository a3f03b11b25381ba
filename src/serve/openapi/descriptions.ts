import { isToWebsite } from '../../access/permit.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { isAskedByBody } from '../../endpoints/facts.ts'

/** The description of an operation, derived from its declaration. It follows the summary. */
export const descriptionOf = (endpoint: Endpoint): string => [admission(endpoint), ...readingOf(endpoint)].join('\n\n')

/** A sentence that says who may call the endpoint. */
function admission({ access }: Endpoint): string {
  if (isToWebsite(access)) {
    const own = `Needs a credential with the right to ${access.right} the ${access.to}.`
    const { sections = [] } = access
    if (sections.length === 0) return own
    const others = access.to === 'website' ? 'A share or a public website gives access' : 'A share gives access'
    return `${own} ${others} too, if one of these sections is open: ${sections.join(', ')}.`
  }
  if (access.to === 'team') return `Needs a credential with the right to ${access.right} the team.`
  return {
    anyone: 'Needs no credential.',
    holder: 'Needs any credential, such as a share token.',
    known: 'Needs an API key or a sign-in.',
    account: 'Needs a sign-in, or an API key that is not limited to certain websites.',
    person: 'Needs a sign-in. API keys are refused.',
    self: 'Needs the sign-in of the user in the path, or of an admin.',
    admin: 'Needs an admin’s sign-in, or the operator’s key.',
  }[access.to]
}

/** The ways to read the answer: cached, live, exported or in a batch. */
function readingOf(endpoint: Endpoint): string[] {
  const { kind, method, path } = endpoint
  const batch = method === 'get' && path.startsWith('/api/') ? ['A batch (`POST /api/read`) may contain it.'] : []
  if (kind === 'action') return batch
  const { example, lifetime, isLive, showsSessionProperties } = endpoint
  return [
    ...(showsSessionProperties ? [closedProperties] : []),
    ...(isAskedByBody(endpoint) ? ['It changes nothing, so a key that may only read may send it.'] : []),
    ...(lifetime === undefined ? [] : [`An answer is cached for at most ${lifetime} seconds.`]),
    ...(isLive ? ['With `Accept: text/event-stream`, the server sends the answer again whenever it changes.'] : []),
    ...(endpoint.export ? ['`Accept` may request the whole list as NDJSON, CSV or Parquet.'] : []),
    ...batch,
    ...(method === 'get' ? [`The example is the answer to \`?${new URLSearchParams(example.query)}\`.`] : []),
  ]
}

const closedProperties =
  'Through a share or a public website without `allowSessionProperties: true`, the answer is that of a website ' +
  'without session properties.'
