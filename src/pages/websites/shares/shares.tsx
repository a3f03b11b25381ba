import type { WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { isRefusal } from '../../parts/polling.ts'
import { type Asked, useAsked } from '../../parts/use-asked.ts'
import { reasonOf } from '../../session/reason.ts'
import { useKeptFocus } from '../use-kept-focus.ts'
import type { Parameters } from './sections.ts'
import { ShareForm } from './share-form.tsx'
import { type Share, ShareItem } from './share-item.tsx'

interface SharesProps {
  readonly client: WeirClient
  readonly kind: 'website' | 'board'
  readonly id: string
}

type ShareList = Asked<{ readonly data: Share[]; readonly count: number }>

/** The maximum number of shares shown. */
const pageSize = 100

/**
 * The shares of a website or a board: view, create, change and delete. For a website, this includes board shares that
 * open it.
 */
export const Shares = (props: SharesProps) => <SharesOf {...props} list={useShares(props)} />

export function useShares({ client, kind, id }: SharesProps): ShareList {
  return useAsked(id, (signal): Promise<{ data: Share[]; count: number }> => {
    const how = { pageSize, orderBy: 'createdAt', sortDescending: 'true' } as const
    return kind === 'website'
      ? client.getWebsiteShares({ websiteId: id, ...how }, { signal })
      : client.getBoardShares({ boardId: id, ...how }, { signal })
  })
}

/** The same, for a list that the page has already requested. */
export function SharesOf({ client, kind, id, list }: SharesProps & { readonly list: ShareList }) {
  const [isMaking, setMaking] = useState(false)
  const root = useKeptFocus<HTMLDivElement>(isMaking)
  const make = async (name: string, parameters: Parameters) => {
    if (kind === 'website') await client.createWebsiteShare({ websiteId: id, name, parameters })
    else await client.createBoardShare({ boardId: id, name, parameters })
    setMaking(false)
    list.again()
  }
  return (
    <>
      {list.error !== undefined && (
        <p class="message">{isRefusal(list.error) ? 'You may not share this.' : reasonOf(list.error)}</p>
      )}
      {list.value?.count === 0 && !isMaking && <p class="quiet">Nobody else can see these numbers yet.</p>}
      <ul class="items">
        {list.value?.data.map((share) => (
          <ShareItem key={share.id} share={share} client={client} changed={list.again} />
        ))}
      </ul>
      {list.value && list.value.count > pageSize && (
        <p class="quiet">
          These are the newest {pageSize} of {list.value.count}.
        </p>
      )}
      <div ref={root}>
        {isMaking ? (
          <ShareForm
            {...{ name: 'For everybody with the link', open: ['overview'], parameters: {} }}
            button="Create"
            save={make}
            cancel={() => setMaking(false)}
          />
        ) : (
          list.value && (
            <p>
              <button type="button" class="control is-main" onClick={() => setMaking(true)}>
                New share link
              </button>
            </p>
          )
        )}
      </div>
    </>
  )
}
