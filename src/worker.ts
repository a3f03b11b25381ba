import { api } from './app.ts'
import { behindShortcuts } from './serve/shortcut.ts'

export default behindShortcuts(api())
