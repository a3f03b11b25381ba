// This import comes first, because its code must run before any request is sent.
import './first.ts'
import { render } from 'preact'
import { readAddress } from './address/address.ts'
import { accessOf } from './data/access.ts'
import { embed } from './embed.ts'
import { DashboardPage } from './page.tsx'

const root = document.getElementById('dashboard')
if (root) {
  if (readAddress(location.search).isEmbedded) embed(root)
  render(<DashboardPage access={accessOf(location.pathname)} />, root)
}
