import { useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import type { Session } from '../../session/session.ts'
import { Ending } from '../ending.tsx'

/** Whether everybody must have a second factor. */
export function SecondFactors({ client }: Pick<Session, 'client'>) {
  const { value, error, again } = useAsked('', (signal) => client.getTwoFactorStatus({}, { signal }))
  const require = async (required: boolean) => {
    await client.requireTwoFactor({ required })
    again()
  }
  return (
    <section class="card part" aria-labelledby="second-factors">
      <h2 id="second-factors">Second factors</h2>
      <p class="quiet">Without a required second factor, users see nothing. Their API keys keep working.</p>
      {error !== undefined && <Failed error={error} again={again} />}
      {value && (
        <p class="buttons">
          {value.globalRequired && <MustHaveOne whose="Everybody" />}
          <SecondFactorRule isRequired={value.globalRequired} whom="everybody" require={require} />
        </p>
      )}
    </section>
  )
}

/** States who must have a second factor. */
export const MustHaveOne = ({ whose }: { readonly whose: string }) => (
  <span class="mark-of">{whose} must have a second factor</span>
)

interface SecondFactorRuleProps {
  readonly isRequired: boolean
  readonly whom: string
  readonly require: (required: boolean) => Promise<unknown>
}

/** A button that makes a second factor required, or optional again. */
export const SecondFactorRule = ({ isRequired, whom, require }: SecondFactorRuleProps) => (
  <Ending
    verb={isRequired ? 'No longer require second factor' : 'Require second factor'}
    what={`of ${whom}`}
    warning={isRequired ? 'A password alone is enough.' : 'Users without one see nothing until they set one up.'}
    end={() => require(!isRequired)}
    stays
  />
)
