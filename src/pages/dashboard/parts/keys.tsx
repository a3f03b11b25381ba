import { useEffect, useRef, useState } from 'preact/hooks'
import { choiceOf, keepChoice } from '../../parts/choice.ts'
import type { PeriodName } from '../address/address.ts'
import { useBoard } from '../cards/context.ts'
import { Modal } from './modal.tsx'

const periods: Readonly<Record<string, readonly [PeriodName, string]>> = {
  d: ['today', 'Today'],
  e: ['yesterday', 'Yesterday'],
  w: ['7d', 'Last 7 days'],
  t: ['30d', 'Last 30 days'],
  n: ['90d', 'Last 90 days'],
  m: ['month', 'This month'],
  l: ['12m', 'Last 12 months'],
  a: ['all', 'All time'],
}

const others = { f: 'New filter', x: 'Remove all filters', '?': 'These keys' } as const

/** Whether a key press counts as a shortcut: no text field has the focus, and no dialog is open. */
const isFree = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || defaultPrevented) &&
  !(target as Element).closest?.('input, select, textarea, .panel') &&
  // The target of a key may be the page even if a dialog is open.
  !document.querySelector('dialog[open]')

/** Single-key shortcuts for frequent actions, a button that lists them, and a switch to turn them off. */
export function Keys() {
  const { go } = useBoard()
  const [isOpen, setOpen] = useState(false)
  const [isOn, setOn] = useState(choiceOf('keys') !== 'off')
  const press = (key: string) => {
    const period = periods[key]
    if (period) go({ period: period[0], from: undefined, to: undefined })
    if (key === 'x') go({ filters: [] })
    if (key === 'f') document.querySelector<HTMLElement>('[data-name=filter] > button')?.click()
    if (key === '?') setOpen(true)
  }
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => {
      if (!isFree(event) || !(event.key in periods || event.key in others)) return
      event.preventDefault()
      latest.current(event.key)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isOn])
  const turn = (on: boolean) => {
    keepChoice('keys', on ? null : 'off')
    setOn(on)
  }
  return (
    <>
      <button type="button" class="link" onClick={() => setOpen(true)}>
        Keyboard
      </button>
      {isOpen && (
        <Modal name="Keyboard" title="Keyboard" close={() => setOpen(false)}>
          <KeyList isOn={isOn} turn={turn} />
        </Modal>
      )}
    </>
  )
}

function KeyList({ isOn, turn }: { readonly isOn: boolean; readonly turn: (on: boolean) => void }) {
  const all = [...Object.entries(periods).map(([key, [, text]]) => [key, text]), ...Object.entries(others)]
  return (
    <div class="keys">
      <label>
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} /> Single
        keys
      </label>
      <dl>
        {all.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Arrow keys go through the chart, the map, the calendar and tabs. Escape closes what is open.</p>
    </div>
  )
}
