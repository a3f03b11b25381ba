import { root } from '../../local/paths.ts'
import { makeOperations } from './operations.ts'

// npm runs this after `npm ci`. The pages of `npm start` need these files; only developers also need the types.
makeOperations(`${root}/src/client`)
