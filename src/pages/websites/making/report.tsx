import { useState } from 'preact/hooks'
import { useBoard } from '../../dashboard/cards/context.ts'
import type { SavedReport } from '../../dashboard/cards/making.ts'
import { reasonOf } from '../../session/reason.ts'
import { Ending } from '../ending.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { Opener } from './opener.tsx'
import { type Step, Steps } from './steps.tsx'
import { useResults } from './use-results.ts'

interface ReportProps {
  readonly type: 'goal' | 'funnel'
  readonly saved?: SavedReport | undefined
}

/** Creates a goal or a funnel, or changes a saved one. */
export const Report = ({ type, saved }: ReportProps) => (
  <Opener text={saved ? `Edit ${saved.name}` : `New ${type}`} icon={saved ? 'edit' : 'plus'} isBrief={!!saved}>
    {(close) => <ReportForm {...{ type, saved, close }} />}
  </Opener>
)

const nothing: Step = { type: 'path', value: '' }

/** A goal has one step. */
function stepsOf({ type, saved }: ReportProps): readonly Step[] {
  if (!saved) return type === 'goal' ? [nothing] : [nothing, nothing]
  const { steps, type: kind, value } = saved.parameters as unknown as Step & { readonly steps: Step[] | string }
  if (type === 'goal') return [{ type: kind, value }]
  return typeof steps === 'string' ? JSON.parse(steps) : steps
}

/** A default name: `Visit /pricing`, `/cart → purchase`. */
function proposedName(steps: readonly Step[]): string {
  const [first, last] = [steps[0]!, steps.at(-1)!]
  if (first.value === '' || last.value === '') return ''
  const name = steps.length > 1 ? `${first.value} → ${last.value}` : first.value
  return (steps.length > 1 || first.type === 'event' ? name : `Visit ${name}`).slice(0, 200)
}

function ReportForm({ type, saved, close }: ReportProps & { readonly close: () => void }) {
  const { data, input, address, go, changed } = useBoard()
  const { client } = data
  const [steps, setSteps] = useState(() => stepsOf({ type, saved }))
  const [minutes, setMinutes] = useState(String(saved?.parameters.window ?? 60))
  const results = useResults(type, steps, Number(minutes))
  const done = () => {
    changed()
    close()
  }
  const save = async (given: FormData) => {
    const body = {
      ...{ websiteId: input.websiteId, type, description: saved?.description ?? '' },
      name: String(given.get('name')).trim() || proposedName(steps),
      parameters: { ...saved?.parameters, ...(type === 'goal' ? steps[0] : { steps, window: Number(minutes) }) },
    }
    const { id } = await (saved ? client.updateReport({ ...body, reportId: saved.id }) : client.createReport(body))
    if (type === 'funnel') go({ tabs: { ...address.tabs, funnel: id } })
    done()
  }
  return (
    <>
      <Form act={save} button={saved ? 'Save' : 'Create'} cancel={close}>
        <p>{type === 'goal' ? 'What should visitors do?' : 'What do visitors do, one after the other?'}</p>
        <Steps steps={steps} change={setSteps} results={results} />
        {results.error !== undefined && <p role="status">{reasonOf(results.error)}</p>}
        {type === 'funnel' && (
          <Field
            {...{ label: 'Maximum time between two steps, in minutes', type: 'number', required: true }}
            {...{ min: 0.1, max: 525_600, step: 'any', value: minutes }}
            onInput={({ currentTarget }) => setMinutes(currentTarget.value)}
          />
        )}
        <Field label="Name" name="name" maxLength={200} placeholder={proposedName(steps)} defaultValue={saved?.name} />
      </Form>
      {saved && (
        <p class="making-end">
          <Ending
            {...{ verb: 'Delete', what: saved.name, warning: 'Its numbers come back if you create it again.' }}
            end={() => client.deleteReport({ reportId: saved.id }).then(done)}
          />
        </p>
      )}
    </>
  )
}
