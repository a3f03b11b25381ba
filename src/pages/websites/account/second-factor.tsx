import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import type { Session } from '../../session/session.ts'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { useAction } from '../use-action.ts'

type Client = Session['client']

/** The user's second factor: set it up, or switch it off. */
export function SecondFactor({ client }: { readonly client: Client }) {
  const { value, error, again } = useAsked('', (signal) => client.getTwoFactorStatus({}, { signal }))
  const [codes, setCodes] = useState<readonly string[]>([])
  const keep = (backupCodes: readonly string[]) => {
    setCodes(backupCodes)
    again()
  }
  return (
    <section class="card part second-factor" aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      {error !== undefined && <Failed error={error} again={again} />}
      {codes.length > 0 && <BackupCodes codes={codes} isKept={() => setCodes([])} />}
      {value?.isEnabled && <On client={client} changed={again} />}
      {value && !value.isEnabled && codes.length === 0 && <Off {...{ client, keep }} status={value} />}
    </section>
  )
}

interface OffProps {
  readonly client: Client
  readonly status: Answer<'getTwoFactorStatus'>
  /** Called with the backup codes once the second factor is on. */
  readonly keep: (backupCodes: readonly string[]) => void
}

function Off({ client, status: { isConfigured, isRequired }, keep }: OffProps) {
  const [key, setKey] = useState<Answer<'initiateTwoFactorSetup'> | undefined>(undefined)
  const { isUnderWay, refusal, start } = useAction(async () => setKey(await client.initiateTwoFactorSetup()))
  const cancel = async () => {
    setKey(undefined)
    await client.cancelTwoFactorSetup()
  }
  const confirm = async (given: FormData) =>
    keep((await client.confirmTwoFactorSetup({ token: String(given.get('code')) })).backupCodes)
  if (!isConfigured) return <p class="quiet">This server has no secret for second factors.</p>
  if (key) return <SetUp answer={key} confirm={confirm} cancel={cancel} />
  return (
    <>
      <p class={isRequired ? 'made' : 'quiet'}>
        {isRequired && 'You must have a second factor before you can see anything. '}
        An app on your phone generates a new code every 30 seconds. Each sign-in with your password then asks for one.
      </p>
      <p class="message" role="alert">
        {refusal}
      </p>
      <p>
        <button type="button" class="control is-main" aria-busy={isUnderWay} onClick={() => start()}>
          Set up
        </button>
      </p>
    </>
  )
}

interface SetUpProps {
  readonly answer: Answer<'initiateTwoFactorSetup'>
  readonly confirm: (given: FormData) => Promise<unknown>
  readonly cancel: () => Promise<unknown>
}

const SetUp = ({ answer: { qrCodeDataUrl, manualKey }, confirm, cancel }: SetUpProps) => (
  <>
    <p>Scan this with your app for codes, or type the key. Then enter the code that it shows.</p>
    <img class="qr-code" src={qrCodeDataUrl} alt="The key as a QR code" />
    <Copyable text={manualKey} what="the key" />
    <Form act={confirm} button="Switch on" cancel={() => void cancel()}>
      <CodeField />
    </Form>
  </>
)

const CodeField = () => (
  <Field label="Code" name="code" autocomplete="one-time-code" inputMode="numeric" required maxLength={64} isExact />
)

function On({ client, changed }: { readonly client: Client; readonly changed: () => void }) {
  const disable = async (given: FormData) => {
    const [password, token] = ['own', 'code'].map((name) => String(given.get(name)))
    await client.disableTwoFactor({ password: password!, token: token! })
    changed()
  }
  return (
    <>
      <p>
        <span class="mark-of">On</span>
      </p>
      <p class="quiet">To use another phone, switch this off, then set it up again. A backup code works, too.</p>
      <Form act={disable} button="Switch off" isGrave>
        <Field
          {...{ label: 'Your password', name: 'own', type: 'password', autocomplete: 'current-password' }}
          {...{ required: true, maxLength: 256 }}
        />
        <CodeField />
      </Form>
    </>
  )
}

interface BackupCodesProps {
  readonly codes: readonly string[]
  readonly isKept: () => void
}

/** The backup codes, for printing. They are shown only once. */
const BackupCodes = ({ codes, isKept }: BackupCodesProps) => (
  <div class="made backup-codes">
    <p role="status">
      Your second factor is on. Keep these backup codes where you will find them without your phone. Each signs you in
      once. They are not shown again.
    </p>
    <Copyable text={codes.join('\n')} what="the backup codes" />
    <p class="buttons">
      <button type="button" class="control" onClick={() => print()}>
        Print
      </button>
      <button type="button" class="control is-main" onClick={isKept}>
        I have kept them
      </button>
    </p>
  </div>
)
