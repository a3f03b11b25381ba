import { render } from 'preact'
import { SignedIn } from '../session/signed-in.tsx'
import { Websites } from './websites.tsx'

const root = document.getElementById('websites')
if (root) render(<SignedIn>{(session) => <Websites session={session} />}</SignedIn>, root)
