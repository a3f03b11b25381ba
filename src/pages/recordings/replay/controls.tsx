import { useState } from 'preact/hooks'
import { clockText } from '../moments.ts'
import type { Playing } from './use-player.ts'

const speeds = [0.5, 1, 2, 4, 8] as const
/** How far an arrow key moves on the time bar, in milliseconds. */
const step = 5000

/** Plays, pauses, seeks, and sets the speed. */
export function Controls({ state, isLoaded, send }: Pick<Playing, 'state' | 'isLoaded' | 'send'>) {
  const [speed, setSpeed] = useState(1)
  const [skips, setSkips] = useState(false)
  const { at, duration, isPlaying, isWaiting } = state ?? nothing
  const text = `${clockText(at)} of ${clockText(duration)}`
  return (
    <div class="player-controls">
      <button
        type="button"
        class="control is-main"
        disabled={!state}
        onClick={() => send({ is: isPlaying ? 'pause' : 'play' })}
      >
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        class="seek"
        type="range"
        aria-label="Time"
        aria-valuetext={text}
        min={0}
        max={Math.max(1, duration)}
        step={1}
        value={at}
        disabled={!state}
        onKeyDown={(event) => {
          const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key]
          if (by === undefined) return
          event.preventDefault()
          send({ is: 'seek', at: at + by })
        }}
        onInput={({ currentTarget }) => send({ is: 'seek', at: currentTarget.valueAsNumber })}
      />
      <output class="clock">{text}</output>
      <label>
        Speed{' '}
        <select
          value={speed}
          onChange={({ currentTarget }) => {
            setSpeed(Number(currentTarget.value))
            send({ is: 'speed', speed: Number(currentTarget.value) })
          }}
        >
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={skips}
          onChange={({ currentTarget }) => {
            setSkips(currentTarget.checked)
            send({ is: 'skip', skips: currentTarget.checked })
          }}
        />
        Skip silence
      </label>
      <p class="quiet" role="status">
        {isWaiting ? 'Waiting for more…' : !isLoaded ? 'Loading…' : ''}
      </p>
    </div>
  )
}

const nothing = { at: 0, duration: 0, isPlaying: false, isWaiting: false }
