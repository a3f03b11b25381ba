import { api } from './app.ts'
import { behindShortcuts } from './serve/shortcut.ts'

export { EventLog } from './collect/log.ts'

export default behindShortcuts(api())
