import { dayOf } from '../../../request/time-zone.ts'
import type { Period } from '../../dashboard/address/period.ts'
import { useBoard } from '../../dashboard/cards/context.ts'
import type { Note } from '../../dashboard/chart/notes.ts'
import { formatDays } from '../../dashboard/format/moments.ts'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { Item } from './item.tsx'
import { Opener } from './opener.tsx'

interface NotesProps {
  /** The notes of the period. */
  readonly notes: readonly Note[]
  readonly period: Period
}

/** Creates notes on the chart, and lists the period's notes. */
export const Notes = (props: NotesProps) => (
  <Opener text="Notes" title="Notes on the chart" icon="note">
    {() => <AllNotes {...props} />}
  </Opener>
)

function AllNotes({ notes, period: { from, to, zone } }: NotesProps) {
  const { data, input, changed } = useBoard()
  const today = dayOf(Date.now(), zone)
  return (
    <>
      <NoteForm day={today < to ? today : to} button="Add note" />
      <h3>{formatDays(from, to)}</h3>
      {notes.length === 0 && <p class="quiet">No notes on these days.</p>}
      <ul class="items">
        {notes.map((note) => (
          <Item
            key={note.id}
            {...{ name: note.note, edit: 'Edit', warning: 'Nobody will see it any more.' }}
            form={(stop) => <NoteForm note={note} day={note.day} button="Save" stop={stop} />}
            end={async () => {
              await data.client.deleteWebsiteAnnotation({ websiteId: input.websiteId, annotationId: note.id })
              changed()
            }}
          >
            <p>
              <span class="quiet">{formatDays(note.day, note.day)}</span> <bdi>{note.note}</bdi>
            </p>
          </Item>
        ))}
      </ul>
    </>
  )
}

interface NoteFormProps {
  /** Undefined for a new note. */
  readonly note?: Note
  readonly day: string
  readonly button: string
  /** Stops editing an existing note. */
  readonly stop?: () => void
}

function NoteForm({ note, day, button, stop }: NoteFormProps) {
  const { data, input, changed } = useBoard()
  const save = async (given: FormData, form: HTMLFormElement) => {
    const date = String(given.get('date'))
    // A note keeps its time of day unless its date is changed.
    const when = note && date === day ? { date: note.date, allDay: note.allDay } : { date, allDay: true }
    const body = { ...when, websiteId: input.websiteId, note: String(given.get('note')) }
    if (note) await data.client.updateWebsiteAnnotation({ ...body, annotationId: note.id })
    else await data.client.createWebsiteAnnotation(body)
    changed()
    form.reset()
    stop?.()
  }
  return (
    <Form act={save} button={button} cancel={stop}>
      <Field label="Day" type="date" name="date" required defaultValue={day} />
      <Field label="Note" name="note" required maxLength={500} defaultValue={note?.note} autofocus />
    </Form>
  )
}
