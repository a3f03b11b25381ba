import { root } from '../../local/paths.ts'
import { makeOperations } from './operations.ts'

// npm runs this after `npm ci`. The pages of `npm start` need it; only developers need the types beside it.
makeOperations(`${root}/src/client`)
