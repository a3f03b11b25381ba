import { useState } from 'preact/hooks'
import { readAddress } from '../address/address.ts'
import type { Opening } from '../data/opening.ts'
import { choiceOf, keepChoice } from './choice.ts'

const themes = ['light', 'dark'] as const

const chosenTheme = () => themes.find((theme) => theme === choiceOf('theme'))

/** Shows the page in its theme: that of its frame, that which the viewer chose, or that of the share. */
export function showTheme(opening: Opening | undefined): void {
  const { isEmbedded, theme } = readAddress(location.search)
  const shown = (isEmbedded ? theme : chosenTheme()) ?? opening?.theme
  if (shown) document.documentElement.dataset.theme = shown
  else delete document.documentElement.dataset.theme
}

/** Chooses the theme of this browser's dashboards. */
export function ThemePicker({ opening }: { readonly opening: Opening }) {
  const [chosen, setChosen] = useState(chosenTheme() ?? '')
  const choose = (value: string) => {
    keepChoice('theme', value === '' ? null : value)
    setChosen(value)
    showTheme(opening)
  }
  return (
    <label class="zone">
      Theme
      <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">Automatic</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
