import { weirClient } from '@weir/client'
import { openDemo } from '../parts/demo.ts'
import { keptToken } from '../session/kept-token.ts'

/** The credential that requests use until a key is entered. */
interface Rights {
  /** The website to read; undefined if nothing is open. */
  readonly websiteId: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** A sentence that says where these rights come from. */
  readonly text: string
}

/** The rights of the user who is signed in with this browser, otherwise those of the demo website's share, if any. */
export const givenRights = async (): Promise<Rights> =>
  (await rightsOfSignIn()) ??
  (await rightsOfDemo()) ?? { websiteId: undefined, headers: {}, text: 'Enter a key to read your websites.' }

async function rightsOfSignIn(): Promise<Rights | undefined> {
  const key = keptToken.read()
  if (key === null) return undefined
  try {
    const { data } = await weirClient({ url: location.origin, key }).listWebsites({ includeTeams: 'true', pageSize: 1 })
    const headers = { Authorization: `Bearer ${key}` }
    return { websiteId: data[0]?.id, headers, text: 'You are signed in: requests have your rights.' }
  } catch {
    // The sign-in has ended, or the server does not answer.
    return undefined
  }
}

async function rightsOfDemo(): Promise<Rights | undefined> {
  const demo = await openDemo()
  return (
    demo && {
      websiteId: demo.websiteId,
      headers: { 'X-Weir-Share-Token': demo.token },
      text: 'Requests may read the demo website. For more, sign in or enter a key.',
    }
  )
}
