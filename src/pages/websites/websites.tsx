import { Bar } from '../session/bar.tsx'
import { reasonOf } from '../session/reason.ts'
import type { Session } from '../session/session.ts'
import { useAnswer } from './use-answer.ts'

const day = 86_400_000

/** The websites of the user, with the visitors of the last 24 hours. */
export function Websites({ session }: { readonly session: Session }) {
  const { client } = session
  const list = useAnswer('', async (signal) => {
    const { data } = await client.listWebsites({ includeTeams: 'true' }, { signal })
    const endAt = Date.now()
    const charts = data.length
      ? await client.getWebsitesCharts(
          { ids: data.map(({ id }) => id).join(','), startAt: endAt - day, endAt },
          { signal },
        )
      : { data: {} }
    return data.map((website) => ({ ...website, visitors: charts.data[website.id]?.total }))
  })
  return (
    <>
      <Bar session={session} />
      <main class="page">
        <h1>Websites</h1>
        {list.error !== undefined && <p role="alert">{reasonOf(list.error)}</p>}
        <ul>
          {list.value?.map(({ id, name, domain, visitors }) => (
            <li key={id} class="card">
              <a href={`/websites/${id}`}>
                <bdi>{name}</bdi>
              </a>{' '}
              <bdi class="quiet">{domain}</bdi> {visitors ?? '–'} visitors in 24 hours
            </li>
          ))}
        </ul>
      </main>
    </>
  )
}
