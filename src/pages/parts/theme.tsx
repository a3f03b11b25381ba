import { useState } from 'preact/hooks'
import { choiceOf, keepChoice } from './choice.ts'

const themes = ['light', 'dark'] as const

/** The theme that the viewer chose; undefined for the system's theme. */
export const chosenTheme = () => themes.find((theme) => theme === choiceOf('theme'))

/** Shows the page in this theme; with undefined, in the system's theme. */
export function showTheme(theme: string | undefined): void {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
}

/**
 * Lets the viewer choose the theme for all pages in this browser. By default, `otherwise` or the system's theme
 * applies.
 */
export function ThemePicker({ otherwise }: { readonly otherwise: string | undefined }) {
  const [chosen, setChosen] = useState(chosenTheme() ?? '')
  const choose = (value: string) => {
    keepChoice('theme', value === '' ? null : value)
    setChosen(value)
    showTheme(chosenTheme() ?? (value || otherwise))
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
