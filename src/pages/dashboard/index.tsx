import { render } from 'preact'
import { accessOf } from './data/access.ts'
import { DashboardPage } from './page.tsx'

const root = document.getElementById('dashboard')
if (root) render(<DashboardPage access={accessOf(location.pathname)} />, root)
