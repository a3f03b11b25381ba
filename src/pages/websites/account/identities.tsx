import { useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import { leaveFor } from '../../session/issuers.ts'
import type { Session } from '../../session/session.ts'
import { Ending } from '../ending.tsx'
import { useAction } from '../use-action.ts'

/** The issuers with which the user may also sign in. Renders nothing if there are none. */
export function Identities({ session: { client, user } }: { readonly session: Session }) {
  const config = useAsked('', (signal) => client.getConfig({}, { signal }))
  const own = useAsked('', (signal) => client.getUserIdentities({ userId: user.id }, { signal }))
  const { refusal, start } = useAction(async (issuer: string) =>
    leaveFor((await client.joinMyIdentity({ issuer })).url),
  )
  const remove = async (identityId: string) => {
    await client.deleteUserIdentity({ userId: user.id, identityId })
    own.again()
  }
  if (config.error === undefined && !config.value?.issuers.length) return null
  return (
    <section class="card part" aria-labelledby="identities">
      <h2 id="identities">Sign-in elsewhere</h2>
      {[config, own].map(
        ({ error, again }, place) => error !== undefined && <Failed key={place} error={error} again={again} />,
      )}
      <ul class="items">
        {own.value?.map(({ id, issuer, subject }) => (
          <li key={id} class="item">
            <h3>{new URL(issuer).host}</h3>
            <p class="quiet">
              <bdi>{subject}</bdi>
            </p>
            <p class="buttons">
              <Ending
                verb="Remove"
                what={issuer}
                warning="You can no longer sign in with this account."
                end={() => remove(id)}
              />
            </p>
          </li>
        ))}
      </ul>
      <p class="message" role="alert">
        {refusal}
      </p>
      <p class="buttons">
        {config.value?.issuers.map(({ name, button }) => (
          <button key={name} type="button" class="control" onClick={() => start(name)}>
            Join: {button}
          </button>
        ))}
      </p>
    </section>
  )
}
