import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Copyable } from '../parts/copyable.tsx'
import { type Demo, openDemo } from '../parts/demo.ts'
import { type Asked, askedOf } from './asked.ts'
import { DemoCard } from './demo-card.tsx'

/** The parts of the front page that need the server: figures of the demo website, a request, and the script tag. */
function Front() {
  const [demo, setDemo] = useState<Demo | undefined>(undefined)
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  useEffect(() => {
    void openDemo().then((found) => {
      setDemo(found)
      askedOf(found).then(setAsked, () => undefined)
    })
  }, [])
  const tag = `<script defer src="${location.origin}/script.js" data-website-id="${demo?.websiteId ?? 'YOUR-ID'}"></script>`
  return (
    <>
      {demo && <DemoCard demo={demo} />}
      <section class="card step is-count" aria-labelledby="count">
        <h2 id="count">Tracking code</h2>
        <p>Add this to each of your pages. The script is under 3 kB after gzip, and sets no cookie.</p>
        <Copyable text={tag} what="the tag" />
        <p class="quiet">
          {demo ? 'This is the demo website’s id. ' : ''}
          <a href="/websites">Create a website</a> to get the tag with your own id.
        </p>
      </section>
      <section class="card step is-ask" aria-labelledby="ask">
        <h2 id="ask">Ask</h2>
        {asked && (
          <>
            <p>{asked.about}</p>
            <Copyable text={`curl '${asked.url}'`} what="the request" />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it. */}
            <pre class="answer" tabIndex={0}>
              <code>{asked.answer}</code>
            </pre>
          </>
        )}
      </section>
    </>
  )
}

const root = document.getElementById('front')
if (root) render(<Front />, root)
