import { formatWhole } from '../../dashboard/format/numbers.ts'
import { Options } from '../../parts/options.tsx'
import { type Asked, useAsked } from '../../parts/use-asked.ts'
import { Search } from '../list/search.tsx'
import { PageHead, type SitePageProps } from '../page-head.tsx'
import { PeriodChoice, periodOf, rangeOf } from '../period.tsx'
import { addressWith, showsSite } from '../site.ts'
import { Unread } from '../unread.tsx'
import { useQuery } from '../use-query.ts'
import { ClickMap, ScrollMap } from './maps.tsx'
import { type Heatmap, type WidthClass, widthOf, widths } from './widths.ts'

const mostPages = 200

/** Clicks closer than this, in pixels, count as one point. */
const bin = 10

/** The page with the heatmaps of a website. */
export function HeatmapPage({ session, websiteId }: SitePageProps) {
  const [query, go] = useQuery()
  const mode = query.get('mode') === 'scroll' ? 'scroll' : 'click'
  const [search, path] = [query.get('search') ?? '', query.get('path')]
  const asked = { websiteId, ...rangeOf(periodOf(query)), mode } as const
  const about = JSON.stringify([websiteId, periodOf(query), mode])
  const list = useAsked(`${about} ${search}`, (signal) =>
    session.client.getWebsiteHeatmaps({ ...asked, search, limit: mostPages }, { signal }),
  )
  const shown = path ?? list.value?.pages[0]?.urlPath
  const map = useAsked(`${about} ${shown}`, async (signal) =>
    shown === undefined
      ? undefined
      : {
          urlPath: shown,
          heatmap: await session.client.getWebsiteHeatmaps({ ...asked, urlPath: shown, bin, limit: 1 }, { signal }),
        },
  )
  const tab = (text: string, value: 'click' | 'scroll') => (
    <button type="button" class="control" aria-pressed={mode === value} onClick={() => go({ mode: value })}>
      {text}
    </button>
  )
  return (
    <main class="page">
      <PageHead {...{ session, websiteId }} title="Heatmaps">
        {tab('Clicks', 'click')}
        {tab('Scroll depth', 'scroll')}
      </PageHead>
      <div class="choices-line">
        <PeriodChoice period={periodOf(query)} go={go} />
        {mode === 'click' ? <WidthChoice width={widthOf(query)} go={go} /> : null}
        <Search label="Pages with" name="search" {...{ query, go }} />
      </div>
      {list.error !== undefined || list.value === undefined ? (
        <Unread {...list} />
      ) : list.value.pages.length === 0 ? (
        <div class="notice">
          <p>
            No heatmap here. Read <a href="/docs/recorder.md">how to record clicks</a>.
          </p>
        </div>
      ) : (
        <div class="heatmap-parts">
          <PagesList pages={list.value.pages} shown={shown} choose={(urlPath) => go({ path: urlPath })} />
          <MapCard map={map} shown={shown} width={widthOf(query)} />
        </div>
      )}
    </main>
  )
}

interface MapCardProps {
  readonly map: Asked<{ readonly urlPath: string; readonly heatmap: Heatmap } | undefined>
  /** The page whose heatmap is requested. */
  readonly shown: string | undefined
  readonly width: WidthClass
}

/** A heatmap under the path of its page. While the next one loads, the previous one stays, with its own path. */
function MapCard({ map: { value, error, again }, shown, width }: MapCardProps) {
  const loaded = error === undefined ? value : undefined
  return (
    <section class="card map" aria-labelledby="map">
      <h2 id="map">
        <bdi>{loaded?.urlPath ?? shown}</bdi>
      </h2>
      {loaded ? <MapOf heatmap={loaded.heatmap} width={width} /> : <Unread {...{ error, again }} />}
    </section>
  )
}

interface WidthChoiceProps {
  readonly width: WidthClass
  readonly go: (change: Readonly<Record<string, string>>) => void
}

function WidthChoice({ width, go }: WidthChoiceProps) {
  return (
    <label>
      Width{' '}
      <select value={width} onChange={({ currentTarget }) => go({ width: currentTarget.value })}>
        <Options of={Object.entries(widths).map(([name, { text }]) => [name, text])} />
      </select>
    </label>
  )
}

interface PagesListProps {
  readonly pages: Heatmap['pages']
  readonly shown: string | undefined
  readonly choose: (urlPath: string) => void
}

function PagesList({ pages, shown, choose }: PagesListProps) {
  return (
    <nav class="card moments" aria-label="Pages of the website">
      <ol>
        {pages.map(({ urlPath, count, sessions }) => (
          <li key={urlPath}>
            <button
              type="button"
              class="moment"
              aria-current={urlPath === shown ? 'page' : undefined}
              onClick={() => choose(urlPath)}
            >
              <bdi>{urlPath}</bdi>
              <span class="quiet">
                {formatWhole(count)} in {formatWhole(sessions)} visits
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function MapOf({ heatmap, width }: { readonly heatmap: Heatmap; readonly width: WidthClass }) {
  const url = framed(heatmap.snapshot?.url)
  const isShown = showsSite() && url !== undefined
  return (
    <>
      {url === undefined ? null : (
        <p class="quiet">
          {isShown ? (
            <>
              Under it is the page as it is now, without its scripts. If it forbids frames, it stays white.{' '}
              <a href={addressWith(false)}>Draw on grey</a>
            </>
          ) : (
            <a href={addressWith(true)}>Draw over {new URL(url).host}</a>
          )}
        </p>
      )}
      {heatmap.mode === 'click' ? (
        <ClickMap heatmap={heatmap} url={isShown ? url : undefined} width={width} />
      ) : (
        <ScrollMap heatmap={heatmap} url={isShown ? url : undefined} />
      )}
    </>
  )
}

/** The URL, or undefined if its page must not be framed, such as a page of Weir's own origin. */
function framed(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.origin !== location.origin ? parsed.href : undefined
}
