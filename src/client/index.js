import { operations } from './operations.js'

const json = 'application/json'

export class WeirError extends Error {
  name = 'WeirError'

  constructor(message, { status, code, requestId, issues = [], retryAfter, cause }) {
    super(message, { cause })
    Object.assign(this, { status, code, requestId, issues, retryAfter })
  }
}

/** The error in an answer. A proxy in front of Weir may answer anything. */
async function errorOf(response) {
  const { status, headers } = response
  const { error } = await response.json().catch(() => ({}))
  // A proxy may send a date instead.
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new WeirError(error?.message ?? `The answer has status ${status}.`, {
    status,
    code: error?.code ?? 'unknown',
    requestId: error?.requestId ?? headers.get('x-request-id') ?? undefined,
    issues: error?.issues,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  })
}

/** Splits the input into the path, the query string and the body. */
function requestOf(id, given, share) {
  const [method, template] = operations[id].split(' ')
  const [path, inQuery] = template.split('?')
  const rest = new Map(Object.entries(given).filter(([, value]) => value !== undefined))
  const take = (name) => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = take(name)
    if (typeof value !== 'string' || value === '') throw new TypeError(`${id} needs ${name}, a text.`)
    return encodeURIComponent(value)
  })
  const hasBody = method === 'POST' || method === 'PUT'
  const names = hasBody ? (inQuery?.split('&') ?? []) : [...rest.keys()]
  const query = new URLSearchParams()
  for (const name of names) {
    for (const value of [take(name) ?? []].flat()) {
      query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    }
  }
  if (share !== undefined) query.append('share', share)
  const body = hasBody ? JSON.stringify(Object.fromEntries(rest)) : undefined
  return { method, path: `${filled}${query.size > 0 ? `?${query}` : ''}`, body }
}

export function weirClient({
  url,
  key,
  shareToken,
  share,
  headers,
  timeout: usual = 30_000,
  fetch = globalThis.fetch,
}) {
  const credentials = {
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(shareToken && { 'x-weir-share-token': shareToken }),
  }

  async function call(id, input = {}, { accept = json, signal, timeout = usual } = {}) {
    const named = accept === json ? share : undefined
    const { method, path, body } = requestOf(id, input, named)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeout)
    let response
    try {
      response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
        method,
        headers: {
          ...(named === undefined && credentials),
          Accept: accept,
          ...(body && { 'Content-Type': json }),
          ...headers,
        },
        ...(body && { body }),
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      })
      if (!response.ok) throw await errorOf(response)
      // A stream has no time limit.
      return accept === json ? await response.json() : response
    } catch (cause) {
      if (cause instanceof WeirError || signal?.aborted) throw cause
      throw late.signal.aborted
        ? new WeirError(`There was no answer within ${timeout} ms.`, { code: 'timeout', cause })
        : new WeirError(response ? 'The answer is not JSON, or broke off.' : `There was no answer: ${cause.message}.`, {
            status: response?.status,
            code: response ? 'unknown' : 'unreachable',
            cause,
          })
    } finally {
      clearTimeout(timer)
    }
  }

  return Object.fromEntries(Object.keys(operations).map((id) => [id, (input, options) => call(id, input, options)]))
}
