import { type Demo, shownPeriod } from '../parts/demo.ts'

/** A request that anybody may send, and its current answer. */
export interface Asked {
  readonly about: string
  readonly url: string
  readonly answer: string
}

/**
 * Requests the figures of the demo website or, without a demo website, the health of the server. Throws unless the
 * answer has status 200.
 */
export async function askedOf(demo: Demo | undefined): Promise<Asked> {
  const url = `${location.origin}${demo ? pathOf(demo) : '/health'}`
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The answer has status ${response.status}.`)
  return {
    about: demo ? 'The last 30 days, and the 30 days before:' : 'This needs no key:',
    url,
    answer: JSON.stringify(await response.json(), null, 2),
  }
}

const pathOf = ({ websiteId, slug }: Demo): string =>
  `/api/websites/${websiteId}/stats?${new URLSearchParams({ share: slug, period: shownPeriod })}`
