import { api } from './app.ts'
import { front } from './front.ts'

export default front(api())
