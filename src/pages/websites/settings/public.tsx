import type { Answer, WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { Ending, withinSeconds } from '../ending.tsx'
import { Form } from '../form.tsx'
import { OpeningFields, openingIn } from '../shares/opening-fields.tsx'
import { limitsOf, namesOf, openSections, type Parameters } from '../shares/sections.ts'
import { useKeptFocus } from '../use-kept-focus.ts'

interface PublicProps {
  readonly client: WeirClient
  readonly website: Answer<'getWebsite'>
  /** Called after the website was changed. */
  readonly changed: () => void
}

/** An expiry that is in the past, even if a clock is wrong. */
const longAgo = new Date(0).toISOString()

/** The parameters of the website's public access, even if it has expired. */
function publicOf({ public: given }: Answer<'getWebsite'>): {
  readonly isOver: boolean
  readonly parameters: Parameters
} {
  const { expiresAt, ...kept } = given ?? {}
  const isOver = typeof expiresAt === 'string' && Date.parse(expiresAt) <= Date.now()
  return { isOver, parameters: isOver ? kept : (given ?? {}) }
}

/** The form for public access to the website, which needs no credential. */
export function Public({ client, website, changed }: PublicProps) {
  const [isChanging, setChanging] = useState(false)
  const root = useKeptFocus<HTMLDivElement>(isChanging)
  const { isOver, parameters } = publicOf(website)
  const open = openSections(parameters, { isWebsite: true })
  const isOpen = open.length > 0 && !isOver
  const store = async (given: Answer<'getWebsite'>['public']) => {
    await client.updateWebsite({ websiteId: website.id, public: given })
    setChanging(false)
    changed()
  }
  return (
    <section class="card part" aria-labelledby="public">
      <h2 id="public">Public access</h2>
      <p class="quiet">
        Pages and programs may then read these numbers without a key or a link. All they need is the id of the website,
        which your pages show anyway.
      </p>
      {!isChanging && (
        <>
          <p>
            {isOpen ? `Everybody may see: ${namesOf(open)}.` : 'This website is private.'} {limitsOf(parameters)}
          </p>
          {isOpen && <Copyable text={`${location.origin}/public/${website.id}`} what="the public link" />}
        </>
      )}
      <div ref={root}>
        {isChanging ? (
          <Form
            act={(given) => store(openingIn(given, parameters))}
            button={isOpen ? 'Save' : 'Make public'}
            cancel={() => setChanging(false)}
          >
            <OpeningFields open={open.length > 0 ? open : ['overview']} parameters={parameters} />
          </Form>
        ) : (
          <p class="buttons">
            <button type="button" class="control" onClick={() => setChanging(true)}>
              {isOpen ? 'Edit' : 'Make public…'}
            </button>
            {isOpen && (
              <Ending
                verb="Make private"
                what="this website"
                warning={`It is private ${withinSeconds}. Your choices are kept for another time.`}
                end={() => store({ ...parameters, expiresAt: longAgo })}
              />
            )}
          </p>
        )}
      </div>
    </section>
  )
}
