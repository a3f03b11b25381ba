import type { Answer, WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { recorderSettings } from '../../../request/recorder-settings.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Check } from '../check.tsx'
import { Choice } from '../choice.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'

interface RecorderProps {
  readonly client: WeirClient
  readonly website: Answer<'getWebsite'>
  /** Called after the website was changed. */
  readonly changed: () => void
}

type Settings = NonNullable<Answer<'getWebsite'>['replayConfig']>

const minute = 60_000

/** The settings in the form's fields. Settings that have no field stay unchanged. */
const settingsIn = (given: FormData, before: Settings): Settings => ({
  ...before,
  replayEnabled: given.has('replayEnabled'),
  heatmapEnabled: given.has('heatmapEnabled'),
  sampleRate: Number(given.get('sampleRate')) / 100,
  heatmapSampleRate: Number(given.get('heatmapSampleRate')) / 100,
  maskLevel: given.get('maskLevel') === 'strict' ? 'strict' : 'moderate',
  maxDuration: Math.round(Number(given.get('minutes')) * minute),
  blockSelector: String(given.get('blockSelector')).trim(),
})

/** The recorder's settings: which visits it records, and what it leaves out. */
export function Recorder({ client, website, changed }: RecorderProps) {
  const [isSaved, setSaved] = useState(false)
  const stored = website.replayConfig ?? {}
  const settings = recorderSettings(stored)
  const save = async (given: FormData) => {
    setSaved(false)
    await client.updateWebsite({ websiteId: website.id, replayConfig: settingsIn(given, stored) })
    setSaved(true)
    changed()
  }
  const tag = `<script defer src="${location.origin}/recorder.js" data-website-id="${website.id}"></script>`
  return (
    <section class="card part" aria-labelledby="recorder">
      <h2 id="recorder">Recordings</h2>
      <p class="quiet">
        What visitors type or choose is never recorded, nor are canvases, frames of other websites and what is below{' '}
        <code>data-umami-block</code>. Visitors may have to agree: ask before you record.
      </p>
      <Form act={save} button="Save">
        <Check name="replayEnabled" isOn={settings.replayEnabled}>
          {{ name: 'Replays', shows: 'the page as the visitor saw it, the pointer, scrolling and clicks' }}
        </Check>
        <Percent name="sampleRate" label="Visits with a replay (%)" rate={settings.sampleRate} />
        <Check name="heatmapEnabled" isOn={settings.heatmapEnabled}>
          {{ name: 'Heatmaps', shows: 'click positions and scroll depths: no texts, no elements' }}
        </Check>
        <Percent name="heatmapSampleRate" label="Visits in heatmaps (%)" rate={settings.heatmapSampleRate} />
        <Choice
          {...{ name: 'maskLevel', label: 'Page texts in replays', chosen: settings.maskLevel }}
          all={{ moderate: 'Recorded', strict: 'Masked: each character is a *' }}
        />
        <Field
          {...{ label: 'Maximum replay length of a page (minutes)', name: 'minutes', required: true }}
          {...{ type: 'number', step: 'any', min: 1, max: 60 }}
          defaultValue={String(settings.maxDuration / minute)}
        />
        <Field
          {...{ label: 'Hidden elements', hint: 'A CSS selector. Replays show them as grey boxes.', isExact: true }}
          {...{ name: 'blockSelector', maxLength: 1000, placeholder: '.account, #address' }}
          defaultValue={settings.blockSelector}
        />
      </Form>
      {isSaved && <p role="status">Saved. Pages use the new settings within a few minutes.</p>}
      {website.recorderEnabled && (
        <>
          <p>Paste this below the tracking code:</p>
          <Copyable text={tag} what="the recorder code" />
        </>
      )}
    </section>
  )
}

interface PercentProps {
  readonly name: string
  readonly label: string
  /** From 0 to 1. */
  readonly rate: number
}

const Percent = ({ name, label, rate }: PercentProps) => (
  <Field
    {...{ label, name, type: 'number', required: true, min: 0, max: 100, step: 'any' }}
    defaultValue={String(Number((rate * 100).toFixed(6)))}
  />
)
