import type { Answer, WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { Ending, withinSeconds } from '../ending.tsx'
import { OpeningFields, openingIn } from '../shares/opening-fields.tsx'
import { allSections, limitsOf, namesOf, openSections, type Parameters } from '../shares/sections.ts'
import { useAction } from '../use-action.ts'

interface PublicProps {
  readonly client: WeirClient
  readonly website: Answer<'getWebsite'>
  /** The website is another one now. */
  readonly changed: () => void
}

/** An end that lies in the past by every clock. */
const longAgo = new Date(0).toISOString()

/** What the website opens, or opened before its end. */
function publicOf({ public: given }: Answer<'getWebsite'>): {
  readonly isOver: boolean
  readonly parameters: Parameters
} {
  const { expiresAt, ...kept } = given ?? {}
  const isOver = typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now()
  return { isOver, parameters: isOver ? kept : (given ?? {}) }
}

/** Whether everybody may read the website without a credential, and what of it. */
export function Public({ client, website, changed }: PublicProps) {
  const [isChanging, setChanging] = useState(false)
  const [isNothing, setNothing] = useState(false)
  const { isOver, parameters } = publicOf(website)
  const open = openSections(parameters, { isWebsite: true })
  const isOpen = open.length > 0 && !isOver
  const store = async (given: Answer<'getWebsite'>['public']) => {
    await client.updateWebsite({ websiteId: website.id, public: given })
    setChanging(false)
    changed()
  }
  const { isUnderWay, refusal, start } = useAction(store)
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = openingIn(event.currentTarget as HTMLFormElement, parameters)
    const opensNothing = allSections.every((section) => chosen[section] !== true)
    setNothing(opensNothing)
    if (!opensNothing) void start(chosen)
  }
  return (
    <section class="card part" aria-labelledby="public">
      <h2 id="public">Open to everybody</h2>
      <p class="quiet">
        Pages and programs may then read these numbers without a key or a link. All they need is the id of the website,
        which your pages show anyway.
      </p>
      {isChanging ? (
        <form class="opening" onSubmit={send}>
          <OpeningFields open={open.length > 0 ? open : ['overview']} parameters={parameters} />
          <p class="message" role="alert">
            {isNothing ? 'Choose at least one thing that everybody may see.' : refusal}
          </p>
          <p class="buttons">
            <button type="submit" class="control is-main" aria-busy={isUnderWay}>
              Open to everybody
            </button>
            <button type="button" class="control" onClick={() => setChanging(false)}>
              Cancel
            </button>
          </p>
        </form>
      ) : (
        <>
          <p>
            {isOpen ? `Everybody may see: ${namesOf(open)}.` : 'It is closed.'} {limitsOf(parameters)}
          </p>
          {isOpen && <Copyable text={`${location.origin}/public/${website.id}`} what="the public link" />}
          <p class="buttons">
            <button type="button" class="control" onClick={() => setChanging(true)}>
              {isOpen ? 'Change' : 'Open…'}
            </button>
            {isOpen && (
              <Ending
                what="that everybody may see it"
                warning={`It is closed ${withinSeconds}. What you chose is kept for another time.`}
                end={() => store({ ...parameters, expiresAt: longAgo })}
              />
            )}
          </p>
        </>
      )}
    </section>
  )
}
