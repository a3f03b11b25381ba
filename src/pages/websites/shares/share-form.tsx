import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { framesOf, OpeningFields, openingIn } from './opening-fields.tsx'
import type { Parameters, Section } from './sections.ts'

interface ShareFormProps {
  /** The current name and sections of the share. */
  readonly name: string
  readonly open: readonly Section[]
  readonly parameters: Parameters
  readonly button: string
  readonly save: (name: string, parameters: Parameters) => Promise<unknown>
  readonly cancel: () => void
}

/** Creates a share, or changes one. */
export const ShareForm = ({ name, open, parameters, button, save, cancel }: ShareFormProps) => (
  <Form act={(given) => save(String(given.get('name')), openingIn(given, parameters))} {...{ button, cancel }}>
    <Field
      {...{ label: 'Name', name: 'name', required: true, maxLength: 200, defaultValue: name }}
      hint="For yourself: readers do not see it."
    />
    <OpeningFields open={open} parameters={parameters} />
    <label class="field">
      May be embedded by
      <textarea
        name="frameAncestors"
        rows={2}
        placeholder="https://blog.example"
        defaultValue={framesOf(parameters).join('\n')}
        spellcheck={false}
      />
      <small class="quiet">Websites that may show it in a frame: one origin per line. If empty, none may.</small>
    </label>
  </Form>
)
