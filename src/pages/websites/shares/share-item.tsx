import type { Answer, WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { shareSnippets } from '../../snippets.ts'
import { Ending, withinSeconds } from '../ending.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import { framesOf } from './opening-fields.tsx'
import { limitsOf, namesOf, openSections, type Parameters } from './sections.ts'
import { ShareForm } from './share-form.tsx'

export type Share = Answer<'getWebsiteShares'>['data'][number]

/** The share types, by their numbers in the API. */
const [ofWebsite, ofBoard] = [1, 4]

interface ShareItemProps {
  readonly share: Share
  readonly client: WeirClient
  /** Called after the share was changed or deleted. */
  readonly changed: () => void
}

/** A share: its link, its sections, and a button to delete it. */
export function ShareItem({ share, client, changed }: ShareItemProps) {
  const [isChanging, setChanging] = useState(false)
  const root = useKeptFocus<HTMLDivElement>(isChanging)
  const { id, name, slug, parameters, shareType, boardId } = share
  const open = openSections(parameters, { isWebsite: shareType === ofWebsite })
  const save = async (newName: string, given: Parameters) => {
    await client.updateShare({ shareId: id, name: newName, slug, parameters: given })
    setChanging(false)
    changed()
  }
  const end = async () => {
    await client.deleteShare({ shareId: id })
    changed()
  }
  return (
    <li class="item">
      <h3>
        <bdi>{name}</bdi> {boardId !== undefined && <span class="mark-of">of a board</span>}
      </h3>
      {!isChanging && (
        <>
          {slug === '' ? (
            <p class="quiet">The board is not yours, so its link is not shown. You may delete the share.</p>
          ) : (
            <Copyable text={`${location.origin}/share/${slug}`} what={`the link ${name}`} />
          )}
          <p class="quiet">
            {open.length === 0 ? 'Shows nothing.' : `Shows: ${namesOf(open)}.`} {limitsOf(parameters)}
          </p>
          {slug !== '' && (
            <Snippets
              {...{ slug, name, parameters }}
              // An image request from another page sends no origin, so a share that is limited to origins has no badge.
              hasBadge={shareType !== ofBoard && open.includes('overview') && parameters.origins === undefined}
            />
          )}
        </>
      )}
      <div ref={root}>
        {isChanging ? (
          <ShareForm {...{ name, open, parameters, save }} button="Save" cancel={() => setChanging(false)} />
        ) : (
          <p class="buttons">
            {slug !== '' && (
              <>
                <a class="control" href={`/share/${slug}`}>
                  Open<span class="unseen"> {name}</span>
                </a>
                <button type="button" class="control" onClick={() => setChanging(true)}>
                  Edit<span class="unseen"> {name}</span>
                </button>
              </>
            )}
            <Ending verb="Delete" what={name} warning={`Its link stops working ${withinSeconds}.`} end={end} />
          </p>
        )}
      </div>
    </li>
  )
}

interface SnippetsProps {
  readonly slug: string
  readonly name: string
  readonly parameters: Parameters
  readonly hasBadge: boolean
}

/** HTML to paste into other pages: a frame with the share's page, and a badge. */
function Snippets({ slug, name, parameters, hasBadge }: SnippetsProps) {
  const { embed, badge } = shareSnippets({ origin: location.origin, slug })
  return (
    <details>
      <summary>
        Embed<span class="unseen">, of {name}</span>
      </summary>
      {hasBadge && <Copyable text={badge} what={`the badge of ${name}`} />}
      {framesOf(parameters).length > 0 ? (
        <Copyable text={embed} what={`the frame of ${name}`} />
      ) : (
        <p class="quiet">To show it in a frame on another page, choose Edit and list who may embed it.</p>
      )}
    </details>
  )
}
